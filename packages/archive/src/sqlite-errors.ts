import { CtxError } from '@ctx/core';
import { corrupt, full, unavailable } from './archive-errors.js';

/** The primary codes of SQLite's results. */
const busy = 5;
const locked = 6;
const readOnly = 8;
const corrupted = 11;
const tooFull = 13;
const noDatabase = 26;

/** What SQLite's error means for an archive. */
export function archiveError(error: unknown): unknown {
  if (CtxError.isInstance(error)) return error;
  switch (codeOf(error)) {
    case busy:
    case locked:
      return unavailable('Another process has locked the archive', error);
    case readOnly:
      return unavailable('The archive is read-only', error);
    case corrupted:
    case noDatabase:
      return corrupt('The file is damaged, or is no archive', error);
    case tooFull:
      return full('The disk or the archive is full', error);
    default:
      return unavailable('The file of the archive can not be used', error);
  }
}

/** The primary code is in the lowest byte. */
function codeOf(error: unknown): number | undefined {
  const { errcode } = (typeof error === 'object' && error !== null ? error : {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}
