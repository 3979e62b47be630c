import { finish } from '@ctx/core';
import { piecesInSteps } from '../../src/pieces/index.js';
import type { Piece } from '../../src/pieces/piece-writer.js';

/** The pieces of a text, at once. */
export const piecesOf = (...given: Parameters<typeof piecesInSteps>): readonly Piece[] =>
  finish(piecesInSteps(...given));
