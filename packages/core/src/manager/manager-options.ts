import type { Wait } from '../base/deadline.js';
import type { DependencyContainer } from '../base/di.js';
import type { SliceOptions } from '../base/slices.js';
import type { Config } from '../config/config.js';
import type { ModelId } from '../config/match.js';
import type { TokenCounter } from '../count/count.js';
import type { Archive } from '../transcript/archive.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { BeforeCompress } from './before-compress.js';

export interface ManagerOptions extends ModelId {
  /** Settings that override those for the model. @default none */
  readonly config?: Config | undefined;
  /** Where strategies, ports and preset rules are registered; see `createContainer`. */
  readonly container?: DependencyContainer | undefined;
  /** The stages themselves, instead of names in `config.pipeline`. */
  readonly strategies?: readonly CompressionStrategy[] | undefined;
  /** Tool definitions as in the request. They are counted. */
  readonly tools?: unknown;
  /** Is asked before a check or `recover` compresses, and may veto it or replace the pipeline. */
  readonly beforeCompress?: BeforeCompress | undefined;
  /** Keeps what leaves the view, so that it can be found and read again; see `@ctx/archive`. */
  readonly archive?: Archive | undefined;
  /** The id under which the archive keeps this conversation. Conversations that share an archive need ids of their own. @default 'conversation' */
  readonly conversation?: string | undefined;
  /** Default: exact BPE by gpt-tokenizer. */
  readonly counter?: TokenCounter | undefined;
  /** Ms since epoch; default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits for the time limits. Give it with `now` where time is not real, as in a test. @default setTimeout */
  readonly wait?: Wait | undefined;
  /** How long a compression holds the event loop at a time; default 8 ms. */
  readonly slices?: SliceOptions | undefined;
}

export interface CheckOptions {
  /** Stops the work, and what its strategies and ports do. */
  readonly signal?: AbortSignal | undefined;
  /** Set this before sending a request. The check is then never throttled. */
  readonly beforeSend?: boolean | undefined;
}

export interface CompressOptions extends Pick<CheckOptions, 'signal'> {
  /** A strategy, or the name of a registered one; default: the configured pipeline. */
  readonly strategy?: string | CompressionStrategy | undefined;
  /** Tokens of the whole request, as in `stats().currentTokens`. Default: the configured target, or half of the current request if that is less. */
  readonly targetTokens?: number | undefined;
  /** Instructions for a summary, if one is written. */
  readonly instructions?: string | undefined;
}
