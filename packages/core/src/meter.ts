import type { Budget } from './budget.js';
import { Calibration, type Coefficients, type Counted } from './calibrate.js';
import { type ContextBudget, contextBudget } from './context-budget.js';
import type { Conversation } from './conversation.js';
import { ValidationError } from './errors.js';
import { jsonText } from './json.js';
import { type CompressionLevel, levelOf } from './level.js';
import type { Quality } from './outcome.js';
import type { CachePrices } from './request-cost.js';
import { firedBy, type Measure } from './trigger.js';
import type { View } from './view.js';
import { isSystem } from './view-entry.js';

/** What a provider reports with a response. */
export interface Usage {
  /** Tokens of the whole input, cached or not. */
  readonly inputTokens: number;
  /** The model that answered; a report of another than the manager's is not used. */
  readonly model?: string | undefined;
}

export type UsageOutcome =
  | { readonly used: true }
  | {
      readonly used: false;
      readonly reason: 'outlier' | 'other-model' | 'predates-compression' | 'no-request' | 'aborted';
    };

/** A compression loses something besides what it costs: it waits until so many times its price was paid for nothing. */
const patience = 1.6;

/** Measures the next request: counted tokens of view and tools, corrected by what the provider reported. */
export class Meter {
  calibration: Calibration;
  #toolTokens = 0;
  #overpaid = 0;
  #paidAt: string | undefined;
  #request: { readonly counted: Counted; readonly generation: number } | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly budget: Budget,
    readonly settings: {
      readonly overhead: { readonly conversation: number };
      readonly prior: Coefficients;
      readonly prices: CachePrices;
    },
  ) {
    this.calibration = new Calibration(settings.prior);
  }

  get toolTokens(): number {
    return this.#toolTokens;
  }

  /** Tokens of a request besides its messages, as counted here. */
  get fixedTokens(): number {
    return (
      this.#toolTokens + this.settings.overhead.conversation + (this.conversation.view.marker?.tokens ?? 0)
    );
  }

  get quality(): Quality {
    if (this.calibration.samples > 0) return 'calibrated';
    return this.conversation.counter.exact && this.conversation.view.estimates === 0 ? 'exact' : 'estimated';
  }

  get level(): CompressionLevel {
    return levelOf(this.measure().tokens, this.budget.contextWindow, this.budget.thresholds);
  }

  setTools(tools: unknown): void {
    this.#toolTokens = this.conversation.counter.text(jsonText(tools));
  }

  counted(): Counted {
    const { tokens, toolCalls } = this.conversation.view;
    return { tokens: tokens + this.fixedTokens, toolCalls };
  }

  measure(): Measure {
    const { contextWindow, allowedTokens } = this.budget;
    const tokens = this.calibration.predict(this.counted());
    const { target } = this.budget;
    const rewrite = this.settings.prices.cacheWrite * target;
    const overpaid = this.#overpaid / Math.max(1, patience * rewrite);
    return {
      tokens,
      messages: this.conversation.view.entries.length,
      contextWindow,
      allowedTokens,
      overpaid,
    };
  }

  /** The system prompt and the tools are taken as counted, and whatever else a request has belongs to the conversation. */
  contextBudget(reservedTokens: number): ContextBudget {
    const { tokens, contextWindow } = this.measure();
    const systemTokens = this.conversation.view.entries
      .filter(isSystem)
      .reduce((sum, entry) => sum + entry.tokens, this.#toolTokens);
    const usedTokens = Math.max(0, tokens - systemTokens);
    return contextBudget({ contextWindow, reservedTokens, systemTokens, usedTokens });
  }

  /** Why to compress now, if there is a reason. A window that is full is always one. */
  reasonToCompress(): string | undefined {
    const measure = this.measure();
    return firedBy(this.budget.trigger, measure) ?? firedBy({ fraction: 1 }, measure);
  }

  /** How many counted tokens the view's messages may have, for a request of so many tokens in the provider's measure. */
  viewTokensFor(requestTokens: number, view: View = this.conversation.view): number {
    const beside = this.#tokensBeside(this.conversation.markerAllowance);
    const like = { tokens: view.tokens + beside, toolCalls: view.toolCalls };
    return Math.max(0, this.calibration.countedFor(requestTokens, like) - beside);
  }

  #tokensBeside(marker: number): number {
    return this.#toolTokens + this.settings.overhead.conversation + marker;
  }

  /** Remembers that a request is being sent with the view as it is. Asking for the same view twice makes one request. */
  markRequest(): void {
    const { revision } = this.conversation;
    if (this.#paidAt !== revision) {
      const beyond = Math.max(0, this.measure().tokens - this.budget.target);
      this.#overpaid += this.settings.prices.cacheRead * beyond;
      this.#paidAt = revision;
    }
    this.#request = { counted: this.counted(), generation: this.conversation.generation };
  }

  /** A compression has been paid: what requests cost beyond the target counts anew. */
  forgetOverpaid(): void {
    this.#overpaid = 0;
  }

  /** @throws ValidationError `usage-invalid` */
  report({ inputTokens, model }: Usage, ownModel: string | undefined): UsageOutcome {
    if (!Number.isFinite(inputTokens) || inputTokens < 0) {
      throw new ValidationError({
        code: 'usage-invalid',
        problem: 'Usage must be a number of tokens',
        place: 'usage.inputTokens',
        value: inputTokens,
        remedy: 'Pass the input tokens of the response, cached ones included.',
      });
    }
    if (inputTokens === 0) return { used: false, reason: 'aborted' };
    if (model !== undefined && ownModel !== undefined && model !== ownModel)
      return { used: false, reason: 'other-model' };
    if (this.#request === undefined) return { used: false, reason: 'no-request' };
    if (this.#request.generation !== this.conversation.generation)
      return { used: false, reason: 'predates-compression' };
    const learned = this.calibration.learn(this.#request.counted, inputTokens);
    return learned === 'used' ? { used: true } : { used: false, reason: learned };
  }
}
