import { type Limits, within } from '../base/deadline.js';
import { isFields } from '../base/native.js';
import type { SafeEmitter } from '../compress/events.js';
import { type CompressionStrategy, defineStrategy } from '../view/strategy.js';

/** A compression that is about to begin. */
export interface PendingCompression {
  readonly reason: string;
  /** Tokens of the whole request now, and those to get down to. */
  readonly tokens: number;
  readonly targetTokens: number;
  readonly contextWindow: number;
  /** The names of the stages that would run. */
  readonly pipeline: readonly string[];
}

/** What is done in place of the pipeline; nothing for the pipeline itself. */
export type CompressionDecision =
  | { readonly veto: string }
  | { readonly strategies: readonly CompressionStrategy[] }
  | undefined;

/**
 * Is asked before a check or `recover` compresses. `{ veto: 'why' }` stops it: the reason stands in the outcome. Where the view is larger
 * than the window, only the last resort runs then. `{ strategies }` runs in place of the pipeline. A hook that throws, returns something else
 * or takes longer than `timeoutMs` changes nothing; the event `listener-fail` tells.
 */
export type BeforeCompress = (
  pending: PendingCompression,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks on returns nothing.
) => CompressionDecision | void | PromiseLike<CompressionDecision | void>;

/** @throws CtxError `aborted` */
export async function decide(
  hook: BeforeCompress,
  pending: PendingCompression,
  { events, ...limits }: Limits & { readonly events: SafeEmitter },
): Promise<CompressionDecision> {
  try {
    const value: unknown = (await within(limits, async () => hook(Object.freeze(pending)))) ?? undefined;
    if (value === undefined) return undefined;
    if (isFields(value) && typeof value.veto === 'string') return { veto: value.veto };
    if (isFields(value) && Array.isArray(value.strategies))
      return { strategies: value.strategies.map((one) => defineStrategy(one as CompressionStrategy)) };
    throw new TypeError('beforeCompress returns { veto }, { strategies } or nothing');
  } catch (error) {
    if (limits.signal?.aborted) throw error;
    events.emit('listener-fail', { event: 'beforeCompress', error });
    return undefined;
  }
}
