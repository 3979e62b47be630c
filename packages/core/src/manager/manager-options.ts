import type { DependencyContainer } from '../base/di.js';
import type { Config } from '../config/config.js';
import type { ModelId } from '../config/match.js';
import type { TokenCounter } from '../count/count.js';
import type { CompressionStrategy } from '../view/strategy.js';

export interface ManagerOptions extends ModelId {
  readonly config?: Config | undefined;
  /** Where strategies, ports and preset rules are registered; see `createContainer`. */
  readonly container?: DependencyContainer | undefined;
  /** The stages themselves, in place of the names in `config.pipeline`. */
  readonly strategies?: readonly CompressionStrategy[] | undefined;
  /** Tool definitions as the request carries them; they are counted. */
  readonly tools?: unknown;
  /** Default: exact BPE by gpt-tokenizer. */
  readonly counter?: TokenCounter | undefined;
  /** Ms since epoch; default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Set before a request is sent: the check is not throttled. */
  readonly beforeSend?: boolean | undefined;
}

export interface CompressOptions {
  /** A registered name, or a strategy; default: the pipeline of the configuration. */
  readonly strategy?: string | CompressionStrategy | undefined;
  /** Tokens of the whole request, as `stats().currentTokens` gives them; default: the configured target, or half of what the request has now if that is less. */
  readonly targetTokens?: number | undefined;
  /** For a summary, where one is written. */
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
