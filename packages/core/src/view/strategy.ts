import type { CompressionLevel } from '../base/compression-level.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { Message, MessageId, Priority } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit } from './edit.js';
import type { InvariantName } from './validate.js';

/**
 * The contract of a strategy: a pure function from a read-only context to a plan. It changes nothing, logs
 * nothing, and reads no clock, file or network; core checks and applies what it proposes.
 */
export interface CompressionStrategy {
  /** Unique, kebab-case; configurations refer to it. */
  readonly name: string;
  /** The edit types it proposes. Anything else is rejected. */
  readonly emits: readonly string[];
  /**
   * True where it takes out content of one kind and does not promise the target, as a preparation for others: that another
   * stage runs after it is no fallback. @default false
   */
  readonly partial?: boolean;
  plan(context: PlanContext): Plan | Promise<Plan>;
}

/** A message as the model would see it now. */
export interface ViewMessage {
  readonly id: MessageId;
  /** Its position in the view. */
  readonly index: number;
  readonly message: Message;
  /** When it was said, ms since epoch; a message that an edit made has none. */
  readonly createdAt?: number | undefined;
  readonly tokens: number;
  readonly priority: Priority;
  /**
   * True where it has to stay: pinned, system, CRITICAL, the newest user message, a call that waits for its result, and what the model has
   * not read yet, that is whatever came after its newest message and that message's own exchange.
   */
  readonly pinned: boolean;
  /** The guarantee that keeps it, where one does. */
  readonly protectedBy?: InvariantName | undefined;
  /**
   * True where its text has to stay as it is too: pinned, system, CRITICAL or the newest user message; that one not where it and
   * the others leave less than a tenth of the window.
   */
  readonly verbatim: boolean;
  /** Messages with the same number leave the view together. */
  readonly exchange: number;
}

export interface PlanContext {
  /** What the model would be sent now, in order. */
  readonly view: readonly ViewMessage[];
  /** Everything ever said, for a strategy that looks back. */
  readonly transcript: readonly TranscriptMessage[];
  /** Tokens of the view, as counted here (not calibrated). */
  readonly currentTokens: number;
  /** Tokens to get down to, in the same measure. */
  readonly targetTokens: number;
  /** The window in the same measure, without what a request has besides its messages. */
  readonly maxTokens: number;
  /** The model's window, in the provider's tokens. */
  readonly contextWindow: number;
  /** A plan that leaves fewer messages than this is cut short. */
  readonly minMessagesToKeep: number;
  readonly level: CompressionLevel;
  /** What the plan before this one of the same run asked to get back; absent for the first. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** Ms since epoch; injected, so that a plan can be repeated. */
  readonly now: number;
  /** Uniform in [0, 1); seeded, so that a plan can be repeated. */
  readonly random: () => number;
  tokensOf(text: string): number;
  /** What the view would be after these edits; rejected and unresolved ones do not count. */
  simulate(edits: readonly Edit[]): { readonly tokens: number; readonly messages: number };
}

export interface Plan {
  readonly edits: readonly Edit[];
  /** For a strategy made of strategies: the name of the one that planned. */
  readonly chosen?: string;
  /** Why it proposes nothing, in words: the outcome repeats it. */
  readonly reason?: string;
  /** Plain JSON for the record: confidence, scores, counts. */
  readonly notes?: Readonly<Record<string, unknown>>;
  /**
   * Asks to plan once more on the view that these edits leave, where that is still over the target: plain JSON that comes back in
   * `context.state`. For what can't be known before an unresolved edit is resolved. A strategy plans at most 10 times.
   */
  readonly state?: Readonly<Record<string, unknown>>;
  /** For a strategy that wants to get lower than `context.targetTokens`: it plans again until the view is down to this. */
  readonly targetTokens?: number;
}

/**
 * Checks a strategy's form and returns it: the functional way to write one.
 * @throws ConfigError `strategy-invalid`
 */
export function defineStrategy<S extends CompressionStrategy>(strategy: S): S {
  refuse(strategyProblems(strategy, 'strategy'));
  return strategy;
}

/** What keeps a value from being a strategy. */
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

const form = 'A strategy is { name, emits, plan(context) }. See docs/writing-a-strategy.md.';
