import { type Edit, messageText, type PlanContext } from '@ctx/core';
import {
  type excerptOf,
  excerptSections,
  headingTokens,
  intro,
  rootFolderOf,
  spare,
  trailOf,
  workIntro,
} from '@ctx/excerpt';
import type { Reading } from './reading.js';
import { isNote, type Segment, tokensOf as tokensIn } from './split-view.js';

type Section = Reading['sources'][number]['section'];

/** The head of a segment's excerpt. */
export type Head = NonNullable<Parameters<typeof excerptOf>[1]['groups']>['heads'][number];

interface HeadOptions extends Pick<Parameters<typeof trailOf>[1], 'actions'> {
  readonly roomTokens: number;
  tokensOf(text: string): number;
}

/** The first line of each segment's excerpt, and what was done in it. The newer takes what it needs, the others what that leaves. */
export function headsOf(
  segments: readonly Segment[],
  { sources, segmentOf, earlier, later }: Pick<Reading, 'sources' | 'segmentOf' | 'earlier' | 'later'>,
  { roomTokens, tokensOf, actions }: HeadOptions,
): Head[] {
  let left = roomTokens;
  const heads: Head[] = [];
  const sectionsOf: Section[][] = segments.map(() => []);
  for (const [at, { section }] of sources.entries()) sectionsOf[segmentOf[at] as number]?.push(section);
  const root = rootFolderOf(sources.map(({ section }) => section.heading));
  for (const [number, { isWork }] of [...segments.entries()].reverse()) {
    const trail = trailOf(sectionsOf[number] as Section[], {
      all: number === segments.length - 1 ? earlier : undefined,
      fits: (text) => tokensOf(text) <= left,
      actions,
      later,
      root,
      isFirst: number === 0,
    });
    if (trail !== undefined) left -= tokensOf(trail.text);
    heads.unshift({ intro: isWork ? workIntro : intro, trail });
  }
  return heads;
}

/**
 * An edit for each segment, unless its excerpt would not be shorter. One that is there already is written again if it becomes longer by much, or
 * if words of the user's are whole again for which there was no room.
 */
export function excerptEdits(
  segments: readonly Segment[],
  texts: readonly (string | undefined)[],
  heads: readonly Head[],
  { view, minMessagesToKeep, tokensOf }: PlanContext,
): Edit[] {
  const leaving = segments.reduce(
    (sum, { exchanges }) => sum + exchanges.flatMap(({ messages }) => messages).length,
    0,
  );
  const merged = texts.filter((text) => text !== undefined).length;
  let lacking = minMessagesToKeep - (view.length - leaving) - merged;
  return segments.flatMap((segment, number) => {
    // As many messages as must stay were counted with an excerpt for each segment.
    const text = texts[number] ?? (lacking-- > 0 ? heads[number]?.intro : undefined);
    const before = tokensIn(segment.exchanges);
    const after = text === undefined ? 0 : tokensOf(text) + headingTokens;
    const isWorthIt =
      after < before || (segment.exchanges.some(isNote) && isWorthWriting(text, segment, after / before));
    return isWorthIt ? [excerptEdit(text, segment)] : [];
  });
}

function isWorthWriting(text = '', { exchanges }: Segment, growth: number): boolean {
  const before = exchanges.flatMap(({ messages }) => messages.map(({ message }) => messageText(message)));
  return growth > spare || usersWhole([text]) > usersWhole(before);
}

/** How many texts of the user's excerpts give whole. */
function usersWhole(excerpts: readonly string[]): number {
  return excerpts
    .flatMap(excerptSections)
    .filter(({ heading, part }) => heading === 'user' && part === undefined).length;
}

/** Merges a segment into its excerpt, or drops it if nothing of it is worth a line. */
export function excerptEdit(text: string | undefined, { exchanges }: Segment): Edit {
  const messages = exchanges.flatMap((exchange) => exchange.messages.map(({ id }) => id));
  if (text === undefined) return { type: 'drop', messages, reason: 'excerpted' };
  return { type: 'merge', messages, text, placement: 'first', reason: 'excerpted' };
}
