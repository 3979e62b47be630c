import type { ManagerOptions, Message } from '@ctx/core';
import type { PresetManagerOptions } from '@ctx/presets';
import type { AskedCache } from './asked-cache.js';
import type { Prefixes } from './prefix-hashes.js';

/** What a request is besides its history. */
export interface RequestOf extends Pick<ManagerOptions, 'provider' | 'model' | 'tools'> {
  /** What nobody else's conversations may share: the credentials, and the conversation's own key if it has one. It is not kept in clear text. */
  readonly scope?: string | undefined;
  /** The key that `onManager` is given. @default one that is made from the scope and the beginning of the history */
  readonly key?: string | undefined;
  /** The model's window as the caller knows it, in tokens. @default what the settings or the table of models say, which also go first */
  readonly window?: number | undefined;
  /**
   * The window that the request itself sets, in tokens, such as Ollama's `num_ctx`: settings may only say less. The conversation begins with it;
   * later requests do not change it. @default none
   */
  readonly limit?: number | undefined;
  /**
   * The tokens that the answer may have, where they count as part of the window. The conversation begins with it; later requests do not change it.
   * @default what the table of models says, which is also the most that counts
   */
  readonly answerTokens?: number | undefined;
  /**
   * What else the request says, in the words of its provider or SDK, such as `cache_control` or `promptCacheRetention`: how long the provider
   * keeps its cache is read from it, from the history and from the tools. @default what is known of the model
   */
  readonly options?: unknown;
  /**
   * Who is asked, such as the address and the credentials: what a provider says of its model's window holds there alone. It is not kept in
   * clear text. @default windows are learned for the model wherever it is asked
   */
  readonly server?: string | undefined;
  /**
   * Whose credentials these are: what the provider counted in one of their requests is expected in the next, whatever its session or model. It is
   * not kept in clear text. @default the scope
   */
  readonly sender?: string | undefined;
  /** False if the model has no tool that reads the archive: then `arrivals` shortens nothing, as nobody could read the rest. @default true */
  readonly canRecall?: boolean | undefined;
  /** The model that summarises what is compressed. The conversation begins with it; later requests do not change it. @default none */
  readonly summarize?: PresetManagerOptions['summarize'];
}

/** A request that asks for its conversation. */
export interface Asked<Native> extends Prefixes {
  readonly history: Native;
  /** What it says, with each result after its call. */
  readonly messages: readonly Message[];
  /** True if results of the history are somewhere else. */
  readonly isMended: boolean;
  readonly request: RequestOf;
  readonly scope: string;
  /** The window that the provider has named by refusing a request, in tokens. */
  readonly learned: number | undefined;
  readonly cache: AskedCache | undefined;
  /** Ms since epoch. */
  readonly at: number;
}
