import type { Steps } from '@ctx/core';
import type { Source } from './candidates.js';
import type { ConversationIndex, ReadSection } from './conversation-index.js';
import { naming, weightOfSection } from './section-weight.js';
import type { Section } from './sections.js';

/** Sections that are weighed in a step. */
const stepSections = 250;

/**
 * The sections of a conversation that an excerpt is made from, in order.
 * @param isSource whether the message at this position of the conversation is one of the sources
 */
export function* sourcesIn(
  index: Pick<ConversationIndex, 'sections' | 'terms' | 'use' | 'headingWeight'>,
  isSource: (message: number) => boolean,
): Steps<Source[]> {
  const { sections, terms, use } = index;
  const newestUser = sections.findLast(({ section }) => section.kind === 'user')?.section.message ?? -1;
  const isNamed = (term: number) => use.lastBy('user', term) >= 0 && naming.has(terms.kind(term));
  const surroundings = { terms, use, newestUser };
  const sources: Source[] = [];
  const { length } = sections;
  for (let position = 0; position < length; position += 1) {
    if (position % stepSections === 0) yield;
    const { section, units, headingTerms } = sections[position] as ReadSection;
    if (!isSource(section.message)) continue;
    sources.push({
      isNamed,
      headingWeight: index.headingWeight(position),
      // A copy, because a call's section changes when its result is read.
      section: mayChange(section) ? { ...section } : section,
      units,
      headingTerms,
      weight: weightOfSection({ section, headingTerms }, surroundings),
    });
  }
  return sources;
}

function mayChange({ kind, blocks }: Section): boolean {
  return kind === 'call' && blocks.at(-1)?.voice !== 'tool';
}
