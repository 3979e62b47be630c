import { type CountTokens, loadCounter } from '@ctx/bench/measure';
import { inSlices, type Message, type Steps } from '@ctx/core';
import { contextAt } from '@ctx/sessions';
import { exitCodes } from '../exit-codes.js';
import { refusePlace } from '../session/choose.js';
import type { Opened } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { shownJson } from '../terminal/shown.js';
import { analyse } from './analyse.js';
import { piecesOf } from './kinds.js';
import { renderContext } from './render.js';
import { savingsAt } from './savings.js';

export interface ContextRequest {
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  readonly json?: boolean | undefined;
  /** Leaves out what could go, which takes most of the time. */
  readonly quick?: boolean | undefined;
}

/** Shows what fills the window of a session. */
export async function runContext(
  io: Io,
  { session, path }: Opened,
  request: ContextRequest,
): Promise<number> {
  io.out(await contextText(io, { session, path }, request));
  return exitCodes.done;
}

/** The output of `ctx context`. */
export async function contextText(
  io: Io,
  { session, path }: Pick<Opened, 'session' | 'path'>,
  { at = session.messages.length, model, window, json, quick }: ContextRequest,
): Promise<string> {
  refusePlace(session, at);
  const tokensOf = await loadCounter();
  await countAhead(io, contextAt(session, at).messages, tokensOf);
  const progress = progressOn(io, 'compressing');
  const savings =
    quick === true
      ? []
      : await savingsAt(session, at, { tokensOf, model, window, onStep: progress.step }).finally(
          progress.done,
        );
  const report = analyse(session, { path, tokensOf, at, model, window, savings });
  if (json === true) return `${shownJson(report, 2)}\n`;
  return renderContext(report, io);
}

/** Counts messages and their parts while Ctrl-C is heard and progress is shown. Later the counter knows their texts. */
async function countAhead(io: Io, messages: readonly Message[], tokensOf: CountTokens): Promise<void> {
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
