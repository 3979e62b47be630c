import { finish } from '@ctx/core';
import { type Piece, piecesInSteps } from '../../src/pieces/index.js';

/** The pieces of a text, at once. */
export const piecesOf = (...given: Parameters<typeof piecesInSteps>): readonly Piece[] =>
  finish(piecesInSteps(...given));
