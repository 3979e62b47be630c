import type { Steps } from '@ctx/core';
import type { Block } from './sections.js';
import type { TermIndex } from './terms/term-index.js';
import { idNumber } from './terms/token-meaning.js';
import { ageing, agentBonus, userBonus, wordWorth } from './weights.js';

/** Terms that are weighed in a step. */
const stepTerms = 2_000;

/** What is counted of a term. Messages are positions; -1 for none. */
interface Counts {
  messages: number;
  /** The last message that contains it: in any text, in the agent's, in the user's. */
  last: number;
  agent: number;
  user: number;
}

const unused: Counts = { messages: 0, last: -1, agent: -1, user: -1 };

/** Records who uses each term, and how often. */
export class TermUse {
  readonly #counts: Counts[] = [];
  /** The last message that was counted. */
  #newest = 0;

  /** Counts the terms of a unit. */
  add(terms: readonly number[], { message, voice }: Pick<Block, 'message' | 'voice'>): void {
    this.#newest = Math.max(this.#newest, message);
    for (const term of terms) {
      const counts = this.#counts[term] ?? { ...unused };
      this.#counts[term] = counts;
      if (counts.last !== message) counts.messages += 1;
      counts.last = Math.max(counts.last, message);
      if (voice !== 'tool') counts[voice] = Math.max(counts[voice], message);
    }
  }

  /** How many messages contain a term. */
  messagesOf(term: number): number {
    return this.#of(term).messages;
  }

  /** The position of the last message in which somebody used a term; -1 if nobody did. */
  lastBy(voice: 'agent' | 'user', term: number): number {
    return this.#of(term)[voice];
  }

  /**
   * The worth of each term, by id.
   * @param count the number of terms; those after it have been added since
   */
  *weights(terms: TermIndex, count: number): Steps<Float64Array> {
    const weights = new Float64Array(count);
    for (let term = 0; term < weights.length; term += 1) {
      if (term % stepTerms === 0) yield;
      const { messages, last } = this.#of(term);
      if (messages === 0) continue;
      // Words are common in every conversation: who uses one, and how often, says nothing about its worth.
      const worth =
        terms.kind(term) === 'word' ? wordWorth : this.#users(terms, term) * (1 + Math.log2(messages));
      weights[term] = worth * this.#recency(last);
    }
    return weights;
  }

  /** A factor that is larger for what the agent or the user said. Of an id, people may have said only the number at its end. */
  #users(terms: TermIndex, term: number): number {
    const number = terms.kind(term) === 'id' ? terms.find(idNumber(terms.term(term).key) ?? '') : -1;
    const isSaid = (voice: 'agent' | 'user') =>
      Math.max(this.lastBy(voice, term), this.lastBy(voice, number)) >= 0;
    return 1 + (isSaid('agent') ? agentBonus : 0) + (isSaid('user') ? userBonus : 0);
  }

  /** A factor from 0 to 1 that falls with the age of a message: of equals the newest are kept, and the same ones the next time. */
  #recency(message: number): number {
    return 1 / (1 + ageing * Math.log2(1 + this.#newest - message));
  }

  #of(term: number): Counts {
    return this.#counts[term] ?? unused;
  }
}
