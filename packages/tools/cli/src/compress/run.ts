import { exitCodes } from '../exit-codes.js';
import type { Opened } from '../session/open.js';
import { writeMessages } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { counted, figure, percent, shownJson } from '../terminal/shown.js';
import {
  type CompressedSession,
  type CompressRequest,
  compressSession,
  type Staying,
} from './compress-session.js';

interface CompressOutput {
  /** A file. @default the standard output */
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Compresses a session and writes what is left. */
export async function runCompress(
  io: Io,
  { session, path }: Opened,
  { out, json = false, ...request }: CompressRequest & CompressOutput,
): Promise<number> {
  const compressed = await compressSession(session, request);
  const { before, after, reason: _, ...figures } = compressed;
  const left = { ...session, messages: after };
  if (json) {
    if (out !== undefined) await writeMessages(io, left, { out, source: path });
    const report = {
      ...figures,
      isShort: figures.missedTokens > 0,
      messagesBefore: before.length,
      messagesAfter: after.length,
      ...(out === undefined ? { messages: after.map(({ native: __, ...message }) => message) } : { out }),
    };
    io.out(`${shownJson(report, 2)}\n`);
  } else {
    await writeMessages(io, left, { out, source: path });
    io.err(`${summaryOf(compressed)}\n`);
  }
  return figures.missedTokens > 0 ? exitCodes.short : exitCodes.done;
}

/** What a compression did, in a sentence. */
function summaryOf(compressed: CompressedSession): string {
  const { tokensBefore, tokensAfter, before, after, strategies, reason } = compressed;
  if (reason !== undefined)
    return `Nothing changed: ${figure(tokensBefore)} tokens in ${counted(before.length, 'message')}, because ${reason}.${missText(compressed)}`;
  const became = `${figure(tokensBefore)} tokens became ${figure(tokensAfter)} (${percent(tokensAfter / tokensBefore)}), and ${counted(before.length, 'message')} became ${figure(after.length)}`;
  const by = strategies.length === 0 ? '' : `, with ${strategies.join(' and ')}`;
  return `${became}${by}.${missText(compressed)}`;
}

const stayingNames: Readonly<Record<keyof Staying, string>> = {
  system: 'the system prompt',
  pinned: 'what is pinned',
  user: 'the task and the newest message of the user',
  unread: 'what the model has not read yet',
};

/** By how much the target was missed, and why; empty if it was reached. */
function missText({ staying, missedTokens, targetTokens, strategies }: CompressedSession): string {
  if (staying === undefined) return '';
  const missed = `The target of ${figure(targetTokens)} was missed by ${counted(missedTokens, 'token')}`;
  const kinds = (Object.keys(stayingNames) as (keyof Staying)[]).filter((kind) => staying[kind] > 0);
  const sum = kinds.reduce((tokens, kind) => tokens + staying[kind], 0);
  const parts = kinds.map((kind) => `${stayingNames[kind]} (${figure(staying[kind])})`).join(', ');
  const stay = sum === 0 ? '' : `${figure(sum)} have to stay: ${parts}`;
  if (sum > targetTokens) return ` ${missed}, because ${stay}.`;
  const means = strategies.length === 0 ? '' : ` with ${strategies.join(' and ')}`;
  return ` ${missed}: no more can go${means}${stay === '' ? '' : `, and ${stay}`}.`;
}
