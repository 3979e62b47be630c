import { type CompressionRecord, type Message, messageText, partsOf, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import type { CountTokens } from './count-tokens.js';
import { mainArgumentOf } from './main-argument.js';
import type { Outcome, ReportFate, ReportMessage } from './report/report-data.js';
import { textOf } from './spoken.js';

/** The most characters of a message in the report: enough to read, and few enough to keep the page small. */
const shownLength = 4_000;
/** In characters: one line of the list. */
const labelLength = 80;

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
    const [text, after] = [textOf(message), textOf(match)];
    if (match === message || after === text) return { outcome: 'kept', tokens: tokensOf(match) };
    return {
      outcome: shortenedHow(text, after, byFolding),
      tokens: tokensOf(match),
      after: shown(after, textLength),
    };
  });
  return { fates, added: added.map((message) => reportMessage(message, prefix, tokensOf, textLength)) };
}

/** A line of a message that a strategy kept, from the notes in its record. */
interface KeptLine {
  /** Position of the message in the transcript, which equals its position in the prefix. */
  readonly message: number;
  readonly text: string;
  readonly reason: string;
}

function keptLines(record: CompressionRecord | undefined): Map<number, KeptLine[]> {
  const byMessage = new Map<number, KeptLine[]>();
  for (const { notes } of record?.stages ?? []) {
    for (const line of Array.isArray(notes?.lines) ? notes.lines.filter(isKeptLine) : [])
      byMessage.set(line.message, [...(byMessage.get(line.message) ?? []), line]);
  }
  return byMessage;
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
      lines.map(({ text, reason }) => `${text.slice(0, labelLength / 2)}: ${reason}`).join('\n'),
      textLength,
    ),
  };
}

/** The remainder of each message, if there is one: the same object, a message with its call or text, or one that begins like it. */
function matchesOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
  fresh: readonly Message[],
): (Message | undefined)[] {
  const kept = new Set(compressed);
  const byKey = new Map<string, Message[]>();
  for (const message of fresh)
    for (const key of [...callKeysOf(message), ...textKeysOf(message)])
      byKey.set(key, [...(byKey.get(key) ?? []), message]);
  const used = new Set<Message>();
  const use = (message: Message | undefined) => {
    if (message !== undefined) used.add(message);
    return message;
  };
  const unused = (key: string) => byKey.get(key)?.find((one) => !used.has(one));
  const first = (keys: readonly string[], find: (key: string) => Message | undefined) =>
    keys.map(find).find((one) => one !== undefined);
  const matches = prefix.map((message) => {
    if (kept.has(message)) return message;
    const calls = callKeysOf(message);
    // Results of several messages may have become one message.
    const joined = (key: string) => byKey.get(key)?.at(-1);
    return use(first([...calls, ...textKeysOf(message)], unused) ?? first(calls, joined));
  });
  return matches.map((match, index) => {
    const message = prefix[index] as Message;
    return match ?? use(fresh.find((one) => !used.has(one) && beginsLike(one, message)));
  });
}

/** The calls that a message makes or answers. */
function callKeysOf(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'tool-call' || part.type === 'tool-result' ? [`${message.role} ${part.toolCallId}`] : [],
  );
}

/** Its text; its calls may be gone. */
function textKeysOf(message: Message): string[] {
  const text = message.role === 'tool' ? '' : messageText(message);
  return text === '' ? [] : [`${message.role} says ${text}`];
}

/** In characters. With fewer, messages begin alike by chance; with more, messages that were cut would be missed. */
const headLength = 24;

function beginsLike(one: Message, original: Message): boolean {
  if (one.role !== original.role || one.role === 'tool' || one.summary === true) return false;
  const [text, before] = [messageText(one), messageText(original)];
  return text.length >= headLength && text.slice(0, headLength) === before.slice(0, headLength);
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

/**
 * A message in one line: its role, and what it calls or answers.
 * @param length the most characters
 */
export function messageLabel(message: Message, messages: readonly Message[], length = labelLength): string {
  const name = (id: string) => {
    const call = messages.flatMap(toolCallsOf).find(({ toolCallId }) => toolCallId === id);
    return call === undefined ? 'a call' : callName(call);
  };
  const label = (() => {
    switch (message.role) {
      case 'system':
      case 'user':
        return message.role;
      case 'assistant':
        return ['assistant', ...toolCallsOf(message).map(callName)].join(' · ');
      case 'tool':
        return `result of ${message.content.map(({ toolCallId }) => name(toolCallId)).join(' · ')}`;
      default:
        return message satisfies never;
    }
  })();
  return label.length > length ? `${label.slice(0, length)}…` : label;
}

function callName(call: Parameters<typeof mainArgumentOf>[0]): string {
  return `${call.toolName} ${(mainArgumentOf(call) ?? '').split('\n')[0]}`.trim();
}

function shown(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
