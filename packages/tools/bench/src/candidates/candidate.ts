import type { CompressionRecord, Message, ModelId } from '@ctx/core';
import type { CachePrices } from '../cached-cost.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import type { Cut } from '../cuts.js';

export interface CompressTask {
  readonly cut: Cut;
  readonly model: ModelId;
  /** Tokens, including the system prompt's. */
  readonly budget: number;
  /** Tokens. If it is larger than the budget, the budget is a target, for which nothing is cut that has to stay. @default the budget */
  readonly window?: number;
  readonly tokensOf: CountTokens;
}

export interface Compressed {
  readonly messages: readonly Message[];
  /** Time of the compression alone, without counting if a candidate can get the counts beforehand. */
  readonly ms: number;
  readonly record?: CompressionRecord | undefined;
}

interface ReplayTask {
  readonly model: ModelId;
  /** Limit of a request, in tokens. */
  readonly limit: number;
  readonly tokensOf: CountTokens;
  /** @default those of most models */
  readonly prices?: CachePrices | undefined;
}

/** Follows a session message by message. */
export interface Replayed {
  append(message: Message): void;
  /** The messages that would be sent now. */
  view(): Promise<readonly Message[]>;
}

/** A way to compress, with its name in the tables. */
export interface Candidate {
  readonly name: string;
  /** `control`: no compression, to test the measures. */
  readonly kind: 'ctx' | 'peer' | 'baseline' | 'control';
  /**
   * Loads the packages that only this candidate needs; `compress` and `replay` do so too.
   * @throws CtxError `package-missing`
   */
  load?(): Promise<void>;
  compress(task: CompressTask): Promise<Compressed>;
  /** Absent: it can't be replayed. */
  replay?(task: ReplayTask): Replayed;
}

/** Cuts messages down to a number of tokens, without a memory of earlier calls. */
export type Reduce = (
  messages: readonly Message[],
  budget: number,
  tokensOf: CountTokens,
) => readonly Message[] | Promise<readonly Message[]>;

/** The target for a request over the limit in a replay, if a candidate does not name one. */
const targetShare = 0.5;

/**
 * A candidate made of one function. In a replay it is used as a careful host would use it: a request over the limit is brought to half of
 * the limit, and the conversation continues from there, so that the prompt cache is rarely lost.
 * @param load called before each compression; its time is not measured
 */
export function reducing(
  name: string,
  kind: Candidate['kind'],
  reduce: Reduce,
  load?: () => Promise<void>,
): Candidate {
  return {
    name,
    kind,
    ...(load && { load }),
    async compress({ cut, budget, tokensOf }) {
      await load?.();
      const start = performance.now();
      const messages = await reduce(cut.prefix, budget, tokensOf);
      return { messages, ms: performance.now() - start };
    },
    replay({ limit, tokensOf }) {
      let request: readonly Message[] = [];
      return {
        append(message) {
          request = [...request, message];
        },
        async view() {
          if (totalTokens(request, tokensOf) > limit)
            request = await reduce(request, limit * targetShare, tokensOf);
          return request;
        },
      };
    },
  };
}
