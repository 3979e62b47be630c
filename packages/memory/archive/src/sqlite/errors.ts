import { CtxError } from '@ctx/core';
import { corrupt, full, unavailable } from '../archive-errors.js';

/** The primary codes of SQLite's results. */
const busy = 5;
const locked = 6;
const readOnly = 8;
const corrupted = 11;
const tooFull = 13;
const noDatabase = 26;
/** The extended code for a page that the file should have, and has not. */
const shortRead = 10 | (2 << 8);
/** Some errors of the package that stands in for Node's SQLite have no code. */
const damaged = /disk image is malformed|is not a database/;

/** What SQLite's error means for an archive. */
export function archiveError(error: unknown): unknown {
  if (CtxError.isInstance(error)) return error;
  if (isDamaged(error)) return corrupt('The file is damaged or is not an archive', error);
  switch (codeOf(error)) {
    case busy:
    case locked:
      return unavailable('Another process has locked the archive', error);
    case readOnly:
      return unavailable('The archive is read-only', error);
    case tooFull:
      return full('The disk or the archive is full', error);
    default:
      return unavailable("The archive's file cannot be used", error);
  }
}

function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  if (code === corrupted || code === noDatabase || resultOf(error) === shortRead) return true;
  return code === undefined && error instanceof Error && damaged.test(error.message);
}

/** The primary code is in the lowest byte. */
function codeOf(error: unknown): number | undefined {
  const result = resultOf(error);
  return result === undefined ? undefined : result & 0xff;
}

function resultOf(error: unknown): number | undefined {
  const { errcode } = (typeof error === 'object' && error !== null ? error : {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}
