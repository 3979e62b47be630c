import type { CompressionRecord, Message } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { grouped } from './averages.js';
import type { CountTokens } from './count-tokens.js';
import { headLength, matchesOf } from './matches.js';
import { messageLabel } from './message-label.js';
import type { ReportMessage } from './report/session-data.js';
import { textOf } from './spoken.js';

/** What happened to a message in a compression. */
export type Outcome = 'kept' | 'cleared' | 'truncated' | 'folded' | 'summarised' | 'excerpted' | 'dropped';

/** The fate of one message. */
export interface ReportFate {
  readonly outcome: Outcome;
  /** Tokens that are left of it; 0 if it is dropped or only a summary mentions it. */
  readonly tokens: number;
  /** The remaining text, if it differs from the original. */
  readonly after?: string;
  /** The reason, if a strategy gives one. */
  readonly reason?: string;
}

/** The most characters of a message in the report: enough to read, and few enough to keep the page small. */
const shownLength = 4_000;
/** In characters: half a line of the list. */
const quotedLength = 40;

/** A message as a report shows it. */
export function reportMessage(
  message: Message,
  messages: readonly Message[],
  tokensOf: CountTokens,
  textLength = shownLength,
): ReportMessage {
  return {
    role: message.role,
    label: messageLabel(message, messages),
    tokens: tokensOf(message),
    text: shown(textOf(message), textLength),
  };
}

export interface FateOptions {
  readonly tokensOf: CountTokens;
  readonly record?: CompressionRecord | undefined;
  /** The most characters of a text. @default 4000 */
  readonly textLength?: number | undefined;
}

/**
 * What happened to each message of a prefix. It is found by comparing messages and results, so it works for any candidate. A record says
 * more about the reasons.
 */
export function fatesOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
  { tokensOf, record, textLength = shownLength }: FateOptions,
): { readonly fates: ReportFate[]; readonly added: ReportMessage[] } {
  const known = new Set<Message>(prefix);
  const fresh = compressed.filter((message) => !known.has(message));
  const matches = matchesOf(prefix, compressed, fresh);
  const used = new Set(matches);
  const added = fresh.filter((message) => !used.has(message));
  const told = added.filter(({ role }) => role === 'user');
  const reasons = record?.edits.map(({ reason }) => reason) ?? [];
  const byFolding = record?.strategy.includes('fold') === true || reasons.some((one) => one.includes('fold'));

  const lines = keptLines(record);
  const fates = prefix.map((message, index): ReportFate => {
    const match = matches[index];
    if (match === undefined)
      return { outcome: toldBy(told, message), tokens: 0, ...explained(lines.get(index), textLength) };
    const own = ownPart(match, message);
    const [text, after] = [textOf(message), textOf(own)];
    if (match === message || after === text) return { outcome: 'kept', tokens: tokensOf(own) };
    return {
      outcome: shortenedHow(text, after, byFolding),
      tokens: tokensOf(own),
      after: shown(after, textLength),
    };
  });
  return { fates, added: added.map((message) => reportMessage(message, prefix, tokensOf, textLength)) };
}

/** What is left of a message in one that several have become: the results of its own calls. */
function ownPart(match: Message, message: Message): Message {
  if (match.role !== 'tool' || message.role !== 'tool' || match.content.length <= message.content.length)
    return match;
  const calls = new Set(message.content.map(({ toolCallId }) => toolCallId));
  const content = match.content.filter(({ toolCallId }) => calls.has(toolCallId));
  return content.length === 0 ? match : { ...match, content };
}

/** A line of a message that a strategy kept, from the notes in its record. */
interface KeptLine {
  /** Position of the message in the transcript, which equals its position in the prefix. */
  readonly message: number;
  readonly text: string;
  readonly reason: string;
}

function keptLines(record: CompressionRecord | undefined): Map<number, KeptLine[]> {
  const lines = (record?.stages ?? []).flatMap(({ notes }) =>
    Array.isArray(notes?.lines) ? notes.lines.filter(isKeptLine) : [],
  );
  return grouped(lines, ({ message }) => message);
}

function isKeptLine(value: unknown): value is KeptLine {
  return (
    isFields(value) &&
    typeof value.message === 'number' &&
    typeof value.text === 'string' &&
    typeof value.reason === 'string'
  );
}

function explained(
  lines: readonly KeptLine[] = [],
  textLength: number,
): Pick<ReportFate, 'after' | 'reason'> {
  if (lines.length === 0) return {};
  return {
    after: shown(lines.map(({ text }) => text).join('\n'), textLength),
    reason: shown(
      lines.map(({ text, reason }) => `${text.slice(0, quotedLength)}: ${reason}`).join('\n'),
      textLength,
    ),
  };
}

/** A message that quotes lines of another is an excerpt of it. A marker for omitted messages is not a summary. */
function toldBy(told: readonly Message[], message: Message): Outcome {
  const texts = told.map(textOf);
  const isQuoted = textOf(message)
    .split('\n')
    .map((line) => line.trim())
    .some((line) => line.length >= 12 && texts.some((text) => text.includes(line)));
  if (isQuoted) return 'excerpted';
  return told.some(({ summary }) => summary === true) ? 'summarised' : 'dropped';
}

function shortenedHow(before: string, after: string, byFolding: boolean): Outcome {
  const lines = after.split('\n').filter((line) => line.trim().length >= 12);
  const verbatim = lines.filter((line) => before.includes(line)).length;
  const isHead = after.length >= headLength && before.startsWith(after.slice(0, headLength));
  if (verbatim === 0 && !isHead) return 'cleared';
  return byFolding && verbatim < lines.length ? 'folded' : 'truncated';
}

function shown(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
