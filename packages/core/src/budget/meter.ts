import type { CompressionLevel } from '../base/compression-level.js';
import type { Steps } from '../base/slices.js';
import { Calibration, type CalibrationState } from '../count/calibrate.js';
import {
  type Coefficients,
  type Counted,
  coefficientsOf,
  type Prior,
  usageBounds,
} from '../count/coefficients.js';
import type { Quality } from '../count/count.js';
import type { Conversation } from '../view/conversation.js';
import { isSystem, openingTokens } from '../view/view-entry.js';
import { type Budget, levelOf } from './budget.js';
import { type ContextBudget, contextBudget } from './context-budget.js';
import { Overpaid, type OverpaidState } from './overpaid.js';
import { noTools, PromptCache, type PromptCacheState } from './prompt-cache.js';
import type { CachePrices } from './request-cost.js';
import { Spending, type SpentState } from './spending.js';
import { firedBy, type Measure } from './trigger.js';
import { doubtOf, isSameModel, refuseUsage, type Usage, type UsageOutcome } from './usage-report.js';

/** The state of the meter as plain JSON, for a snapshot. */
export interface MeterState extends PromptCacheState, OverpaidState {
  readonly calibration: CalibrationState;
  /** True if the tokenizer was loaded when the calibration last learned; missing if it has learned nothing. */
  readonly learnedLoaded?: boolean | undefined;
  readonly tools?: string | undefined;
  readonly doubt?: string | undefined;
  readonly paidAt?: string | undefined;
  readonly request?: MarkedRequest | undefined;
  readonly spent?: SpentState | undefined;
}

interface MarkedRequest {
  readonly counted: Counted;
  readonly generation: number;
  readonly loaded: boolean;
}

/**
 * A compression also loses content, so wait until this multiple of its price has been wasted. Replayed with five instead of three, a tenth
 * less is missing at 64,000 tokens, for a fortieth more. In a window of a million, 800 calls cost a tenth more than with one, for 5
 * compressions instead of 11.
 */
const rewriteFactor = 5;

/** Measures the next request: the counted tokens of view and tools, corrected by what the provider reported. */
export class Meter {
  #calibration: Calibration;
  /** True if the tokenizer was loaded when the calibration last learned; undefined if it has learned nothing or this is unknown. */
  #learnedLoaded: boolean | undefined;
  #tools = '';
  readonly overpaid = new Overpaid();
  /** Why the newest reported usage is not believed; undefined if it is. */
  doubt: string | undefined;
  #paidAt: string | undefined;
  #request: MarkedRequest | undefined;
  /** True once the host announces its requests. Until then, every view that it looks at counts as sent. */
  announcesRequests = false;
  readonly cache: PromptCache;
  readonly spending: Spending;

  constructor(
    readonly conversation: Conversation,
    readonly budget: Budget,
    readonly settings: {
      readonly overhead: { readonly conversation: number };
      readonly prior: Prior;
      readonly prices: CachePrices;
      /** True if the model counts with another encoding than the counter. */
      readonly isEstimated?: boolean | undefined;
      /** True if compressions run beside the requests: then they can't use a moment in which a rewrite is free. */
      readonly background?: boolean | undefined;
    },
    /** Ms since epoch. */
    now: () => number = () => 0,
  ) {
    this.#calibration = this.#newCalibration();
    this.cache = new PromptCache(conversation, settings.prices.cacheMinutes, now);
    this.spending = new Spending(conversation, settings.prices);
  }

  /** Once the tokenizer is loaded, anything learned from estimates is forgotten. */
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
      tools: this.#tools === '' ? undefined : this.#tools,
      ...this.overpaid.state,
      doubt: this.doubt,
      ...(this.announcesRequests && {
        paidAt: this.#paidAt,
        request: this.#request,
        ...this.cache.state,
        spent: this.spending.state,
      }),
    };
  }

  resume(state: MeterState): void {
    this.#calibration = this.#newCalibration(state.calibration);
    this.#learnedLoaded = state.learnedLoaded;
    this.overpaid.state = { overpaid: state.overpaid, paidRequests: state.paidRequests };
    this.doubt = state.doubt;
    this.#paidAt = state.paidAt;
    this.#request = state.request;
    this.announcesRequests = state.request !== undefined;
    const { asked, askedMessages, askedRecord } = state;
    this.cache.state = { asked, askedMessages, askedRecord };
    this.spending.state = { ...this.spending.state, ...state.spent };
  }

  /** Why the provider's cache surely holds nothing of the conversation; undefined if it may. */
  get cold(): string | undefined {
    return this.cache.coldFor(this.#tools);
  }

  #newCalibration(state?: CalibrationState): Calibration {
    const { contextWindow } = this.budget;
    const boundsOf = (counted: Counted) => usageBounds(counted, this.#prior, contextWindow);
    return new Calibration(() => this.#prior, boundsOf, state);
  }

  get #prior(): Coefficients {
    // A view with calls has tools, whether the host has told of them or not.
    const untold = this.conversation.view.toolCalls > 0 ? Number.POSITIVE_INFINITY : undefined;
    return coefficientsOf(
      this.settings.prior,
      this.#tools.length > noTools.length ? this.toolTokens : untold,
    );
  }

  /** Counts the tools as well as the conversation with the loaded tokenizer, while the figures are still estimates. */
  *countAhead(): Steps<void> {
    yield* this.conversation.counter.ahead.textInSteps(this.#tools);
    yield* this.conversation.countAhead();
  }

  get toolTokens(): number {
    return this.conversation.counter.text(this.#tools);
  }

  get fixedTokens(): number {
    return this.#tokensBeside(this.conversation.view.marker?.tokens ?? 0);
  }

  get quality(): Quality {
    if (this.calibration.samples > 0) return 'calibrated';
    return this.#isCounted && this.settings.isEstimated !== true ? 'exact' : 'estimated';
  }

  /** Whether everything is counted with the encoding, and as it is. */
  get #isCounted(): boolean {
    const { counter, view } = this.conversation;
    const { offset, factor, perToolCall } = this.#prior;
    const isIdentity = offset === 0 && factor === 1 && perToolCall === 0;
    return counter.exact && view.estimates === 0 && isIdentity;
  }

  /** Whether the tokens of requests are expected by the prior, because no usage has been reported. */
  get isExpected(): boolean {
    return this.calibration.samples === 0;
  }

  get level(): CompressionLevel {
    const { contextWindow, thresholds } = this.budget;
    return levelOf(this.calibration.predict(this.counted()), contextWindow, thresholds);
  }

  setTools(text: string): void {
    this.#tools = text;
  }

  counted(): Counted {
    const { tokens, toolCalls, imageTokens } = this.conversation.view;
    return { tokens: tokens + this.fixedTokens, toolCalls, ...(imageTokens > 0 && { imageTokens }) };
  }

  measure(): Measure {
    const { contextWindow, allowedTokens, fittingTokens } = this.budget;
    const tokens = this.calibration.predict(this.counted());
    const cheapTarget = this.targetBeside(openingTokens(this.conversation.view), true);
    const { cacheRead, cacheWrite } = this.settings.prices;
    const isFree = cacheRead + cacheWrite === 0;
    const { overpaid: paid } = this.overpaid.state;
    const overpaid = paid === 0 ? 0 : paid / (rewriteFactor * cacheWrite * cheapTarget);
    return {
      tokens,
      contextWindow,
      allowedTokens,
      fittingTokens: fittingTokens(this.isExpected && !this.#isCounted),
      overpaid,
      cold: this.settings.background === true || isFree ? undefined : this.cold,
      cheapTarget,
    };
  }

  /** Why to compress now; undefined if there is no reason. A full window is always a reason. */
  get reason(): string | undefined {
    const measure = this.measure();
    const fired = this.#firedBy(measure);
    const { tokens } = this.counted();
    // The record has what is counted here.
    const isSame = fired === undefined || fired === measure.cold || tokens === measure.tokens;
    return isSame ? fired : `${fired} (${tokens} are counted here)`;
  }

  get isForCost(): boolean {
    return this.#firedBy({ ...this.measure(), overpaid: 0, cold: undefined }) === undefined;
  }

  #firedBy(measure: Measure): string | undefined {
    return firedBy(this.budget.trigger, measure) ?? firedBy({ fraction: 1 }, measure);
  }

  /** Divides the window into its parts. System prompt and tools count as measured here; everything else belongs to the conversation. */
  contextBudget(reservedTokens: number): ContextBudget {
    const { tokens, contextWindow } = this.measure();
    const systemTokens = this.conversation.view.entries
      .filter(isSystem)
      .reduce((sum, entry) => sum + entry.tokens, this.toolTokens);
    const usedTokens = Math.max(0, tokens - systemTokens);
    return contextBudget({ contextWindow, reservedTokens, systemTokens, usedTokens });
  }

  /** Tokens that a compression would get the request down to, if only system prompt and tools had to stay. */
  get target(): number {
    return this.targetBeside(openingTokens(this.conversation.view));
  }

  /**
   * Tokens that a compression gets the request down to.
   * @param staying tokens of the messages that must stay, as counted here
   * @param forCost true if cost is the reason for it
   */
  targetBeside(staying: number, forCost = false): number {
    const { contextWindow, targetFor } = this.budget;
    const tokens = this.calibration.predict({ tokens: staying + this.fixedTokens, toolCalls: 0 });
    return targetFor(Math.min(tokens, contextWindow), forCost);
  }

  /** How many counted tokens the view's messages may have in a request of `requestTokens`, in the provider's measure. */
  viewTokensFor(requestTokens: number): number {
    const { beside, like } = this.#requestOf(this.conversation.view);
    return Math.max(0, this.calibration.countedFor(requestTokens, like) - beside);
  }

  /** The most counted tokens that the messages of a view with this many calls may have and still certainly fit the window. */
  viewTokensWithin(contextWindow: number, view: Counted = this.conversation.view): number {
    const { beside, like } = this.#requestOf(view);
    // What must stay is not cut because of an expectation: until usage is reported, the count is taken as it is.
    const certain = this.isExpected ? contextWindow : this.calibration.countedWithin(contextWindow, like);
    return Math.max(0, certain - beside);
  }

  /** A request with these messages, and the tokens of what it has besides. */
  #requestOf({ tokens, toolCalls, imageTokens }: Counted) {
    const beside = this.#tokensBeside(this.conversation.markerAllowance);
    return { beside, like: { tokens: tokens + beside, toolCalls, imageTokens } };
  }

  #tokensBeside(marker: number): number {
    return this.toolTokens + this.settings.overhead.conversation + marker;
  }

  /** Remembers that a request with the current view is being sent. Asking for the same view twice counts as one request. */
  markRequest(announcesRequests: boolean): void {
    const { content, counter, generation } = this.conversation;
    const isNew = this.#paidAt !== content;
    const isFirst = announcesRequests && !this.announcesRequests;
    this.announcesRequests ||= announcesRequests;
    const { tokens, cheapTarget = 0 } = this.measure();
    const isCold = this.cold !== undefined;
    if (isNew) this.overpaid.add(this.settings.prices.cacheRead * Math.max(0, tokens - cheapTarget));
    this.#paidAt = content;
    // A host that only looks at views does not say when it sends them.
    if (announcesRequests) {
      const { tokens: counted } = this.counted();
      if (isNew || isFirst) this.spending.add({ counted, fixed: this.fixedTokens, tokens, isCold });
      this.cache.asked(this.#tools);
    }
    this.#request = { counted: this.counted(), generation, loaded: counter.loaded };
  }

  /** @throws ValidationError `usage-invalid` */
  report(usage: Usage, ownModel: string | undefined): UsageOutcome {
    const { inputTokens, model } = refuseUsage(usage);
    this.cache.answered();
    if (inputTokens === 0) return { used: false, reason: 'aborted' };
    if (model !== undefined && ownModel !== undefined && !isSameModel(model, ownModel))
      return { used: false, reason: 'other-model' };
    const { loaded } = this.conversation.counter;
    if (this.#request?.loaded !== loaded) return { used: false, reason: 'no-request' };
    if (this.#request.generation !== this.conversation.generation)
      return { used: false, reason: 'predates-compression' };
    const learned = this.calibration.learn(this.#request.counted, inputTokens);
    this.#learnedLoaded = loaded;
    this.doubt = doubtOf(learned, inputTokens, this.#request.counted.tokens, this.#calibration.isErratic);
    return learned === 'used' ? { used: true } : { used: false, reason: learned };
  }
}
