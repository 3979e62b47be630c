import type { CountTokens } from '@ctx/bench/measure';
import { inSlices, type Message, type Steps } from '@ctx/core';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { piecesOf } from './kinds.js';

/** Counts messages and their parts while Ctrl-C is heard and progress is shown. Later the counter knows their texts. */
export async function countAhead(io: Io, messages: readonly Message[], tokensOf: CountTokens): Promise<void> {
  const progress = progressOn(io, 'counting');
  try {
    await inSlices(counting(messages, tokensOf, progress.step), { signal: io.signal });
  } finally {
    progress.done();
  }
}

function* counting(
  messages: readonly Message[],
  tokensOf: CountTokens,
  step: (what: string, done: number) => void,
): Steps<void> {
  for (const [index, message] of messages.entries()) {
    yield;
    step('', index / messages.length);
    tokensOf(message);
    for (const { message: piece } of piecesOf(message)) tokensOf(piece);
  }
}
