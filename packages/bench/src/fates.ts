import { type CompressionRecord, type Message, partsOf, toolCallsOf } from '@ctx/core';
import type { CountTokens } from './count-tokens.js';
import { mainArgumentOf } from './main-argument.js';
import type { Outcome, ReportFate, ReportMessage } from './report/report-data.js';
import { textOf } from './spoken.js';

const shownLength = 4_000;
const labelLength = 80;

/** A message as a report shows it. */
export function reportMessage(
  message: Message,
  messages: readonly Message[],
  tokensOf: CountTokens,
): ReportMessage {
  return {
    role: message.role,
    label: labelOf(message, messages),
    tokens: tokensOf(message),
    text: shown(textOf(message)),
  };
}

/**
 * What became of each message of a prefix: compared message by message and result by result, so that it can be told for any
 * candidate; a record says more about the reasons.
 */
export function fatesOf(
  prefix: readonly Message[],
  compressed: readonly Message[],
  { tokensOf, record }: { readonly tokensOf: CountTokens; readonly record?: CompressionRecord | undefined },
): { readonly fates: ReportFate[]; readonly added: ReportMessage[] } {
  const left = new Map<string, Message>();
  for (const message of compressed) for (const key of keysOf(message)) left.set(key, message);
  const known = new Set<Message>(prefix);
  const used = new Set<Message>();
  const told = compressed.filter((message) => !known.has(message) && message.role === 'user').map(textOf);
  const reasons = record?.edits.map(({ reason }) => reason) ?? [];
  const byFolding = record?.strategy.includes('fold') === true || reasons.some((one) => one.includes('fold'));

  const fates = prefix.map((message): ReportFate => {
    const text = textOf(message);
    const match = keysOf(message)
      .map((key) => left.get(key))
      .find((one) => one !== undefined);
    if (match === undefined) {
      const outcome = toldBy(told, message);
      return { outcome, tokens: 0 };
    }
    used.add(match);
    const after = textOf(match);
    if (match === message || after === text) return { outcome: 'kept', tokens: tokensOf(match) };
    return { outcome: shortenedHow(text, after, byFolding), tokens: tokensOf(match), after: shown(after) };
  });
  const added = compressed
    .filter((message) => !known.has(message) && !used.has(message))
    .map((message) => reportMessage(message, prefix, tokensOf));
  return { fates, added };
}

/** By which a message is found again: the calls it makes or answers, else what it says. */
function keysOf(message: Message): string[] {
  const ids = partsOf(message).flatMap((part) =>
    part.type === 'tool-call' || part.type === 'tool-result' ? [`${message.role} ${part.toolCallId}`] : [],
  );
  return ids.length > 0 ? ids : [`${message.role} ${textOf(message)}`];
}

const fewestLines = 1;

/** A summary that quotes lines of a message is an excerpt of it. */
function toldBy(told: readonly string[], message: Message): Outcome {
  if (told.length === 0) return 'dropped';
  const lines = textOf(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 12);
  const quoted = lines.filter((line) => told.some((text) => text.includes(line))).length;
  return quoted >= fewestLines ? 'excerpted' : 'summarised';
}

function shortenedHow(before: string, after: string, byFolding: boolean): Outcome {
  const lines = after.split('\n').filter((line) => line.trim().length >= 12);
  const verbatim = lines.filter((line) => before.includes(line)).length;
  if (verbatim === 0) return 'cleared';
  return byFolding && verbatim < lines.length ? 'folded' : 'truncated';
}

function labelOf(message: Message, messages: readonly Message[]): string {
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
  return label.length > labelLength ? `${label.slice(0, labelLength)}…` : label;
}

function callName(call: Parameters<typeof mainArgumentOf>[0]): string {
  return `${call.toolName} ${(mainArgumentOf(call) ?? '').split('\n')[0]}`.trim();
}

function shown(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
