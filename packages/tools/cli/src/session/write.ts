import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { type Session, writeSession } from '@ctx/sessions';
import type { Io } from '../terminal/io.js';
import { escapedJson, figure, shownLine } from '../terminal/shown.js';

interface Place {
  /** A file; without one the standard output. */
  readonly out?: string | undefined;
  /** The file that the session is from. It is never written over. */
  readonly source: string;
}

/**
 * Writes a session, and says what its format has no place for, and which it is if it is not that of the session.
 * @throws CtxError `output-failed`, and `option-invalid` for the file that the session is from
 */
export async function writeMessages(io: Io, session: Session, { out, source }: Place): Promise<void> {
  const { text, format, losses } = writeSession(session);
  if (out === undefined) io.out(escapedJson(text));
  else await writeWhole(io, text, { out, source });
  if (format !== session.format) io.err(`Written as ${format}: ${session.format} can only be read.\n`);
  const lost = Object.entries(losses).map(([what, count]) => `${figure(count)} × ${what}`);
  if (lost.length > 0) io.err(`The format ${format} has no place for: ${lost.join(', ')}.\n`);
}

/** Writes a file at once or not at all, so that an interruption leaves no half of it. A device or a pipe is refused: the file would take its place. */
export async function writeWhole(
  { cwd }: Pick<Io, 'cwd'>,
  text: string,
  { out, source }: { readonly out: string; readonly source?: string | undefined },
): Promise<void> {
  const file = resolve(cwd, out);
  if (source !== undefined && file === resolve(cwd, source))
    throw new CtxError({
      code: 'option-invalid',
      problem: 'The session would be written over',
      place: '--out',
      value: out,
      remedy: 'Give another file.',
    });
  const about = await stat(file).catch(() => undefined);
  if (about?.isFile() === false)
    throw new CtxError({
      code: 'output-failed',
      problem: 'The path is not a regular file but a folder, a device or a pipe',
      place: shownLine(out),
      remedy: 'Give the path of a file.',
    });
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new CtxError({
      code: 'output-failed',
      problem: `The file could not be written: ${cause instanceof Error ? shownLine(cause.message) : 'unknown reason'}`,
      place: shownLine(out),
      remedy: 'Check that the folder is there and may be written.',
      cause,
    });
  }
}
