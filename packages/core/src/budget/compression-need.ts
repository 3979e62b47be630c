import type { Budget } from './budget.js';
import { firedBy, firingMessages, type Measure } from './trigger.js';

/**
 * A compression by number of messages goes down to this share of the number at which it starts, as one by tokens does.
 */
const messageShare = 0.7;
/** The number of messages must reach this percentage before another try. */
const restGrowthPercent = 110;

interface Measuring {
  readonly budget: Budget;
  readonly target: number;
  measure(): Measure;
  counted(): { readonly tokens: number };
}

/** Whether a conversation needs a compression now. */
export class CompressionNeed {
  /** The number of messages at which those could not be removed; 0 for none. */
  restingMessages = 0;

  constructor(readonly meter: Measuring) {}

  /** Why to compress now; undefined if there is no reason. A full window is always a reason. */
  get reason(): string | undefined {
    const measure = this.#decisive();
    const fired = firedBy(this.meter.budget.trigger, measure) ?? firedBy({ fraction: 1 }, measure);
    const { tokens } = this.meter.counted();
    // The record beside it has what is counted here.
    const isSame = fired === undefined || fired === measure.cold || tokens === measure.tokens;
    return isSame ? fired : `${fired} (${tokens} are counted here)`;
  }

  /** True if there is no reason but the cost. */
  get isForCost(): boolean {
    const costless = { ...this.#decisive(), overpaid: 0, cold: undefined };
    return firedBy({ any: [this.meter.budget.trigger, { fraction: 1 }] }, costless) === undefined;
  }

  /**
   * How many messages the view should go down to if the trigger would still fire at the target because of their number:
   * seven tenths of the number at which it fires. Undefined if it would not.
   */
  get messageGoal(): number | undefined {
    const measure = this.#decisive();
    const { target } = this.meter;
    const { trigger } = this.meter.budget;
    const tokens = Math.min(measure.tokens, target);
    const start = firingMessages(trigger, { ...measure, tokens, overpaid: 0, cold: undefined });
    return start === undefined ? undefined : Math.max(1, Math.floor(start * messageShare));
  }

  /** If messages could not be removed, their number is no reason to try again until a tenth more have come. */
  restOnMessages(): void {
    this.restingMessages = this.meter.measure().messages;
  }

  forgetRest(): void {
    this.restingMessages = 0;
  }

  #decisive(): Measure {
    const measure = this.meter.measure();
    const isResting = measure.messages * 100 < this.restingMessages * restGrowthPercent;
    return isResting ? { ...measure, messages: 0 } : measure;
  }
}
