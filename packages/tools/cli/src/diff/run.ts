import { loadCounter } from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { type CompressRequest, compressSession } from '../compress/compress-session.js';
import { saidInWords } from '../compress/said-in-words.js';
import { exitCodes } from '../exit-codes.js';
import { refusePlace } from '../session/choose.js';
import type { Opened } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { shownJson } from '../terminal/shown.js';
import { changesOf } from './changes.js';
import { renderChanges } from './render.js';

export interface DiffRequest extends CompressRequest {
  /** Shows what left line by line. */
  readonly lines?: boolean | undefined;
  /** Shows one message only, by its number. */
  readonly message?: number | undefined;
  readonly json?: boolean | undefined;
}

/** Shows what a compression takes from a session. */
export async function runDiff(io: Io, { session }: Opened, request: DiffRequest): Promise<number> {
  const { at, lines = false, message, json = false } = request;
  if (message !== undefined) refusePlace(session, message, '--message');
  const compressed = await compressSession(session, { ...request, explain: true });
  const all = changesOf(session, compressed, { at, tokensOf: await loadCounter() });
  if (message !== undefined && !all.changes.some(({ number }) => number === message))
    throw notInWindow(message);
  const shown =
    message === undefined
      ? all
      : { changes: all.changes.filter(({ number }) => number === message), added: [] };
  const { tokensBefore, tokensAfter, targetTokens, missedTokens } = compressed;
  const isShort = missedTokens > 0;
  if (json) io.out(`${shownJson({ tokensBefore, tokensAfter, targetTokens, isShort, ...shown }, 2)}\n`);
  else {
    const text = renderChanges(shown, lines || message !== undefined, io);
    io.out(`${saidInWords(compressed)}\n\n${text}`);
  }
  return isShort ? exitCodes.short : exitCodes.done;
}

function notInWindow(message: number): CtxError {
  return new CtxError({
    code: 'option-invalid',
    problem:
      'The message is not in the window at this place of the session: the agent compacted it, or it comes later',
    place: '--message',
    value: message,
    remedy: 'Give --at with a place at which it was, or the number of a message that ctx context shows.',
  });
}
