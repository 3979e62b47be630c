import { type Message, partsOf } from '@ctx/core';
import { mean } from './averages.js';
import type { BenchSession } from './bench-session.js';
import { CachedCost } from './cached-cost.js';
import type { Candidate } from './candidates/candidate.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { type Fact, factText, ruleText } from './loop/phrases.js';
import { Draw } from './loop/scenario.js';
import { textOf } from './spoken.js';
import { type Table, tableOf, tokensText } from './table.js';

/** One candidate after many compressions of one conversation. */
export interface CycleResult {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  readonly limit: number;
  /** Fewer than were asked for if its views grew far over the limit. */
  readonly compressions: number;
  /** Mean tokens that a compression freed, of the first ten and of the last ten. */
  readonly firstFreed: number;
  readonly lastFreed: number;
  readonly rules: number;
  /** Rules said once at the beginning that are in the last view word for word. */
  readonly rulesKept: number;
  readonly facts: number;
  readonly factsKept: number;
}

interface CycleOptions {
  readonly tokensOf: CountTokens;
  /** Tokens of a request. @default 32000 */
  readonly limit?: number;
  /** @default 100 */
  readonly compressions?: number;
  onStep?(done: number): void;
}

/** How many compressions at the beginning and at the end are compared. */
const compared = 10;
/** A view of as many times the limit is of a candidate that cannot reach it; nothing more is asked of it. */
const hopeless = 2;
/** Messages after which a candidate that hardly compresses is left alone. */
const mostMessages = 100_000;

/**
 * Feeds sessions, joined to one long conversation, to a candidate until it has compressed so often. Undefined for a candidate that can't be
 * replayed, and if there is too little to compress.
 */
export async function measureCycles(
  sessions: readonly BenchSession[],
  candidate: Candidate,
  { tokensOf, limit = 32_000, compressions = 100, onStep }: CycleOptions,
): Promise<CycleResult | undefined> {
  const replayed = candidate.replay?.({ model: {}, limit, tokensOf });
  if (replayed === undefined || candidate.kind === 'control') return undefined;
  const planted = plantedTexts();
  const sent = new CachedCost(tokensOf);
  const freed: number[] = [];
  let [size, seen] = [0, 0];
  let view: readonly Message[] = [];
  for (const message of streamOf(sessions, planted)) {
    if (message.role === 'assistant') {
      view = await replayed.view();
      const tokens = totalTokens(view, tokensOf);
      if (tokens > hopeless * limit) break;
      if (!sent.add(view)) {
        freed.push(size - tokens);
        onStep?.(freed.length / compressions);
        if (freed.length >= compressions) break;
      }
      size = tokens;
    }
    seen += 1;
    if (seen > mostMessages) break;
    replayed.append(message);
    size += tokensOf(message);
  }
  if (freed.length === 0) return undefined;
  return { candidate: candidate.name, kind: candidate.kind, limit, ...figuresOf(freed, view, planted) };
}

function figuresOf(freed: readonly number[], view: readonly Message[], { rules, facts }: Planted) {
  const texts = view.map(textOf);
  const kept = (said: readonly string[]) =>
    said.filter((one) => texts.some((text) => text.includes(one))).length;
  return {
    compressions: freed.length,
    firstFreed: mean(freed.slice(0, compared)),
    lastFreed: mean(freed.slice(-compared)),
    rules: rules.length,
    rulesKept: kept(rules),
    facts: facts.length,
    factsKept: kept(facts),
  };
}

/** What the user said once in a stream and expects to be kept: every text is a message of its own. */
export interface Planted {
  readonly rules: readonly string[];
  readonly facts: readonly string[];
}

/** Rules are said at the beginning; facts one by one, each after so many more messages. */
const ruleCount = 5;
const factCount = 20;
const messagesBetweenFacts = 40;

/** The texts that are planted in every stream. */
export function plantedTexts(): Planted {
  const draw = new Draw(4);
  const fact = (at: number): Fact => ({
    subject: `berth of the ${draw.words(2)} ${at + 1}`,
    value: `${draw.word().slice(0, 2).toUpperCase()}-${draw.below(90_000) + 10_000}`,
  });
  return {
    rules: Array.from({ length: ruleCount }, () => ruleText(`${draw.word()}-${draw.below(900) + 100}`)),
    facts: Array.from({ length: factCount }, (_, at) => factText(fact(at))),
  };
}

/** One endless conversation: the sessions one after the other, again and again, without their system prompts, with the planted texts. */
export function* streamOf(
  sessions: readonly BenchSession[],
  { rules, facts }: Planted,
): Generator<Message, void, undefined> {
  yield { role: 'system', content: 'You are a careful engineer.' };
  for (const content of rules) {
    yield { role: 'user', content };
    yield { role: 'assistant', content: 'Noted.' };
  }
  const waiting = [...facts];
  let since = 0;
  for (const message of endless(sessions)) {
    since += 1;
    const isDue = message.role === 'assistant' && since >= messagesBetweenFacts;
    const content = isDue ? waiting.shift() : undefined;
    if (content !== undefined) {
      since = 0;
      yield { role: 'user', content };
    }
    yield message;
  }
}

function* endless(sessions: readonly BenchSession[]): Generator<Message, void, undefined> {
  if (sessions.every(({ messages }) => messages.length === 0)) return;
  for (let lap = 0; ; lap += 1)
    for (const [index, { messages }] of sessions.entries())
      for (const message of messages)
        if (message.role !== 'system') yield renamed(message, `${lap}-${index}-`);
}

/** A message as another conversation would have it: ids of calls are its own. */
function renamed({ id: _, native: __, ...message }: Message, prefix: string): Message {
  const content = partsOf(message as Message).map((part) =>
    part.type === 'tool-call' || part.type === 'tool-result'
      ? { ...part, toolCallId: `${prefix}${part.toolCallId}` }
      : part,
  );
  return { ...message, content } as Message;
}

/** What many compressions of one conversation leave; no table without results. */
export function cycleTables(results: readonly CycleResult[]): Table[] {
  const [first] = results;
  if (first === undefined) return [];
  const title = `One conversation, compressed again and again under ${tokensText(first.limit)} tokens`;
  const ratio = ({ firstFreed, lastFreed }: CycleResult) =>
    firstFreed <= 0 ? '–' : (lastFreed / firstFreed).toFixed(2);
  return [
    tableOf(title, results, [
      ['candidate', (one) => one.candidate],
      ['compressions', (one) => one.compressions],
      ['freed by the first ten', (one) => Math.round(one.firstFreed)],
      ['freed by the last ten', (one) => Math.round(one.lastFreed)],
      ['last over first', ratio],
      [`of ${first.rules} rules said once`, (one) => one.rulesKept],
      [`of ${first.facts} facts said once`, (one) => one.factsKept],
    ]),
  ];
}
