import { type CountTokens, grouped } from '@ctx/bench/measure';
import { type Message, type Part, partsOf } from '@ctx/core';
import { presetFor } from '@ctx/presets';
import { contextAt, type Session } from '@ctx/sessions';
import { labelOf } from '../session/label.js';
import { type AskedWindow, windowOf } from '../session/window.js';
import { providerMeasure } from './provider-measure.js';
import type { Saving } from './savings.js';

/** What fills a window, in the order in which it is shown. */
const kindNames = ['system', 'user', 'assistant', 'reasoning', 'calls', 'results', 'summaries'] as const;
type Kind = (typeof kindNames)[number];

/** A row of the table: what fills the window. */
export interface ContextRow {
  /** `hidden` is what the file does not hold, `form` what providers are expected to count around texts, `free` and `reserve` what is empty. */
  readonly kind: Kind | 'hidden' | 'form' | 'free' | 'reserve';
  readonly name: string;
  readonly tokens: number;
  /** Messages that have something of it. */
  readonly messages?: number;
}

/** Tools with a row of their own; the others share one. */
const toolRows = 8;
/** Rows of the list of large messages. */
const largestShown = 10;

interface AnalyseOptions extends AskedWindow {
  readonly path: string;
  readonly tokensOf: CountTokens;
  /** Number of messages that had been said. @default all */
  readonly at?: number | undefined;
  readonly savings?: readonly Saving[];
}

/** What `ctx context` shows, and prints as JSON. */
export type ContextReport = ReturnType<typeof analyse>;

/** What fills the window at one place of a session. Tokens are the provider's if it reported some, otherwise those counted here. */
export function analyse(session: Session, options: AnalyseOptions) {
  const { tokensOf, at = session.messages.length, savings = [] } = options;
  const { messages, firstSaid, from, compactions } = contextAt(session, at);
  const { window, isWindowAssumed, reserve, model, provider } = windowOf(session, options);
  const measure = providerMeasure(session, at, tokensOf);
  const isCounted = measure === undefined || (measure.hidden === 0 && !measure.isExplained);
  const { overhead, prior } = presetFor({ model, provider });
  const scaled = (tokens: number) => ((isCounted ? prior?.factor : measure.factor) ?? 1) * tokens;
  const holdsPrompt = messages.some(({ role }) => role === 'system');
  const rows = [
    ...(isCounted ? [] : hiddenRow(measure.hidden, holdsPrompt)),
    ...rowsOf(messages, (one) => scaled(tokensOf(one))),
    // Where the provider reported usage, its figures hold them.
    ...(isCounted ? [formRow(messages, scaled(1), { overhead, prior })] : []),
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
    /** Tokens at which the agent last compacted by itself, here or later, if the file says so. */
    compactedAt: session.compactions?.findLast(({ trigger }) => trigger === 'auto')?.tokensBefore,
    used,
    window,
    isWindowAssumed,
    reserve,
    /** Negative if the request is too large. */
    free,
    measuredBy: measure?.isExplained === true ? 'provider' : 'ctx',
    /** By the provider, for its newest request. */
    reported: measure?.reported.tokens,
    rows: [
      ...rows.map((row) => ({ ...row, tokens: Math.round(row.tokens) })),
      { kind: 'free' as const, name: 'free', tokens: Math.max(0, free) },
      { kind: 'reserve' as const, name: 'kept free for the answer', tokens: reserve },
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

/** What a request has besides its texts, as a manager counts it before usage was reported. */
function formRow(
  messages: readonly Message[],
  factor: number,
  { overhead, prior }: Pick<ReturnType<typeof presetFor>, 'overhead' | 'prior'>,
): ContextRow {
  const { message = 0, conversation = 0 } = overhead ?? {};
  const calls = messages.flatMap(partsOf).filter(({ type }) => type === 'tool-call').length;
  const { offset = 0, perToolCall = 0, withTools = 0 } = prior ?? {};
  const marks = factor * (messages.length * message + conversation);
  const tokens = marks + offset + calls * perToolCall + (calls > 0 ? withTools : 0);
  return { kind: 'form', name: 'roles, calls and marks around them', tokens };
}

function rowsOf(messages: readonly Message[], tokensOf: (message: Message) => number): ContextRow[] {
  const pieces = messages.flatMap((from) =>
    piecesOf(from).map(({ kind, tool, message }) => ({ kind, tool, from, tokens: tokensOf(message) })),
  );
  type Pieces = typeof pieces;
  const tokensIn = (some: Pieces) => some.reduce((sum, { tokens }) => sum + tokens, 0);
  const row = (kind: ContextRow['kind'], name: string, some: Pieces): ContextRow => {
    const messages = new Set(some.map(({ from }) => from)).size;
    return { kind, name: names[name] ?? name, tokens: tokensIn(some), messages };
  };
  return kindNames.flatMap((wanted) => {
    const found = pieces.filter(({ kind }) => kind === wanted);
    if (found.length === 0) return [];
    if (wanted !== 'results') return [row(wanted, wanted, found)];
    const byTool = [...grouped(found, ({ tool = 'tools' }) => tool)];
    const tools = byTool.sort(([, a], [, b]) => tokensIn(b) - tokensIn(a));
    const others = tools.slice(toolRows);
    return [
      ...tools.slice(0, toolRows).map(([tool, some]) => row(wanted, `results of ${tool}`, some)),
      ...(others.length === 0
        ? []
        : [
            row(
              wanted,
              `results of ${others.length} other tools`,
              others.flatMap(([, some]) => some),
            ),
          ]),
    ];
  });
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
) {
  return messages
    .map((message, index) => ({ message, index, tokens: tokensOf(message) }))
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, largestShown)
    .map(({ message, index, tokens }) => ({
      /** In the session, from 1; undefined for what the agent put in place of older messages. */
      number: index < firstSaid ? undefined : from + index - firstSaid + 1,
      label: labelOf(message, messages),
      tokens,
    }));
}

/** The parts of a message, each as a message of its own that can be counted; of a result, with what was called. */
export function piecesOf(
  message: Message,
): { readonly kind: Kind; readonly tool?: string; readonly message: Message }[] {
  if (message.summary === true) return [{ kind: 'summaries', message }];
  return partsOf(message).map((part) => ({
    kind: kindOf(part, message),
    ...(part.type === 'tool-result' && { tool: part.toolName }),
    message: { role: message.role, content: [part] } as Message,
  }));
}

function kindOf(part: Part, { role }: Message): Kind {
  switch (part.type) {
    case 'tool-result':
      return 'results';
    case 'tool-call':
      return 'calls';
    case 'reasoning':
      return 'reasoning';
    default:
      return role === 'tool' ? 'results' : role;
  }
}
