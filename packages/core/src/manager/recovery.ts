import { ContextOverflowError } from '../base/errors.js';
import type { Meter } from '../budget/meter.js';
import { isOverflowError, overflowKind, textsOfError } from '../budget/overflow.js';
import { type OverflowFigures, overflowFigures } from '../budget/overflow-figures.js';
import { compressed } from '../compress/compression.js';
import { isMostlyMedia, mediaLimitIn, oldImages } from '../compress/old-images.js';
import type { CompressionOutcome } from '../compress/record.js';
import type { CompressionRequest } from '../compress/run.js';
import { cutsIn, recoveryReason as reason } from './cut-words.js';
import type { ManagerState } from './manager-state.js';
import type { Setup } from './setup.js';

/** Tokens of a result that the model has not read: cut further, it says nothing, and the provider's error says more. */
const leastResult = 100;
/** How many times in a row a request is made smaller. */
const attempts = 3;

interface Recovering {
  readonly setup: Setup;
  readonly state: ManagerState;
  readonly signal: AbortSignal | undefined;
  ready(): Promise<void>;
  compress(goal: Omit<CompressionRequest, 'stages'>): Promise<CompressionOutcome>;
  takeBack(record: string): void;
}

/** Called after a provider refused a request. Where it was refused for its images, takes old ones out and nothing else. */
export async function recovered(error: unknown, recovering: Recovering): Promise<CompressionOutcome> {
  const { setup, state, ready } = recovering;
  if (!isOverflowError(error)) return state.compressor.skip('the error is not a context overflow');
  if (!setup.settings.enabled) return state.compressor.skip('disabled');
  if (state.recoveries >= attempts)
    return { status: 'failed', reason: `refused again after ${attempts} reductions`, error };
  await ready();
  return (await withoutImages(error, recovering)) ?? smaller(error, recovering);
}

/** Takes old images out if there are too many of them, or too many bytes; `undefined` if there are none and fewer tokens may help. */
async function withoutImages(
  error: unknown,
  { state, signal }: Recovering,
): Promise<CompressionOutcome | undefined> {
  const kind = overflowKind(error);
  if (kind !== 'images' && kind !== 'size') return undefined;
  const { compressor, meter } = state;
  if (kind === 'size' && !isMostlyMedia(meter.conversation.view.entries)) return undefined;
  const stages = [oldImages(mediaLimitIn(textsOfError(error).join('\n')))];
  const reason = 'the provider takes fewer images';
  const outcome = await compressed(compressor, { stages, targetTokens: 0, reason, signal, upkeep: true });
  if (outcome.record === undefined) return kind === 'images' ? outcome : undefined;
  state.recoveries += 1;
  return outcome;
}

/**
 * Takes off what the error names: first of what need not stay, then of results that the model has not
 * read. If it would still be refused, everything is as before.
 */
async function smaller(error: unknown, recovering: Recovering): Promise<CompressionOutcome> {
  const { state } = recovering;
  const { meter } = state;
  const figures = overflowFigures(error);
  const { input } = figures;
  // Otherwise it is none of tokens.
  if (input !== undefined && input <= otherMeasure * meter.measure().tokens)
    meter.report({ inputTokens: input }, undefined);
  const attempt = state.recoveries + 1;
  const tokens = refusedTokens(meter, figures, attempt);
  let outcome: CompressionOutcome | 'lost' = 'lost';
  for (const size of refusedSizes(tokens, figures, attempt)) {
    state.recoveries += 1;
    outcome = await reduced(recovering, tokens, size);
    if (outcome !== 'lost' && outcome.record !== undefined) return outcome;
    state.recoveries = Math.max(0, state.recoveries - 1);
    if (outcome !== 'lost') return outcome;
  }
  return { status: 'unchanged', reason: 'what must stay is larger than what the provider takes', error };
}

/** Gets a refused request of so many tokens down to a size. If that takes too much or is not enough, everything is as before. */
async function reduced(
  recovering: Recovering,
  tokens: number,
  { goal, most }: ReturnType<typeof refusedSizes>[number],
): Promise<CompressionOutcome | 'lost'> {
  const { state, compress, signal } = recovering;
  const { meter, compressor } = state;
  const measured = Math.max(1, meter.measure().tokens);
  // The window may have become smaller since the refused request was made.
  const fitting = Math.min(goal, meter.budget.contextWindow);
  const limits = {
    targetTokens: Math.floor((fitting * measured) / tokens),
    // Until usage is reported, what must stay is measured as counted here.
    limitTokens: Math.floor((fitting * (meter.isExpected ? meter.counted().tokens : measured)) / tokens),
    spares: true,
    reason,
  };
  const cut = new Map(cutsIn(meter).map(({ id, tokens }) => [id, tokens]));
  // Words of a user were cut, or a result so far that it says nothing.
  const isCutTooMuch = () =>
    cutsIn(meter)
      .filter((one) => one.tokens < (cut.get(one.id) ?? one.whole))
      .some((one) => one.isOfUser || one.tokens < Math.min(one.whole, leastResult));
  const isLost = () => (meter.measure().tokens / measured) * tokens > most || isCutTooMuch();
  let outcome = await unlessLost(recovering, isLost, () => compress(limits));
  // The stages may have cut what the user said. The last resort cuts that last.
  if (outcome === 'taken back')
    outcome = await unlessLost(recovering, isLost, () =>
      compressed(compressor, { ...limits, stages: [], signal }),
    );
  return typeof outcome === 'object' ? outcome : 'lost';
}

/** What became of a compression. If it cost too much or was not enough, everything is as before. */
async function unlessLost(
  { state: { conversation }, takeBack }: Recovering,
  isLost: () => boolean,
  compress: () => Promise<CompressionOutcome>,
): Promise<CompressionOutcome | 'taken back' | 'nothing done'> {
  const before = new Set(conversation.records.map(({ id }) => id));
  const outcome = await compress().catch((error): CompressionOutcome => {
    if (!(error instanceof ContextOverflowError)) throw error;
    return { status: 'insufficient', reason: error.message, error };
  });
  const isTooLarge = outcome.error instanceof ContextOverflowError;
  if (outcome.status === 'failed' || !(isTooLarge || isLost())) return outcome;
  const made = conversation.records.filter(({ id }) => !before.has(id));
  for (const { id } of made.reverse()) takeBack(id);
  return made.length > 0 ? 'taken back' : 'nothing done';
}

/** A little more than the error names is taken off, because the count of what is left is not exact to the token: this share of the request. */
const margin = 0.02;
/** The share that is tried of a request if the error does not say how far it is too large: first a little less, then much less. */
const tried = [0.9, 0.45, 0.25];
/** A figure so many times the tokens of the request is one of bytes or characters. */
const otherMeasure = 3;

/** As long as the size of a request is only expected, one that was refused without its size is taken for so many times what fits. */
const slightly = 1.1;

/** The provider's tokens of a refused request, as far as they are known. An expectation is not trusted at once, because it may cost a result. */
function refusedTokens(meter: Meter, { limit, requested }: OverflowFigures, attempt: number): number {
  const tokens = Math.max(1, meter.measure().tokens);
  if (!meter.isExpected || limit === undefined || requested !== undefined || attempt > 1) return tokens;
  return Math.min(tokens, Math.max(meter.counted().tokens, limit * slightly));
}

/**
 * What a refused request must get down to, in the provider's tokens: the sizes to try, in order. Where the error does not name one, also a
 * little less, as what must stay may be larger than the first. More than `most` is refused again, for certain.
 * @param tokens those of the request, as far as they are known here
 * @param attempt how often in a row a request was refused, 1 or more
 */
function refusedSizes(tokens: number, { limit, requested }: OverflowFigures, attempt: number) {
  const most = mostOf(tokens, limit, requested);
  if (most !== undefined) return [{ most, goal: Math.max(0, Math.floor(most - margin * tokens)) }];
  const share = tried[Math.min(attempt, tried.length) - 1] as number;
  const shares = [...new Set([share, tried[0] as number])];
  return shares.map((one) => ({ most: Number.POSITIVE_INFINITY, goal: Math.floor(one * tokens) }));
}

function mostOf(tokens: number, limit?: number, requested?: number): number | undefined {
  if (limit === undefined) return undefined;
  if (requested === undefined) return limit < tokens ? limit : undefined;
  if (requested > otherMeasure * tokens) return tokens * (limit / requested);
  return tokens - (requested - limit) * Math.max(1, tokens / requested);
}
