import type { ManagerOptions } from '@ctx/core';
import { type PresetManagerOptions, presetFor } from '@ctx/presets';
import type { AskedCache } from './asked-cache.js';
import type { Asked } from './asked-request.js';
import type { ConversationsOptions } from './conversations-options.js';

type Settings = NonNullable<ManagerOptions['config']>;
type ModelId = Pick<ManagerOptions, 'provider' | 'model'>;
type Known = Pick<Asked<unknown>, 'request' | 'learned' | 'cache'>;

/**
 * The options of the manager of a conversation.
 * @param key names the conversation in the archive, if there is one
 */
export function managerOptionsFor(
  asked: Known,
  key: string,
  own: ConversationsOptions,
): PresetManagerOptions {
  const { provider, model, tools, summarize, canRecall = true } = asked.request;
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
  const settings = canRecall ? own.config : withoutArrivals(own.config);
  const config = settingsFor(asked, settings, { provider, model });
  const archive = typeof given === 'function' ? given() : given;
  // What a snapshot says of another archive does not count under another name.
  const conversation = typeof given === 'function' ? `${key} ${crypto.randomUUID()}` : key;
  return { ...options, archive, config, provider, model, tools, conversation, summarize };
}

/** The settings with what a request and its provider say of the window, the room for the answer and the cache. What the settings say goes first. */
export function settingsFor(
  { request, learned = Infinity, cache }: Known,
  own: Settings = {},
  id: ModelId,
): Settings {
  const { window, limit, answerTokens } = request;
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
    // The model has no room beside this window, whatever the table of models says. Google's limit is one of the input.
    const isLimit = id.provider !== 'google';
    reserve ??= presetFor(id, { contextWindow, isLimit }).reserve;
  }
  return {
    ...(cache === undefined ? own : withCache(own, cache, preset.prices?.perMillion)),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(reserve !== undefined && { reserve }),
  };
}

/** Settings say what a token costs, and the request how long its cache lives. */
function withCache({ prices, rules, ...own }: Settings, asked: AskedCache, perMillion?: number): Settings {
  const { minutes: cacheMinutes, write: cacheWrite } = asked;
  const over = (given: Settings['prices']) => {
    const isPriced = (given?.cacheRead ?? given?.cacheWrite) !== undefined;
    const dearer = !isPriced && cacheWrite !== undefined && { ...(perMillion && { perMillion }), cacheWrite };
    return { ...dearer, cacheMinutes, ...given };
  };
  const overRule = (rule: NonNullable<typeof rules>[number]) =>
    rule.prices === undefined ? rule : { ...rule, prices: over(rule.prices) };
  return { ...own, prices: over(prices), ...(rules && { rules: rules.map(overRule) }) };
}

function withoutArrivals({ rules, ...own }: Settings = {}): Settings {
  const others = rules?.map(({ arrivals: _, ...rule }) => rule);
  return { ...own, arrivals: false, ...(others && { rules: others }) };
}

/** The window of a model in the table of models, in tokens; `undefined` if it is not there. */
export function windowOf(id: ModelId): number | undefined {
  return presetFor(id).contextWindow;
}

function isCount(tokens: number | undefined): tokens is number {
  return Number.isSafeInteger(tokens) && (tokens as number) > 0;
}
