import type { Edit, PlanContext } from '@ctx/core';
import type { Use } from './use.js';

/** The rule that made an edit. */
export type RuleName = 'reads' | 'terminal' | 'duplicates' | 'superseded' | 'giants';

/** What a rule that clears is given. */
export interface ClearingRules {
  readonly placeholder: string;
  readonly errorPrefixes: readonly string[];
  /** Placeholders of results that were cleared before. */
  readonly cleared: ReadonlySet<unknown>;
}

/** Collects the edits of all rules. A result is edited at most once, and only if that makes it smaller. */
export class Clearing {
  readonly #edits = new Map<Use, Edit<'replace'>>();
  readonly #counts = new Map<RuleName, number>();
  readonly #tokens = new Map<string, number>();
  freed = 0;

  constructor(readonly context: PlanContext) {}

  get edits(): readonly Edit<'replace'>[] {
    return [...this.#edits.values()];
  }

  /** The number of edits of each rule. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  isCleared(use: Use): boolean {
    return this.#edits.has(use);
  }

  /** Replaces a result. Returns false if the result must not change, a rule has already edited it, or it would not become smaller. */
  replace(use: Use, text: string, rule: RuleName, reason: string): boolean {
    if (use.message.pinned || this.#edits.has(use) || text === use.text) return false;
    const { context } = this;
    const saved = context.tokensOf(use.text) - this.#tokensOf(text);
    if (saved <= 0) return false;
    this.#edits.set(use, { type: 'replace', message: use.message.id, part: use.part, text, reason });
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    this.freed += saved;
    return true;
  }

  /** Counts a text once, because the same placeholders are used again and again. */
  #tokensOf(text: string): number {
    const known = this.#tokens.get(text) ?? this.context.tokensOf(text);
    this.#tokens.set(text, known);
    return known;
  }
}
