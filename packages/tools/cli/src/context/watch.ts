import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { followSession } from '@ctx/sessions';
import { hasCode } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import type { ChooseOptions } from '../session/choose.js';
import type { Io } from '../terminal/io.js';
import { shownJson } from '../terminal/shown.js';
import { type ContextRequest, contextText } from './run.js';

/** Ms between a change of the file and the next picture: an agent writes several lines for one answer. */
const calm = 200;
/** Ms after which the file is looked at though nothing was announced: not every file system announces changes. */
const longest = 2_000;
/** Clears the terminal and goes to its first line. */
const clear = '\u001B[2J\u001B[H';

/** Shows what fills the window again and again while the agent writes the session, until Ctrl-C. One JSON text a line with `--json`. */
export async function watchContext(
  io: Io,
  path: string,
  { format, strict = false }: ChooseOptions,
  request: ContextRequest,
): Promise<number> {
  const follower = followSession(path, { lenient: !strict, ...(format && { format }) });
  let shown = '';
  while (!io.signal.aborted) {
    const changed = changeOf(path, io.signal);
    const session = await follower.read().catch((error: unknown) => {
      // A file that an agent has only begun.
      if (hasCode(error, 'session-empty')) return undefined;
      throw error;
    });
    if (session !== undefined) {
      const text = await contextText(io, { session, path }, { ...request, quick: true });
      if (text !== shown) io.out(pictureOf(text, io, request));
      shown = text;
    }
    await changed;
    await wait(calm, undefined, { signal: io.signal }).catch(() => undefined);
  }
  return exitCodes.interrupted;
}

function pictureOf(text: string, { isTerminal }: Io, { json }: ContextRequest): string {
  if (json === true) return `${shownJson(JSON.parse(text))}\n`;
  return isTerminal ? `${clear}${text}` : `${text}\n`;
}

/** Settles when the file changes, at the latest after two seconds. */
async function changeOf(path: string, signal: AbortSignal): Promise<void> {
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  const watcher = watchFile(path, () => own.abort());
  await wait(longest, undefined, { signal: both }).catch(() => undefined);
  watcher?.close();
}

function watchFile(path: string, listener: () => void) {
  try {
    return watch(path, listener).on('error', listener);
  } catch {
    return undefined;
  }
}
