import type { Turn } from '@ctx/conversation';
import type { Purpose } from './request-purpose.js';

/** What became of a request, in figures: nothing of what was said is in it. */
export interface RequestReport {
  readonly purpose: Purpose;
  /** The key of its conversation. */
  readonly conversation: string;
  readonly provider: string;
  readonly model: string | undefined;
  /** Tokens of the request as it is sent, in the provider's measure as far as that is known. */
  readonly tokens: number;
  /** Tokens that it would have had more, estimated by the length of both. */
  readonly savedTokens: number;
  /** The model's window, in tokens. */
  readonly windowTokens: number;
  /** Compressions of the conversation so far. */
  readonly compressions: number;
  /** How often it was sent again, smaller, after the provider had refused it as too large. */
  readonly retries: number;
  /** True if it was sent unchanged although ctx would have changed it, in a dry run. */
  readonly isDryRun: boolean;
}

/** What is known of a request before it is sent. */
export type PreparedReport = Omit<RequestReport, 'retries' | 'isDryRun'>;

/**
 * @param before characters of the original body
 * @param after characters of it as it is to be sent
 */
export function reportOf(
  {
    purpose,
    turn,
    form,
    model,
  }: Pick<RequestReport, 'purpose' | 'model'> & {
    readonly turn: Turn<unknown>;
    readonly form: Pick<RequestReport, 'provider'>;
  },
  before: number,
  after: number,
): PreparedReport {
  const { currentTokens, maxTokens, compressions } = turn.conversation.manager.stats();
  const saved = after === 0 ? 0 : Math.round((currentTokens * (before - after)) / after);
  return {
    purpose,
    conversation: turn.key,
    provider: form.provider,
    model,
    tokens: currentTokens,
    savedTokens: Math.max(0, saved),
    windowTokens: maxTokens,
    compressions,
  };
}
