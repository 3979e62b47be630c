import type { Steps } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import { cutJsonInSteps, cutTextInSteps } from '@ctx/core/kit';
import type { Clearing } from './clearing.js';
import type { GiantsOptions } from './options.js';
import type { Use } from './use.js';

/** Cuts the middle out of results that are larger than their share of the window. */
export function* cutGiants(uses: readonly Use[], options: GiantsOptions, clearing: Clearing): Steps<void> {
  const { context } = clearing;
  const resultTokens = Math.floor(
    Math.min(options.maxTokens ?? Number.POSITIVE_INFINITY, options.share * context.maxTokens),
  );
  const limits = {
    maxTokens: resultTokens,
    headShare: options.headShare,
    tokensOf: (text: string) => context.tokensOf(text),
    countInSteps: (text: string) => context.countInSteps(text),
  };
  const large = uses.filter(({ message }) => message.tokens > resultTokens);
  for (const use of large) {
    yield;
    if (clearing.isCleared(use)) continue;
    if ((yield* context.countInSteps(use.text)) <= resultTokens) continue;
    const json = options.keepJson ? parsed(use.text) : undefined;
    const text = yield* json === undefined ? cutTextInSteps(use.text, limits) : cutJsonInSteps(json, limits);
    if (text !== undefined) clearing.replace(use, text, 'giants', 'larger than its share of the window');
  }
}

/** The object or list in a text of JSON; undefined if there is none. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text) as object;
  } catch {
    return undefined;
  }
}
