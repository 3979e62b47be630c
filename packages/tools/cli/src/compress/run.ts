import type { SessionFormat } from '@ctx/sessions';
import { exitCodes } from '../exit-codes.js';
import type { Opened } from '../session/open.js';
import { writeMessages } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { shownJson } from '../terminal/shown.js';
import { type CompressRequest, compressSession } from './compress-session.js';
import { saidInWords } from './said-in-words.js';

export interface CompressOutput {
  /** @default the format that the session came in */
  readonly format?: SessionFormat | undefined;
  /** A file. @default the standard output */
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Compresses a session and writes what is left. */
export async function runCompress(
  io: Io,
  { session, path }: Opened,
  request: CompressRequest & CompressOutput,
): Promise<number> {
  const compressed = await compressSession(session, request);
  const { format = session.format, out, json = false } = request;
  const { tokensBefore, tokensAfter, targetTokens, before, after, strategies, missedTokens, staying } =
    compressed;
  const left = { ...session, messages: after };
  if (json) {
    if (out !== undefined) await writeMessages(io, left, { format, out, source: path });
    const report = {
      tokensBefore,
      tokensAfter,
      targetTokens,
      isShort: missedTokens > 0,
      missedTokens,
      ...(staying !== undefined && { staying }),
      strategies,
      messagesBefore: before.length,
      messagesAfter: after.length,
      format,
      ...(out === undefined ? { messages: after.map(withoutNative) } : { out }),
    };
    io.out(`${shownJson(report, 2)}\n`);
  } else {
    await writeMessages(io, left, { format, out, source: path });
    io.err(`${saidInWords(compressed)}\n`);
  }
  return missedTokens > 0 ? exitCodes.short : exitCodes.done;
}

/** The form of the provider says the same once more. */
function withoutNative({ native: _, ...message }: Opened['session']['messages'][number]) {
  return message;
}
