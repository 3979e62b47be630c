import type { CompressionLevel } from '../base/compression-level.js';
import { ValidationError } from '../base/errors.js';
import {
  Calibration,
  type CalibrationState,
  type Coefficients,
  type Counted,
  type Learned,
} from '../count/calibrate.js';
import type { Quality } from '../count/count.js';
import { usageBounds } from '../count/usage-bounds.js';
import type { Conversation } from '../view/conversation.js';
import type { View } from '../view/view.js';
import { isSystem } from '../view/view-entry.js';
import type { Budget } from './budget.js';
import { type ContextBudget, contextBudget } from './context-budget.js';
import { levelOf } from './level.js';
import type { CachePrices } from './request-cost.js';
import { firedBy, firingMessages, type Measure } from './trigger.js';

/** What a provider reports with a response. */
export interface Usage {
  /** Tokens of the whole input, cached or not. */
  readonly inputTokens: number;
  /** The model that answered; a report of another than the manager's is not used. */
  readonly model?: string | undefined;
}

/** Plain JSON, for a snapshot. What is optional is missing in older ones. */
export interface MeterState {
  readonly calibration: CalibrationState;
  /** Whether the tokenizer was loaded when something was learned; missing where nothing was. */
  readonly learnedLoaded?: boolean | undefined;
  readonly tools?: string | undefined;
  readonly overpaid?: number | undefined;
  readonly restingMessages?: number | undefined;
  readonly doubt?: string | undefined;
  readonly paidAt?: string | undefined;
  readonly request?: MarkedRequest | undefined;
}

interface MarkedRequest {
  readonly counted: Counted;
  readonly generation: number;
  /** Whether the tokenizer was loaded. */
  readonly loaded: boolean;
}

export type UsageOutcome =
  | { readonly used: true }
  | {
      readonly used: false;
      readonly reason:
        | 'outlier'
        | 'implausible'
        | 'other-model'
        | 'predates-compression'
        | 'no-request'
        | 'aborted';
    };

/** A compression also loses content, so wait until this multiple of its price has been paid for nothing. */
const rewriteFactor = 1.6;
/** A compression by the number of messages gets down to this share of where it starts, as one by tokens does. */
const messageShare = 0.7;
/** What the messages must have grown to, to be worth another try. */
const restGrowthPercent = 110;

/** Measures the next request: counted tokens of view and tools, corrected by what the provider reported. */
export class Meter {
  #calibration: Calibration;
  /** Whether the tokenizer was loaded when something was learned; undefined where nothing was, or it is not known. */
  #learnedLoaded: boolean | undefined;
  #tools = { text: '', tokens: 0, counting: 0 };
  #overpaid = 0;
  #restingMessages = 0;
  #doubt: string | undefined;
  #paidAt: string | undefined;
  #request: MarkedRequest | undefined;
  #isTold = false;

  constructor(
    readonly conversation: Conversation,
    readonly budget: Budget,
    readonly settings: {
      readonly overhead: { readonly conversation: number };
      readonly prior: Coefficients;
      readonly prices: CachePrices;
    },
  ) {
    this.#calibration = this.#newCalibration();
  }

  /** What was learned from estimates is forgotten once the tokenizer is loaded. */
  get calibration(): Calibration {
    if (this.#learnedLoaded === false && this.conversation.counter.loaded) {
      this.#calibration = this.#newCalibration();
      this.#learnedLoaded = undefined;
    }
    return this.#calibration;
  }

  get state(): MeterState {
    return {
      calibration: this.calibration.toJSON(),
      learnedLoaded: this.#learnedLoaded,
      tools: this.#tools.text === '' ? undefined : this.#tools.text,
      overpaid: this.#overpaid,
      restingMessages: this.#restingMessages,
      doubt: this.#doubt,
      ...(this.#isTold ? { paidAt: this.#paidAt, request: this.#request } : {}),
    };
  }

  /** Takes over what another manager knew, but for the tools. */
  resume(state: MeterState): void {
    this.#calibration = this.#newCalibration(state.calibration);
    this.#learnedLoaded = state.learnedLoaded;
    this.#overpaid = state.overpaid ?? 0;
    this.#restingMessages = state.restingMessages ?? 0;
    this.#doubt = state.doubt;
    this.#paidAt = state.paidAt;
    this.#request = state.request;
    this.#isTold = state.request !== undefined;
  }

  #newCalibration(state?: CalibrationState): Calibration {
    const { prior } = this.settings;
    const { contextWindow } = this.budget;
    return new Calibration(prior, (counted) => usageBounds(counted, prior, contextWindow), state);
  }

  /** Why reported usage is not believed, where the last of it was not. */
  get doubt(): string | undefined {
    return this.#doubt;
  }

  get toolTokens(): number {
    const { counting } = this.conversation;
    if (this.#tools.counting !== counting) this.#tools = this.#countedTools(this.#tools.text);
    return this.#tools.tokens;
  }

  /** Tokens of a request besides its messages, as counted here. */
  get fixedTokens(): number {
    return this.#tokensBeside(this.conversation.view.marker?.tokens ?? 0);
  }

  get quality(): Quality {
    if (this.calibration.samples > 0) return 'calibrated';
    const { counter, view } = this.conversation;
    return counter.exact && view.estimates === 0 && isIdentity(this.settings.prior) ? 'exact' : 'estimated';
  }

  get level(): CompressionLevel {
    return levelOf(this.measure().tokens, this.budget.contextWindow, this.budget.thresholds);
  }

  /** @param text the definitions as JSON */
  setTools(text: string): void {
    this.#tools = this.#countedTools(text);
  }

  #countedTools(text: string) {
    return { text, tokens: this.conversation.counter.text(text), counting: this.conversation.counting };
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
    const overpaid = this.#overpaid / Math.max(1, rewriteFactor * rewrite);
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
      .reduce((sum, entry) => sum + entry.tokens, this.toolTokens);
    const usedTokens = Math.max(0, tokens - systemTokens);
    return contextBudget({ contextWindow, reservedTokens, systemTokens, usedTokens });
  }

  /**
   * How many messages the view is to get down to, where the trigger would fire again at the target because of their number: seven
   * tenths of where it does.
   */
  get messageGoal(): number | undefined {
    const tokens = Math.min(this.measure().tokens, this.budget.target);
    const start = firingMessages(this.budget.trigger, { ...this.#decisive(), tokens, overpaid: 0 });
    return start === undefined ? undefined : Math.max(1, Math.floor(start * messageShare));
  }

  /** Messages that did not leave are no reason to try again, until a tenth more have come. */
  restOnMessages(): void {
    this.#restingMessages = this.conversation.view.entries.length;
  }

  forgetRest(): void {
    this.#restingMessages = 0;
  }

  #decisive(): Measure {
    const measure = this.measure();
    const isResting = measure.messages * 100 < this.#restingMessages * restGrowthPercent;
    return isResting ? { ...measure, messages: 0 } : measure;
  }

  /** Why to compress now, if there is a reason. A window that is full is always one. */
  reasonToCompress(): string | undefined {
    const measure = this.#decisive();
    return firedBy(this.budget.trigger, measure) ?? firedBy({ fraction: 1 }, measure);
  }

  /** How many counted tokens the view's messages may have, for a request of so many tokens in the provider's measure. */
  viewTokensFor(requestTokens: number, view: View = this.conversation.view): number {
    const beside = this.#tokensBeside(this.conversation.markerAllowance);
    const like = { tokens: view.tokens + beside, toolCalls: view.toolCalls };
    return Math.max(0, this.calibration.countedFor(requestTokens, like) - beside);
  }

  /** The most counted tokens that the messages of a view with as many calls may have, to fit the window for certain. */
  viewTokensWithin(contextWindow: number, view: View = this.conversation.view): number {
    const beside = this.#tokensBeside(this.conversation.markerAllowance);
    return Math.max(0, this.calibration.countedWithin(contextWindow, view) - beside);
  }

  #tokensBeside(marker: number): number {
    return this.toolTokens + this.settings.overhead.conversation + marker;
  }

  /** True once the host has said when a request is sent; until then it is taken to send each view that it looks at. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** Remembers that a request is being sent with the view as it is. Asking for the same view twice makes one request. */
  markRequest(isTold: boolean): void {
    this.#isTold ||= isTold;
    const { content, counter, generation } = this.conversation;
    if (this.#paidAt !== content) {
      const beyond = Math.max(0, this.measure().tokens - this.budget.target);
      this.#overpaid += this.settings.prices.cacheRead * beyond;
      this.#paidAt = content;
    }
    this.#request = { counted: this.counted(), generation, loaded: counter.loaded };
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
    const { loaded } = this.conversation.counter;
    if (this.#request?.loaded !== loaded) return { used: false, reason: 'no-request' };
    if (this.#request.generation !== this.conversation.generation)
      return { used: false, reason: 'predates-compression' };
    const learned = this.calibration.learn(this.#request.counted, inputTokens);
    this.#learnedLoaded = loaded;
    this.#doubt = doubtOf(learned, inputTokens, this.#request.counted.tokens, this.#calibration.isErratic);
    return learned === 'used' ? { used: true } : { used: false, reason: learned };
  }
}

function doubtOf(
  learned: Learned,
  reported: number,
  counted: number,
  isErratic: boolean,
): string | undefined {
  if (learned === 'used') return undefined;
  const figures = `The usage reported last, ${reported} tokens where ${counted} were counted, is not used`;
  if (learned === 'implausible' && reported < counted) {
    return `${figures}: too few. Cached input tokens are probably missing: report those read from the cache and written to it too.`;
  }
  if (learned === 'implausible') return `${figures}: too many. Is it the input of one request, in tokens?`;
  return isErratic
    ? `${figures}, and nothing is learned from the last reports: they contradict one another.`
    : undefined;
}

function isIdentity({ offset, factor, perToolCall }: Coefficients): boolean {
  return offset === 0 && factor === 1 && perToolCall === 0;
}
