import { type CountTokens, loadCounter } from '@ctx/bench/measure';
import { inSlices, type Message, type Steps } from '@ctx/core';
import { contextAt } from '@ctx/sessions';
import { exitCodes } from '../exit-codes.js';
import { type Opened, refusePlace } from '../session/open.js';
import type { AskedWindow } from '../session/window.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { shownJson } from '../terminal/shown.js';
import { analyse, piecesOf } from './analyse.js';
import { renderContext } from './render.js';
import { savingsAt } from './savings.js';

interface ContextRequest extends AskedWindow {
  readonly at?: number | undefined;
  readonly json?: boolean | undefined;
  /** Leaves out what could go, which takes most of the time. */
  readonly quick?: boolean | undefined;
}

/** Shows what fills the window of a session. */
export async function runContext(
  io: Io,
  { session, path }: Opened,
  { at = session.messages.length, json, quick, ...asked }: ContextRequest,
): Promise<number> {
  refusePlace(session, at);
  const tokensOf = await loadCounter();
  const counted = progressOn(io, 'counting');
  const steps = counting(contextAt(session, at).messages, tokensOf, counted.step);
  // In slices, so that Ctrl-C is heard.
  await inSlices(steps, { signal: io.signal }).finally(counted.done);
  const progress = progressOn(io, 'compressing');
  const savings =
    quick === true
      ? []
      : await savingsAt(session, at, { tokensOf, ...asked, onStep: progress.step }).finally(progress.done);
  const report = analyse(session, { path, tokensOf, at, ...asked, savings });
  io.out(json === true ? `${shownJson(report, 2)}\n` : renderContext(report, io));
  return exitCodes.done;
}

/** Counts messages and their parts, so that the counter knows them later. */
function* counting(
  messages: readonly Message[],
  tokensOf: CountTokens,
  step: (what: string, done: number) => void,
): Steps<void> {
  for (const [index, message] of messages.entries()) {
    yield;
    step('', index / messages.length);
    for (const one of [message, ...piecesOf(message).map((piece) => piece.message)]) tokensOf(one);
  }
}
