import type { Steps } from '@ctx/core';
import type { Block } from './sections.js';
import type { TermIndex, TermKind } from './terms/index.js';
import { numberOf } from './terms/word-shapes.js';
import {
  ageing,
  agentBonus,
  freshMessages,
  kindWorth,
  mostRarity,
  schemaFrom,
  schemaWorth,
  userBonus,
  usualWordLength,
} from './weights.js';

/** Kinds that are common in every conversation: who uses such a term, and how often, says nothing about its worth. */
const ordinary: ReadonlySet<TermKind> = new Set(['word', 'name']);
/** Terms that are weighed in a step. */
const stepTerms = 2_000;

/** How a term is used. */
export interface Use {
  /** How many messages contain it. */
  readonly messages: number;
  readonly byAgent: boolean;
  readonly byUser: boolean;
}

/** Records who uses each term, how often, and how recently. */
export class TermUse {
  readonly #messages: number[] = [];
  readonly #lastMessage: number[] = [];
  readonly #voices: number[] = [];
  readonly #lastBy = { agent: [] as number[], user: [] as number[], tool: [] as number[] };
  readonly #units: number[] = [];
  readonly #asName: number[] = [];

  /** Counts the terms of a unit. `names` are the terms that occur as names of JSON members. */
  add(
    terms: readonly number[],
    { message, voice }: Pick<Block, 'message' | 'voice'>,
    names: readonly number[] = [],
  ): void {
    for (const term of terms) {
      this.#units[term] = (this.#units[term] ?? 0) + 1;
      this.#voices[term] = (this.#voices[term] ?? 0) | voiceBits[voice];
      this.#lastBy[voice][term] = Math.max(this.#lastBy[voice][term] ?? 0, message);
      if (this.#lastMessage[term] === message) continue;
      this.#messages[term] = (this.#messages[term] ?? 0) + 1;
      this.#lastMessage[term] = Math.max(this.#lastMessage[term] ?? 0, message);
    }
    for (const term of names) this.#asName[term] = (this.#asName[term] ?? 0) + 1;
  }

  of(term: number): Use {
    const voices = this.#voices[term] ?? 0;
    return {
      messages: this.#messages[term] ?? 0,
      byAgent: (voices & voiceBits.agent) !== 0,
      byUser: (voices & voiceBits.user) !== 0,
    };
  }

  /** The position of the last message in which somebody used a term; -1 if nobody did. */
  lastBy(voice: Block['voice'], term: number): number {
    return this.#lastBy[voice][term] ?? -1;
  }

  /**
   * The worth of each term, by id.
   * @param messages the number of messages in the conversation
   * @param count the number of terms; those after it have been added since
   */
  *weights(terms: TermIndex, messages: number, count: number): Steps<Float64Array> {
    const weights = new Float64Array(count);
    for (let term = 0; term < weights.length; term += 1) {
      if (term % stepTerms === 0) yield;
      const uses = this.#messages[term] ?? 0;
      if (uses === 0) continue;
      const { kind, key } = terms.term(term);
      const number = kind === 'id' ? terms.find(numberOf(key) ?? '') : -1;
      const voices = (this.#voices[term] as number) | (this.#voices[number] ?? 0);
      const last = Math.max(this.#lastMessage[term] as number, this.#lastMessage[number] ?? 0);
      const users =
        1 + (voices & voiceBits.agent ? agentBonus : 0) + (voices & voiceBits.user ? userBonus : 0);
      weights[term] =
        kindWorth[kind] *
        (ordinary.has(kind) ? rarity(key) : users * (1 + Math.log2(uses))) *
        recency(messages - last) *
        (this.#isSchema(term) ? schemaWorth : 1);
    }
    return weights;
  }

  #isSchema(term: number): boolean {
    const times = this.#asName[term] ?? 0;
    return times >= schemaFrom && times > (this.#units[term] as number) / 2;
  }
}

/** A factor that is larger for long words, which are rarely everyday words in any language. */
function rarity(word: string): number {
  return Math.min(mostRarity, word.length / usualWordLength);
}

/** A factor from 0 to 1 that falls with the number of messages since the term was last seen. */
function recency(messages: number): number {
  return 1 / (1 + ageing * Math.log2(1 + Math.max(0, messages) / freshMessages));
}

const voiceBits = { agent: 1, user: 2, tool: 4 } as const;

/** A term with who uses it and how often: `parseTokens (agent, 4 messages)`. */
export function describeUse(key: string, { messages, byAgent, byUser }: Use): string {
  const who = [byAgent && 'agent', byUser && 'user'].filter((one) => one !== false);
  const where = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  return `${key} (${[...who, where].join(', ')})`;
}
