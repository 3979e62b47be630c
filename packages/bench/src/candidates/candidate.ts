import type { CompressionRecord, Message, ModelId } from '@ctx/core';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import type { Cut } from '../cuts.js';

export interface CompressTask {
  readonly cut: Cut;
  readonly model: ModelId;
  /** Tokens, the system prompt's among them. */
  readonly budget: number;
  readonly tokensOf: CountTokens;
}

export interface Compressed {
  readonly messages: readonly Message[];
  /** Of the compression alone; counting is not in it where a candidate can be told the counts beforehand. */
  readonly ms: number;
  readonly record?: CompressionRecord | undefined;
}

export interface ReplayTask {
  readonly model: ModelId;
  /** Of a request, in tokens. */
  readonly limit: number;
  readonly tokensOf: CountTokens;
}

/** Follows a session message by message. */
export interface Replayed {
  append(message: Message): void;
  /** What would be sent now. */
  view(): Promise<readonly Message[]>;
}

/** A way to compress, under the name that the tables give it. */
export interface Candidate {
  readonly name: string;
  /** `control`: no compression anybody would want, to test the metrics; `bound`: knows what it could not know. */
  readonly kind: 'ctx' | 'peer' | 'baseline' | 'control' | 'bound';
  compress(task: CompressTask): Promise<Compressed>;
  /** Absent: it can't be replayed. */
  replay?(task: ReplayTask): Replayed;
}

/** Cuts messages down to a number of tokens, without a memory of what it did before. */
export type Reduce = (
  messages: readonly Message[],
  budget: number,
  tokensOf: CountTokens,
) => readonly Message[] | Promise<readonly Message[]>;

/** What a replay brings a request down to that is over the limit, for a candidate that does not say. */
const targetShare = 0.5;

/**
 * A candidate that is one function. In a replay it does what a careful host would do with it: when the request is over the limit it
 * is brought to half of it, and goes on from there, so that the prompt cache is lost seldom.
 */
export function reducing(name: string, kind: Candidate['kind'], reduce: Reduce): Candidate {
  return {
    name,
    kind,
    async compress({ cut, budget, tokensOf }) {
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
