import type { CompressionLevel } from '../base/compression-level.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { Steps } from '../base/slices.js';
import type { Message, MessageId } from '../transcript/message.js';
import type { Priority } from '../transcript/priorities.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit, ResolvedEdit } from './edit.js';
import type { InvariantName } from './invariants.js';

/**
 * The contract of a strategy: a pure function from a read-only context to a plan. It changes nothing, logs nothing, and
 * reads no clock, file or network. Core checks and applies what it proposes.
 */
export interface CompressionStrategy {
  /** Unique, kebab-case. Configurations refer to it. */
  readonly name: string;
  /** The edit types it proposes. Anything else is rejected. */
  readonly emits: readonly string[];
  /**
   * True if it removes one kind of content to prepare for other stages and does not promise to reach the target. A
   * stage that runs after it is then no fallback.
   * @default false
   */
  readonly partial?: boolean;
  plan(context: PlanContext): Plan | Promise<Plan>;
}

/** A message as the model would see it now. */
export interface ViewMessage {
  readonly id: MessageId;
  /** Its position in the view. */
  readonly index: number;
  /** Position in the transcript of the first message that it stands for; absent in contexts that core did not make. */
  readonly position?: number | undefined;
  readonly message: Message;
  /** When it was said, in ms since epoch. A message made by an edit has none. */
  readonly createdAt?: number | undefined;
  readonly tokens: number;
  readonly priority: Priority;
  /**
   * True if it must stay: a pinned, system or CRITICAL message, the newest user message, a call that waits for its
   * result, or something the model has not read yet, that is, anything after its newest message, and the exchange of
   * that message if it has calls.
   */
  readonly pinned: boolean;
  /** The guarantee that protects it, if any. */
  readonly protectedBy?: InvariantName | undefined;
  /**
   * True if its text must stay unchanged too. That is so for all that is `pinned`, unless what must stay is too large for the window:
   * then only system, pinned and CRITICAL messages keep their text.
   */
  readonly verbatim: boolean;
  /** Messages with the same number leave the view together. */
  readonly exchange: number;
}

export interface PlanContext {
  /** The messages that the model would be sent now, in order. */
  readonly view: readonly ViewMessage[];
  /** What was said, for strategies that look back, with the position of each message as its `index`. */
  readonly transcript: readonly TranscriptMessage[];
  /** Tokens of the view, as counted here (not calibrated). */
  readonly currentTokens: number;
  /** The target in tokens, in the same measure. */
  readonly targetTokens: number;
  /** The window in the same measure, minus whatever else a request holds. */
  readonly maxTokens: number;
  /** The model's window, in the provider's tokens. */
  readonly contextWindow: number;
  /** A plan that would leave fewer messages than this is cut short. */
  readonly minMessagesToKeep: number;
  readonly level: CompressionLevel;
  /** The state that the previous plan of the same run returned; absent for the first plan. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** Ms since epoch; injected, so that a plan is repeatable. */
  readonly now: number;
  /** Uniform in [0, 1); seeded, so that a plan is repeatable. */
  readonly random: () => number;
  /**
   * Runs long work in slices of a few ms, so that it does not hold the event loop. The work yields wherever it may
   * pause; its result must not depend on the pauses. Rejects when the caller aborts or the stage has taken too long.
   */
  inSlices<Result>(steps: Steps<Result>): Promise<Result>;
  tokensOf(text: string): number;
  /** The same as `tokensOf` in steps, for a text that may have more than 10,000 characters. */
  countInSteps(text: string): Steps<number>;
  /** The size of the view after these edits. Rejected and unresolved edits do not count. */
  simulate(edits: readonly Edit[]): SimulatedSize;
  /** The same as `simulate` in steps, for more than a few edits. */
  simulateInSteps(edits: readonly Edit[]): Steps<SimulatedSize>;
}

/** The size that a view would have. */
export interface SimulatedSize {
  readonly tokens: number;
  /** With the line that stands for what was dropped. If this is not smaller than before, core refuses the edits. */
  readonly sentTokens: number;
  readonly messages: number;
}

export interface Plan {
  readonly edits: readonly Edit[];
  /** For a strategy made of strategies: the name of the one that planned. */
  readonly chosen?: string;
  /** Why it proposes nothing, in words. The outcome repeats it. */
  readonly reason?: string;
  /** Plain JSON for the record: confidence, scores, counts. */
  readonly notes?: Readonly<Record<string, unknown>>;
  /**
   * Plain JSON that asks core to plan again if the view after these edits is still over the target. It comes back as
   * `context.state`. Use it if the next step depends on how an unresolved edit is resolved. A strategy plans at most 10
   * times.
   */
  readonly state?: Readonly<Record<string, unknown>>;
  /**
   * Gets the edits once one of them was resolved, and returns those to use instead: for a plan whose other edits depend on
   * the length of a summary.
   */
  finish?(resolved: readonly ResolvedEdit[]): readonly Edit[] | Promise<readonly Edit[]>;
  /** A target below `context.targetTokens`. The strategy plans again until the view is down to it. */
  readonly targetTokens?: number;
}

/**
 * Checks the form of a strategy and returns it. This is the functional way to write one.
 * @throws ConfigError `strategy-invalid`
 */
export function defineStrategy<S extends CompressionStrategy>(strategy: S): S {
  refuse(strategyProblems(strategy, 'strategy'));
  return strategy;
}

/** Why a value is not a strategy; empty if it is one. */
export function strategyProblems(strategy: unknown, place: string): ErrorFields[] {
  const wrong = (problem: string, value: unknown, remedy = form): ErrorFields[] => [
    { code: 'strategy-invalid', problem, place, value, remedy },
  ];
  if (typeof strategy === 'string') {
    return wrong(
      'This is the name of a strategy, not a strategy',
      strategy,
      `Names go into config.pipeline: ['${strategy}'].`,
    );
  }
  if (typeof strategy === 'function') {
    const { name } = strategy;
    return Object.hasOwn(strategy, 'strategyName')
      ? wrong('This is the class of a strategy', name, `Register it: registerStrategy(container, ${name}).`)
      : wrong(
          'This is a function, not a strategy',
          name,
          `If it makes one, call it: ${name || 'strategy'}().`,
        );
  }
  if (!isFields(strategy) || typeof strategy.name !== 'string' || strategy.name === '')
    return wrong('A strategy needs a name', isFields(strategy) ? strategy.name : strategy);
  const { name, emits, plan } = strategy;
  if (!Array.isArray(emits)) return wrong(`Strategy "${name}" must list the edit types it emits`, emits);
  if (typeof plan !== 'function') return wrong(`Strategy "${name}" needs a plan function`, plan);
  return [];
}

const form =
  'A strategy is { name, emits, plan(context) }: a text, a list of edit types such as "drop", and a function that returns { edits }.';
