import { loadCounter } from '@ctx/bench/measure';
import { type CompressRequest, compressSession } from '../compress/compress-session.js';
import { saidInWords } from '../compress/said-in-words.js';
import { exitCodes } from '../exit-codes.js';
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
  const compressed = await compressSession(session, request);
  const all = changesOf(session, compressed, { at, tokensOf: await loadCounter() });
  const shown =
    message === undefined
      ? all
      : { changes: all.changes.filter(({ number }) => number === message), added: [] };
  const { tokensBefore, tokensAfter, targetTokens, missedTokens } = compressed;
  const isShort = missedTokens > 0;
  if (json) io.out(`${shownJson({ tokensBefore, tokensAfter, targetTokens, isShort, ...shown }, 2)}\n`);
  else {
    const text = renderChanges(shown, {
      width: io.columns,
      hasColor: io.hasColor,
      lines: lines || message !== undefined,
    });
    io.out(`${saidInWords(compressed)}\n\n${text}`);
  }
  return isShort ? exitCodes.short : exitCodes.done;
}
