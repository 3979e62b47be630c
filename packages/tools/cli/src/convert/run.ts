import { contextAt, type SessionFormat } from '@ctx/sessions';
import { exitCodes } from '../exit-codes.js';
import type { Opened } from '../session/open.js';
import { writeMessages } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { counted } from '../terminal/shown.js';

export interface ConvertRequest {
  readonly format: SessionFormat;
  readonly out?: string | undefined;
  readonly from: 'start' | 'last-compaction';
}

/** Writes a session in another format. */
export async function runConvert(
  io: Io,
  { session, path }: Opened,
  { format, out, from }: ConvertRequest,
): Promise<number> {
  const messages = from === 'start' ? session.messages : contextAt(session).messages;
  await writeMessages(io, { ...session, messages }, { format, out, source: path });
  io.err(`${counted(messages.length, 'message')} of ${session.format} written as ${format}.\n`);
  return exitCodes.done;
}
