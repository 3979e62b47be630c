import type { Archive, ContextManager, ManagerOptions, slicer } from '@ctx/core';
import type { PresetManagerOptions } from '@ctx/presets';
import { withAskedCache } from './asked-cache.js';
import type { Asked } from './asked-request.js';
import { withAnswer, withKnownWindow, withLearnedWindow, withLimit } from './known-window.js';
import type { StateStore, Store } from './store.js';
import type { OnWarning } from './warnings.js';

export interface ConversationsOptions
  extends Omit<ManagerOptions, 'provider' | 'model' | 'tools' | 'conversation' | 'archive'> {
  /**
   * Keeps what is removed from the view. A function makes an archive of its own for each manager, such as one in memory: it is filled again if a
   * conversation is taken over from another process, and goes with the conversation. @default none
   */
  readonly archive?: Archive | (() => Archive) | undefined;
  /** Is given each new manager, with the key of its conversation. */
  readonly onManager?: ((manager: ContextManager, key: string) => void) | undefined;
  /** Where conversations are kept that are dropped from memory, or that another process goes on with. @default none */
  readonly store?: Store | undefined;
  /**
   * Where compressions are kept for other processes that get requests of the same conversation, and for this one after a restart. Unlike
   * `store` it holds no messages. @default none
   */
  readonly states?: StateStore | undefined;
  /** How many conversations stay in memory; the least recently used is dropped first. @default 200 */
  readonly maxConversations?: number | undefined;
  /**
   * How many characters these conversations may have together; the least recently used is dropped first. In memory each takes about four bytes.
   * @default 64 million
   */
  readonly maxCharacters?: number | undefined;
  /** How long reading a history holds the event loop, where that is to go before compressions. @default `slices` */
  readonly reading?: NonNullable<Parameters<typeof slicer>[0]> | undefined;
  /** Is told once of each thing that ctx could not do or did not understand. @default `console.warn` */
  readonly onWarning?: OnWarning | undefined;
}

/**
 * The options of the manager of a conversation.
 * @param key names the conversation in the archive, if there is one
 */
export function managerOptionsFor(
  { request, learned, history }: Pick<Asked<unknown>, 'request' | 'learned' | 'history'>,
  key: string,
  own: ConversationsOptions,
): PresetManagerOptions {
  const { provider, model, tools, window, limit, answerTokens, summarize } = request;
  const {
    onManager: _m,
    store: _s,
    maxConversations: _n,
    maxCharacters: _c,
    onWarning: _w,
    states: _t,
    reading: _r,
    archive: given,
    ...options
  } = own;
  const id = { provider, model };
  const known = withKnownWindow(withLimit(options.config, limit), window, id);
  const said = withAnswer(known, answerTokens, id);
  const cached = withAskedCache(said, { history, minutes: request.cacheMinutes }, id);
  const config = withLearnedWindow(cached, learned, id);
  const archive = typeof given === 'function' ? given() : given;
  // What a snapshot says of another archive does not count under another name.
  const conversation = typeof given === 'function' ? `${key} ${crypto.randomUUID()}` : key;
  return { ...options, archive, config, provider, model, tools, conversation, summarize };
}
