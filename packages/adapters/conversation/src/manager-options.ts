import type { ManagerOptions } from '@ctx/core';
import { type PresetManagerOptions, presetFor } from '@ctx/presets';
import type { Asked } from './asked-request.js';
import type { ConversationsOptions } from './conversations-options.js';

type Settings = NonNullable<ManagerOptions['config']>;
type ModelId = Pick<ManagerOptions, 'provider' | 'model'>;
type Known = Pick<Asked<unknown>, 'request' | 'learned' | 'history'>;

/**
 * The options of the manager of a conversation.
 * @param key names the conversation in the archive, if there is one
 */
export function managerOptionsFor(
  asked: Known,
  key: string,
  own: ConversationsOptions,
): PresetManagerOptions {
  const { provider, model, tools, summarize } = asked.request;
  const {
    onManager: _m,
    maxConversations: _n,
    maxCharacters: _c,
    onWarning: _w,
    states: _t,
    reading: _r,
    archive: given,
    ...options
  } = own;
  const config = settingsFor(asked, own.config, { provider, model });
  const archive = typeof given === 'function' ? given() : given;
  // What a snapshot says of another archive does not count under another name.
  const conversation = typeof given === 'function' ? `${key} ${crypto.randomUUID()}` : key;
  return { ...options, archive, config, provider, model, tools, conversation, summarize };
}

/** The settings with what a request and its provider say of the window, the room for the answer and the cache. What the settings say goes first. */
export function settingsFor(
  { request, learned = Infinity, history }: Known,
  own: Settings = {},
  id: ModelId,
): Settings {
  const { window, limit, answerTokens, cacheMinutes } = request;
  const preset = presetFor(id);
  let { contextWindow, reserve } = own;
  if (isCount(limit)) contextWindow = Math.min(contextWindow ?? limit, limit);
  const isUnknown = preset.contextWindow === undefined || preset.warnings !== undefined;
  if (contextWindow === undefined && isUnknown && isCount(window)) contextWindow = window;
  // Only where room and window are left to the table of models.
  const isFree = contextWindow === undefined && reserve === undefined;
  if (isFree && isCount(answerTokens) && answerTokens < (preset.reserve ?? 0)) reserve = answerTokens;
  if (learned < (contextWindow ?? preset.contextWindow ?? Infinity)) {
    contextWindow = learned;
    // The model has no room beside this window, whatever the table of models says.
    reserve ??= presetFor(id, { contextWindow, isLimit: true }).reserve;
  }
  const cache = asksForHour(history)
    ? { cacheMinutes: 60, cacheWrite: 2 }
    : cacheMinutes !== undefined && { cacheMinutes };
  const perMillion = preset.prices?.perMillion;
  const prices = own.prices ?? (cache && { ...(perMillion !== undefined && { perMillion }), ...cache });
  return {
    ...own,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(reserve !== undefined && { reserve }),
    ...(prices && { prices }),
  };
}

/** The window of a model in the table of models, in tokens; `undefined` if it is not there. */
export function windowOf(id: ModelId): number | undefined {
  return presetFor(id).contextWindow;
}

function isCount(tokens: number | undefined): tokens is number {
  return Number.isSafeInteger(tokens) && (tokens as number) > 0;
}

/** True if a history asks for a cache of an hour: `cache_control`, `cachePoint`, `providerOptions.anthropic.cacheControl`. */
function asksForHour(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some(asksForHour);
  return Object.entries(value).some(([key, one]) => (key === 'ttl' ? one === '1h' : asksForHour(one)));
}
