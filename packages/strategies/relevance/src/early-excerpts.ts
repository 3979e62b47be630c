import type { Edit, PlanContext, Steps } from '@ctx/core';
import { ConversationIndex, excerptOf, rootFolderOf, sourcesIn } from '@ctx/excerpt';
import type { RelevanceOptions } from './options.js';
import { excerptEdits, headsOf } from './segment-excerpts.js';
import type { Split } from './split-view.js';
import { instructionsFloor, trailShare } from './weights.js';
import { tokensPerCharacter } from './whole-text.js';

/**
 * Excerpts of what was said before the chapters that are read, from what stands in the view for it: the excerpts of chapters that were read
 * before, and the excerpt that stands for all before those.
 */
export function* earlyExcerpts(
  { early, earlyTokens }: Pick<Split, 'early' | 'earlyTokens'>,
  context: PlanContext,
  { users, actions }: RelevanceOptions,
): Steps<Edit[]> {
  if (early.length === 0) return [];
  const said = early.flatMap(({ exchanges }, segment) =>
    exchanges.flatMap(({ messages }) => messages.map((one) => ({ ...one, segment }))),
  );
  const index = new ConversationIndex();
  yield* index.read(
    said.map(({ message }) => message),
    said.map(({ id, position = -1 }) => (id.startsWith('ctx:') ? 0 : position + 1)),
  );
  const sources = yield* sourcesIn(index, () => true);
  const segmentOf = Int32Array.from(
    sources,
    ({ section }) => (said[section.message] as (typeof said)[number]).segment,
  );
  const { maxTokens } = context;
  const heads = headsOf(
    early,
    { sources, segmentOf },
    {
      roomTokens: Math.min(maxTokens * trailShare, earlyTokens / 2),
      tokensOf: (text) => context.tokensOf(text),
      actions,
    },
  );
  const { texts } = yield* excerptOf(sources, {
    excerptTokens: earlyTokens,
    // Of what the user said only what may still hold stays whatever else there is.
    usersTokens: 0,
    instructionsTokens: users === 0 ? 0 : Math.min(maxTokens * instructionsFloor, earlyTokens),
    groups: { of: segmentOf, heads, root: rootFolderOf(sources.map(({ section }) => section.heading)) },
    // How much these excerpts were made from is no longer known, but it was far more than the user's words.
    olderLength: Number.POSITIVE_INFINITY,
    index,
    weights: yield* index.use.weights(index.terms, index.terms.size),
    held: new Uint8Array(index.terms.size),
    tokensPerCharacter: yield* tokensPerCharacter(context),
    tokensOf: (text) => context.tokensOf(text),
    countInSteps: (text) => context.countInSteps(text),
  });
  return excerptEdits(early, texts, heads, context);
}
