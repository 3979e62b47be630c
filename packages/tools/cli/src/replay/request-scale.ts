import type { CountTokens, ReplayResult } from '@ctx/bench/measure';
import type { Session } from '@ctx/sessions';
import { type ProviderMeasure, providerMeasure } from '../context/provider-measure.js';
import type { SessionPrices } from './request-prices.js';

/** What a replay costs, in dollars or in tokens at the full input price. */
export interface Spent {
  readonly spent: number;
  readonly withoutCompression: number;
}

/** How tokens of messages, as they are counted here, and whole requests as the provider counts them follow from each other. */
export type RequestScale = ReturnType<typeof requestScale>;

/** What most reports between two compactions of the agent say: behind one it has more in its context than its file shows. */
function bestMeasure(session: Session, tokensOf: CountTokens): ProviderMeasure | undefined {
  const { compactions = [], messages } = session;
  const ends = [...compactions.map(({ at }) => at - 1), messages.length];
  return ends
    .map((at) => providerMeasure(session, at, tokensOf))
    .reduce((best, one) => ((one?.reports ?? -1) >= (best?.reports ?? -1) ? one : best));
}

/** The scale that the provider's reports give; without any, messages are all that is known of a request. */
export function requestScale(session: Session, tokensOf: CountTokens, { requests }: SessionPrices) {
  const measure = bestMeasure(session, tokensOf);
  const { factor } = measure ?? { factor: 1 };
  const hidden = Math.max(0, measure?.hidden ?? 0);
  const ownCost = hidden * costOfSame(requests);
  const requestTokens = (tokens: number) => Math.round(hidden + factor * tokens);
  return {
    /** Tokens of the system prompt and the tools, as far as the file does not hold them. */
    hidden,
    /** Tokens of a request with so many of messages. */
    requestTokens,
    /** Tokens of the messages that have room in a request of so many. */
    messageTokens: (tokens: number) => Math.floor((tokens - hidden) / factor),
    /** A result of the messages alone as one of whole requests. */
    scaled(result: ReplayResult, wholeCost: number): ReplayResult & Spent {
      const whole = factor * wholeCost;
      const [spent, all] = [result.cost * whole + ownCost, whole + ownCost];
      return {
        ...result,
        cost: all === 0 ? result.cost : spent / all,
        spent,
        withoutCompression: all,
        tokens: result.tokens.map(requestTokens),
      };
    },
  };
}

/** What a token costs that each request begins with: each model writes it to its cache once, and reads it from then on. */
function costOfSame(requests: SessionPrices['requests']): number {
  const written = new Set<string | undefined>();
  return requests.reduce((sum, { model, each, cacheRead, cacheWrite }) => {
    const price = written.has(model) ? cacheRead : cacheWrite;
    written.add(model);
    return sum + each * price;
  }, 0);
}
