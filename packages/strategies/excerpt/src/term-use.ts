import type { Steps } from '@ctx/core';
import { grown } from './array-growth.js';
import type { Block } from './sections.js';
import type { TermKind } from './terms/term.js';
import type { TermIndex } from './terms/term-index.js';
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

/** Columns of a term. A message is its position plus 1, so that 0 is none. */
const width = 6;
/** How many messages contain the term. */
const messagesColumn = 0;
/** The last message that contains it: in any text, in the agent's, in the user's. */
const lastColumn = 1;
const lastByColumn = { agent: 2, user: 3 } as const;
/** How many units contain it, and in how many it is a name of a JSON member. */
const unitsColumn = 4;
const asNameColumn = 5;

/** Terms for which there is room at first. */
const roomAtFirst = 64;

/** Records who uses each term, how often, and how recently. */
export class TermUse {
  /** A term's figures are side by side, because they are counted together. */
  #rows = new Int32Array(roomAtFirst * width);

  /** Counts the terms of a unit. `names` are the terms that occur as names of JSON members. */
  add(
    terms: readonly number[],
    { message, voice }: Pick<Block, 'message' | 'voice'>,
    names: readonly number[] = [],
  ): void {
    const number = message + 1;
    const lastBy = voice === 'tool' ? lastColumn : lastByColumn[voice];
    for (const term of terms) {
      const row = this.#rowFor(term);
      const rows = this.#rows;
      if (rows[row + lastColumn] !== number) rows[row + messagesColumn] = this.#at(row, messagesColumn) + 1;
      rows[row + lastColumn] = Math.max(this.#at(row, lastColumn), number);
      rows[row + lastBy] = Math.max(this.#at(row, lastBy), number);
      rows[row + unitsColumn] = this.#at(row, unitsColumn) + 1;
    }
    for (const term of names) {
      const row = this.#rowFor(term);
      this.#rows[row + asNameColumn] = this.#at(row, asNameColumn) + 1;
    }
  }

  of(term: number): Use {
    const row = term * width;
    return {
      messages: this.#at(row, messagesColumn),
      byAgent: this.#at(row, lastByColumn.agent) > 0,
      byUser: this.#at(row, lastByColumn.user) > 0,
    };
  }

  /** The position of the last message in which somebody used a term; -1 if nobody did. */
  lastBy(voice: 'agent' | 'user', term: number): number {
    return this.#at(term * width, lastByColumn[voice]) - 1;
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
      const row = term * width;
      const uses = this.#at(row, messagesColumn);
      if (uses === 0) continue;
      const kind = terms.kind(term);
      const number = kind === 'id' ? terms.find(numberOf(terms.term(term).key) ?? '') : -1;
      const last = (column: number) =>
        Math.max(this.#at(row, column), number < 0 ? 0 : this.#at(number * width, column));
      const users =
        1 + (last(lastByColumn.agent) > 0 ? agentBonus : 0) + (last(lastByColumn.user) > 0 ? userBonus : 0);
      weights[term] =
        kindWorth[kind] *
        (ordinary.has(kind) ? rarity(terms.keyLength(term)) : users * (1 + Math.log2(uses))) *
        recency(messages - (last(lastColumn) - 1)) *
        (this.#isSchema(row) ? schemaWorth : 1);
    }
    return weights;
  }

  #isSchema(row: number): boolean {
    const times = this.#at(row, asNameColumn);
    return times >= schemaFrom && times > this.#at(row, unitsColumn) / 2;
  }

  /** A figure; 0 for a term that nobody has used. */
  #at(row: number, column: number): number {
    return this.#rows[row + column] ?? 0;
  }

  /** The row of a term, made if there is none. */
  #rowFor(term: number): number {
    const row = term * width;
    if (row + width > this.#rows.length) this.#rows = grown(this.#rows, row + width);
    return row;
  }
}

/** A factor that is larger for long words, which are rarely everyday words in any language. */
function rarity(length: number): number {
  return Math.min(mostRarity, length / usualWordLength);
}

/** A factor from 0 to 1 that falls with the number of messages since the term was last seen. */
function recency(messages: number): number {
  return 1 / (1 + ageing * Math.log2(1 + Math.max(0, messages) / freshMessages));
}

/** A term with who uses it and how often: `parseTokens (agent, 4 messages)`. */
export function describeUse(key: string, { messages, byAgent, byUser }: Use): string {
  const who = [byAgent && 'agent', byUser && 'user'].filter((one) => one !== false);
  const where = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  return `${key} (${[...who, where].join(', ')})`;
}
