import type { Candidate } from '../candidates/candidate.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { cutAt } from '../cuts.js';
import { textOf } from '../spoken.js';
import { percent, type Table, tableOf, valuesOf } from '../table.js';
import { type PlantedConversation, type PlantedSet, plantedConversation } from './planted-conversation.js';
import type { PlantedFact } from './repeating.js';

/** Of the facts that belong to a group. */
interface FactCount {
  readonly kept: number;
  readonly all: number;
}

/** One candidate at one share of the tokens, over all conversations. */
export interface PlantedResult {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  readonly set: PlantedSet;
  /** Of the tokens without the system prompt, 0–1: what was asked for, and what was left on average. */
  readonly share: number;
  readonly left: number;
  /** Facts that are in the view word for word. */
  readonly facts: FactCount;
  readonly byTool: FactCount;
  readonly byAssistant: FactCount;
  readonly byUser: FactCount;
  /** Those without a number or an id. */
  readonly plain: FactCount;
}

interface PlantedOptions {
  readonly candidates: readonly Candidate[];
  readonly tokensOf: CountTokens;
  /** @default 15 */
  readonly conversations?: number;
  /** Of the tokens without the system prompt, 0–1. @default [0.235, 0.1, 0.05] */
  readonly shares?: readonly number[];
  onStep?(what: string, done: number): void;
}

/** The first is what planted facts were compressed to by others who published figures. */
const usualShares: readonly number[] = [0.235, 0.1, 0.05];
/** Conversations of 30 facts: one fact of all is less than a quarter of a point. */
const usualConversations = 15;

/** Compresses made conversations, and looks for the facts that were said in them. */
export async function measurePlanted(options: PlantedOptions): Promise<PlantedResult[]> {
  const { shares = usualShares, conversations = usualConversations, onStep } = options;
  const candidates = options.candidates.filter(({ kind }) => kind !== 'control');
  const results: PlantedResult[] = [];
  for (const set of ['repeating', 'varied'] as const) {
    const made = Array.from({ length: conversations }, (_, at) => plantedConversation(at + 1, set));
    for (const candidate of candidates)
      for (const share of shares) {
        onStep?.(
          `${candidate.name}: planted facts`,
          results.length / (2 * candidates.length * shares.length),
        );
        results.push({ ...(await measureOne(candidate, share, made, options.tokensOf)), set });
      }
  }
  return results;
}

async function measureOne(
  candidate: Candidate,
  share: number,
  conversations: readonly PlantedConversation[],
  tokensOf: CountTokens,
): Promise<Omit<PlantedResult, 'set'>> {
  const judged: { readonly fact: PlantedFact; readonly isKept: boolean }[] = [];
  let left = 0;
  for (const { messages, facts } of conversations) {
    const cut = cutAt(messages, messages.length, { tokensOf });
    const { systemTokens, prefixTokens } = cut;
    const budget = systemTokens + Math.floor(prefixTokens * share);
    const compressed = await candidate.compress({ cut, model: {}, budget, tokensOf });
    left +=
      (totalTokens(compressed.messages, tokensOf) - systemTokens) / (prefixTokens * conversations.length);
    const texts = compressed.messages.map(textOf);
    judged.push(...facts.map((fact) => ({ fact, isKept: texts.some((text) => says(text, fact)) })));
  }
  const count = (belongs: (fact: PlantedFact) => boolean): FactCount => {
    const group = judged.filter(({ fact }) => belongs(fact));
    return { kept: group.filter(({ isKept }) => isKept).length, all: group.length };
  };
  return {
    candidate: candidate.name,
    kind: candidate.kind,
    share,
    left,
    facts: count(() => true),
    byTool: count(({ speaker }) => speaker === 'tool'),
    byAssistant: count(({ speaker }) => speaker === 'assistant'),
    byUser: count(({ speaker }) => speaker === 'user'),
    plain: count(({ isPlain }) => isPlain),
  };
}

/** Word for word, as it is or as a string of JSON. */
function says(text: string, { text: fact }: PlantedFact): boolean {
  return text.includes(fact) || text.includes(JSON.stringify(fact).slice(1, -1));
}

const names = { repeating: 'noise that repeats', varied: 'noise of many forms' };

/** What is left of facts that were said once; no table without results. */
export function plantedTables(results: readonly PlantedResult[]): Table[] {
  const [first] = results;
  if (first === undefined) return [];
  const parts = valuesOf(results, ({ set }) => set).flatMap((set) =>
    valuesOf(results, ({ share }) => share).map((share) => ({ set, share })),
  );
  return parts.map(({ set, share }) => {
    const title = `Planted facts in ${names[set]}: ${first.facts.all} said once each, in ${percent(share)} of the tokens`;
    const rows = results.filter((one) => one.set === set && one.share === share);
    return tableOf(title, rows, [
      ['candidate', (one) => one.candidate],
      ['tokens left', (one) => percent(one.left)],
      ['facts', (one) => one.facts.kept],
      ['by a tool', (one) => of(one.byTool)],
      ['by the assistant', (one) => of(one.byAssistant)],
      ['by the user', (one) => of(one.byUser)],
      ['in plain words', (one) => of(one.plain)],
    ]);
  });
}

const of = ({ kept, all }: FactCount) => `${kept} of ${all}`;
