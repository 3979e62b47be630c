import type { CountTokens } from '@ctx/bench/measure';
import type { Message, ModelId } from '@ctx/core';
import { presetFor } from '@ctx/presets';
import { contextAt, type Session } from '@ctx/sessions';
import { labelOf } from '../session/label.js';
import { type AskedWindow, windowOf } from '../session/window.js';
import { kindNames, piecesOf } from './kinds.js';
import { providerMeasure } from './provider-measure.js';
import type { ContextReport, ContextRow, LargeMessage } from './report.js';
import type { Saving } from './savings.js';

/** Tools with a row of their own; the others share one. */
const toolRows = 8;
/** Rows of the list of large messages. */
const largestShown = 10;

export interface AnalyseOptions extends AskedWindow {
  readonly path: string;
  readonly tokensOf: CountTokens;
  /** Number of messages that had been said. @default all */
  readonly at?: number | undefined;
  readonly savings?: readonly Saving[];
}

/** What fills the window at one place of a session. */
export function analyse(session: Session, options: AnalyseOptions): ContextReport {
  const { tokensOf, at = session.messages.length, savings = [] } = options;
  const { messages, firstSaid, from, compactions } = contextAt(session, at);
  const { window, isWindowAssumed, reserve, model, provider } = windowOf(session, options);
  const measure = providerMeasure(session, at, tokensOf);
  const scaled = (tokens: number) => (measure?.factor ?? 1) * tokens;
  const holdsPrompt = messages.some(({ role }) => role === 'system');
  const rows = [
    ...hiddenRow(measure?.hidden, holdsPrompt),
    ...rowsOf(messages, (one) => scaled(tokensOf(one))),
    // Where the provider reported usage, its figures hold them.
    ...(measure === undefined ? [formRow(messages, { model, provider })] : []),
  ];
  const used = Math.round(rows.reduce((sum, { tokens }) => sum + tokens, 0));
  const free = window - reserve - used;
  return {
    id: session.id,
    path: options.path,
    format: session.format,
    provider,
    model,
    at,
    said: session.messages.length,
    messages: messages.length,
    compactions,
    compactedAt: session.compactions?.findLast(({ trigger }) => trigger === 'auto')?.tokensBefore,
    used,
    window,
    isWindowAssumed,
    reserve,
    free,
    measuredBy: measure === undefined ? 'ctx' : 'provider',
    reported: measure?.reported.tokens,
    rows: [
      ...rows.map((row) => ({ ...row, tokens: Math.round(row.tokens) })),
      { kind: 'free', name: 'free', tokens: Math.max(0, free) },
      { kind: 'reserve', name: 'kept free for the answer', tokens: reserve },
    ],
    largest: largestOf(messages, (one) => Math.round(scaled(tokensOf(one))), { firstSaid, from }),
    savings,
    skipped: session.skipped.length,
  };
}

/** What the provider counted and the file does not hold. */
function hiddenRow(tokens: number | undefined, holdsPrompt: boolean): ContextRow[] {
  const what = holdsPrompt ? 'tools' : 'system prompt, tools';
  return tokens === undefined || tokens <= 0
    ? []
    : [{ kind: 'hidden', name: `${what}: not in the file`, tokens }];
}

/** What a request has besides its texts, as a manager counts it. */
function formRow(messages: readonly Message[], id: ModelId): ContextRow {
  const { message = 0, conversation = 0 } = presetFor(id).overhead ?? {};
  const tokens = messages.length * message + conversation;
  return { kind: 'form', name: 'roles and marks of messages', tokens };
}

function rowsOf(messages: readonly Message[], tokensOf: (message: Message) => number): ContextRow[] {
  const sums = new Map<
    string,
    { kind: ContextRow['kind']; tool?: string; tokens: number; messages: Set<Message> }
  >();
  for (const message of messages) {
    for (const { kind, tool, message: piece } of piecesOf(message)) {
      const key = `${kind} ${tool ?? ''}`;
      const sum = sums.get(key) ?? {
        kind,
        ...(tool !== undefined && { tool }),
        tokens: 0,
        messages: new Set(),
      };
      sum.tokens += tokensOf(piece);
      sum.messages.add(message);
      sums.set(key, sum);
    }
  }
  const byKind = (wanted: ContextRow['kind']) =>
    [...sums.values()].filter(({ kind }) => kind === wanted).sort((a, b) => b.tokens - a.tokens);
  return kindNames.flatMap((kind) => {
    const found = byKind(kind);
    if (kind !== 'results') return found.map((one) => row(kind, kind, one));
    const others = found.slice(toolRows);
    const own = found
      .slice(0, toolRows)
      .map((one) => row('results', `results of ${one.tool ?? 'tools'}`, one));
    if (others.length === 0) return own;
    const messagesOfOthers = new Set(others.flatMap((one) => [...one.messages]));
    const tokens = others.reduce((sum, one) => sum + one.tokens, 0);
    return [
      ...own,
      row('results', `results of ${others.length} other tools`, { tokens, messages: messagesOfOthers }),
    ];
  });
}

function row(
  kind: ContextRow['kind'],
  name: string,
  { tokens, messages }: { readonly tokens: number; readonly messages: ReadonlySet<Message> },
): ContextRow {
  return { kind, name: names[name] ?? name, tokens, messages: messages.size };
}

/** How kinds are called in the table, if not by their own word. */
const names: Readonly<Record<string, string>> = {
  system: 'system prompt',
  calls: 'tool calls',
  summaries: 'summaries by the agent',
};

function largestOf(
  messages: readonly Message[],
  tokensOf: (message: Message) => number,
  { firstSaid, from }: { readonly firstSaid: number; readonly from: number },
): LargeMessage[] {
  return messages
    .map((message, index) => ({ message, index, tokens: tokensOf(message) }))
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, largestShown)
    .map(({ message, index, tokens }) => ({
      number: index < firstSaid ? undefined : from + index - firstSaid + 1,
      label: labelOf(message, messages),
      tokens,
    }));
}
