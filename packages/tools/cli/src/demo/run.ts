import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { sessionFiles } from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { failureOf } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import { sessionMissing } from '../session/choose.js';
import { fileOf } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { shownLine } from '../terminal/shown.js';
import { demoText } from './demo-text.js';

export interface DemoRequest {
  /** Leaves out records that can't be read, instead of refusing the file. */
  readonly lenient?: boolean | undefined;
  /** Shows every strategy. @default the six best to each size */
  readonly all?: boolean | undefined;
}

/**
 * Compresses a session, or every session below a folder, with each strategy to half and to a quarter of its tokens.
 * @throws CtxError as `readSessions`, and `session-missing` if there is none
 */
export async function runDemo(
  io: Io,
  path: string | undefined,
  { lenient = false, all = false }: DemoRequest,
): Promise<number> {
  const given = path === undefined ? undefined : resolve(io.cwd, path);
  if (given === undefined || statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) {
    io.out(await demoText(io, await fileOf(io, path, {}), { lenient, all }));
    return exitCodes.done;
  }
  let shown = 0;
  for (const file of sessionFiles(given)) {
    try {
      const text = await demoText(io, file, { lenient, all });
      io.out(shown === 0 ? text : `\n${text}`);
      shown += 1;
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      io.err(`Skipped: ${failureOf(error).line}\n`);
    }
  }
  if (shown > 0) return exitCodes.done;
  throw sessionMissing(`No session below ${shownLine(path ?? '')} could be read`);
}
