import { ContextOverflowError } from '../base/errors.js';
import { overflowFigures } from '../budget/overflow-figures.js';
import { isTokensOf, refusedSize } from '../budget/refused-size.js';
import type { CompressionRequest } from '../compress/compression-request.js';
import type { CompressionOutcome } from '../compress/outcome.js';
import { cutsIn } from './cut-words.js';
import type { ManagerState } from './manager-state.js';

/** Tokens of a result that the model has not read: cut further, it says nothing, and the provider's error says more. */
const leastResult = 100;
const reason = 'the provider reported a context overflow';

/** What a recovery uses of a manager. */
interface Recovering {
  readonly state: ManagerState;
  /** Compresses with stages that ask no model. */
  compress(goal: Omit<CompressionRequest, 'stages'>): Promise<CompressionOutcome>;
  /** Undoes a record. */
  takeBack(record: string): void;
}

/**
 * Called after a provider refused a request. Takes off what the error names: first of what need not stay, then of results that the model has not
 * read. If it would still be refused, everything is as before.
 */
export async function recovered(
  error: unknown,
  { state, compress, takeBack }: Recovering,
): Promise<CompressionOutcome> {
  const { meter, conversation } = state;
  const figures = overflowFigures(error);
  const { input } = figures;
  if (input !== undefined && isTokensOf(meter.measure().tokens, input))
    meter.report({ inputTokens: input }, undefined);
  const before = new Set(conversation.inForce.map(({ id }) => id));
  const made = () => conversation.inForce.map(({ id }) => id).filter((id) => !before.has(id));
  const cut = new Map(cutsIn(meter).map(({ id, tokens }) => [id, tokens]));
  state.recoveries += 1;
  const { goal, most = Infinity } = refusedSize(meter.measure().tokens, figures, state.recoveries);
  const limits = { targetTokens: goal, limitTokens: goal, reason };
  const tried = (spares: boolean) => compress({ ...limits, spares }).catch(insufficient);
  let outcome = await tried(true);
  if (outcome.status === 'insufficient') {
    const unread = await tried(false);
    if (unread.record !== undefined || unread.status === 'failed') outcome = unread;
  }
  const isTooMuch = cutsIn(meter)
    .filter(({ id, tokens, whole }) => tokens < (cut.get(id) ?? whole))
    .some(({ tokens, whole, isOfUser }) => isOfUser || tokens < Math.min(whole, leastResult));
  const isLost = outcome.status !== 'failed' && (isTooMuch || meter.measure().tokens > most);
  if (isLost) {
    for (const record of made().reverse()) takeBack(record);
    outcome = { status: 'unchanged', reason: 'what must stay is larger than what the provider takes', error };
  }
  if (made().length === 0) state.recoveries = Math.max(0, state.recoveries - 1);
  return outcome;
}

function insufficient(error: unknown): CompressionOutcome {
  if (!(error instanceof ContextOverflowError)) throw error;
  return { status: 'insufficient', reason: error.message, error };
}
