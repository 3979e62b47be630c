import {
  type CompressionStrategy,
  compressLightly,
  estimateTokens,
  type LightOutcome,
} from '@ctx/core/light';
import { planOldestRemoval } from '@ctx/strategy-oldest-removal/plan';
import { defaultOptions, planRelevance } from '@ctx/strategy-relevance/plan';
import { planToolResults } from '@ctx/strategy-tool-results/plan';
import { agentTexts } from './agent-texts.js';
import { messagesOf, type Row, rowsOfMessages } from './rows.js';

/** The share of the conversation that stays; see docs/results.md. */
const share = 0.4;
/** Tokens that stay if this is not more than half of the conversation: less is no working set. */
const workingSet = 10_000;
/** A cut that saves less than this is left to Claude Code: after three of them it ends the turn. */
const leastSaved = 0.2;
/** Ms that a strategy may take; Claude Code waits 10 s for all. From the originals, what is sent comes after it. */
const [timeoutMs, originalsMs] = [8_000, 4_500];
/** Ms that everything but the slowest strategy takes, and those from which on another attempt may end in time. Limits. */
const [besideMs, leastMs] = [2_000, 3_000];
/** Originals that are larger than what is sent by less than this would fail again for want of time. */
const muchMore = 1.3;
/** Ms after which the worker's heartbeat is answered. */
const sliceMs = 200;

const strategies: readonly CompressionStrategy[] = [
  {
    name: 'tool-results',
    emits: ['replace'],
    partial: true,
    plan: (context) =>
      context.inSlices(
        planToolResults(context, {
          agent: 'claude-code',
          reads: { keep: 5, rangeAware: false },
          terminal: { olderThanMinutes: 15, keepNewest: 5 },
          duplicates: { includeReads: true },
          superseded: false,
          giants: { share: 0.3, headShare: 0.5, keepJson: false },
          errorPrefixes: ['Error:', '<tool_use_error>'],
          clearAtLeast: 0,
        }),
      ),
  },
  {
    name: 'relevance',
    emits: ['merge', 'drop', 'replace'],
    plan: (context) => context.inSlices(planRelevance(context, defaultOptions)),
  },
  {
    name: 'oldest-removal',
    emits: ['drop'],
    plan: (context) => context.inSlices(planOldestRemoval(context, {})),
  },
];

/** What Claude Code says of the request. Tokens. */
export interface Usage {
  /** Where Claude Code compacts by itself. */
  readonly threshold: number;
  /** Of the whole request. */
  readonly tokens: number;
  /** Of the conversation in it, where it is known. */
  readonly messages?: number | undefined;
}

export interface CompactOptions {
  readonly usage: Usage | undefined;
  /** The rows as they are sent now; default: those to compact. */
  readonly sent?: readonly Row[] | undefined;
  /** Whether shortened texts name handles under which `recall` finds them. */
  readonly handles?: boolean | undefined;
  /** What the person wrote after `/compact`. */
  readonly focus?: string | undefined;
  /** The most tokens that may stay: above it the task is shortened, too. @default as many as there are */
  readonly mostTokens?: number | undefined;
  /** Ms since epoch. */
  readonly now: number;
  /** Ms that the host still waits. @default without an end */
  readonly left?: (() => number) | undefined;
  /** Resolves after the host was served. */
  readonly pause?: (() => unknown) | undefined;
  /** @default the timer of the runtime */
  readonly wait?: ((ms: number, then: () => void) => () => void) | undefined;
}

/** What a compaction did. Tokens are as Claude Code counts, as far as it said so. */
export interface Report {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  /** What each stage did, in words. */
  readonly did: readonly string[];
  /** The failure of a stage, for which the others stood in. */
  readonly failed: string | undefined;
}

export interface Compacted {
  /** Undefined if too little would be saved. */
  readonly rows: readonly Row[] | undefined;
  readonly report: Report;
}

/** Tokens of all that was said from which on there is no time for it: what is sent is compacted instead. A limit. */
const mostOriginals = 400_000;

/** Compacts rows, without asking a model. The input is not changed. If the originals take too long, what is sent is compacted. */
export async function compact(given: readonly Row[], options: CompactOptions): Promise<Compacted> {
  const { usage, sent = given, focus = '', pause, left = () => Number.POSITIVE_INFINITY } = options;
  const estimated = estimateRows(sent);
  const originals = given === sent ? estimated : estimateRows(given);
  if (given !== sent && originals > mostOriginals) return compact(sent, { ...options, handles: false });
  const told = messagesOf(given);
  const factor = factorOf(usage, estimated);
  const tokensBefore = Math.ceil(estimated * factor);
  const focused = focus.trim() === '' ? undefined : ({ role: 'user', content: focus } as const);
  const outcome = await compressLightly(focused ? [...told.messages, focused] : told.messages, {
    strategies,
    targetTokens: targetOf(usage, tokensBefore),
    maxTokens: options.mostTokens ?? Math.max(tokensBefore, workingSet),
    counter: { count: (text) => Math.ceil(estimateTokens(text) * factor) },
    now: options.now,
    slices: pause === undefined ? { sliceMs: Number.POSITIVE_INFINITY } : { sliceMs, pause },
    handles: options.handles,
    withoutTask: {
      isAgentText: (text) => agentTexts.some((one) => text.startsWith(one)),
      isNod: () => false,
    },
    timeoutMs: Math.min(originals > estimated * muchMore ? originalsMs : timeoutMs, left() - besideMs),
    wait: options.wait,
  });
  const failed = failureIn(outcome);
  if (given !== sent && failed !== undefined && left() >= leastMs)
    return compact(sent, { ...options, handles: false });
  const staying = outcome.messages.filter((message) => message !== focused);
  const after = rowsOfMessages(staying, told);
  const tokensAfter = Math.ceil(estimateRows(after) * factor);
  const report = {
    tokensBefore,
    tokensAfter,
    rowsBefore: sent.length,
    rowsAfter: after.length,
    did: didOf(outcome),
    failed,
  };
  return { rows: tokensAfter > tokensBefore * (1 - leastSaved) ? undefined : after, report };
}

/** Tokens that the conversation may have: at most what brings the request down to half of where Claude Code compacts, but for what must fit. */
function targetOf(usage: Usage | undefined, tokens: number): number {
  const wanted = Math.max(tokens * share, Math.min(workingSet, tokens / 2));
  if (usage === undefined) return wanted;
  const fixed = Math.max(0, usage.tokens - tokens);
  const room = usage.threshold - fixed;
  return Math.max(Math.min(wanted, Math.max(usage.threshold / 2 - fixed, room * leastShare)), leastTarget);
}

/**
 * Tools and system prompt may take more than half of the threshold. With less than this share of the rest, or fewer tokens, an agent that
 * edits 24 files forgets which are done: at 3,000 of 17,000 tokens it took 195 turns instead of 49.
 */
const [leastShare, leastTarget] = [0.25, 4_000];
/** Limits of the factor: outside them the figures are not about the same rows. */
const [leastFactor, mostFactor] = [0.7, 2];
/** Tokens as o200k counts them, by the estimate, over nine sessions of ours. */
const usualFactor = 1.2;

/** What estimates are multiplied by to be tokens as the provider counts them. */
function factorOf(usage: Usage | undefined, estimated: number): number {
  if (usage?.messages === undefined || estimated === 0) return usualFactor;
  return Math.min(mostFactor, Math.max(leastFactor, usage.messages / estimated));
}

/** Tokens of a row, a call and a result besides their texts. */
const [rowTokens, callTokens, resultTokens] = [4, 12, 8];

function estimateRows(rows: readonly Row[]): number {
  let tokens = 0;
  for (const { text, toolUses, toolResults = [] } of rows) {
    tokens += rowTokens + estimateTokens(text);
    for (const { input } of toolUses) tokens += callTokens + estimateTokens(JSON.stringify(input));
    for (const result of toolResults) tokens += resultTokens + estimateTokens(result.text);
  }
  return tokens;
}

/** The first failure of a stage, without what only its developers can do about it. */
function failureIn({ stages }: LightOutcome): string | undefined {
  const { strategy, error } = stages.find((stage) => stage.error !== undefined) ?? {};
  if (error === undefined) return undefined;
  const [, limit] = /took longer than (\d+) ms/.exec(error) ?? [];
  if (limit === undefined) return `${strategy}: ${error}`;
  return `${strategy} took longer than ${(Number(limit) / 1_000).toFixed(1)} s`;
}

function didOf({ stages, reason }: LightOutcome): string[] {
  const did = stages.flatMap(({ strategy, edits, error }) => {
    if (error !== undefined) return `${strategy} failed: ${error}`;
    return edits > 0 ? `${strategy}: ${edits} edits` : [];
  });
  return reason === undefined ? did : [...did, reason];
}
