import type { Steps } from '@ctx/core';
import { askedForBy } from './asked-for.js';
import { argumentsOf } from './call-title.js';
import type { Source } from './candidates.js';
import type { ConversationIndex, ReadSection } from './conversation-index.js';
import { outlineHeading } from './excerpt-text.js';
import { fileAccessOf, stateWeights } from './file-state.js';
import type { Section } from './sections.js';
import { actionsOf } from './trail/action.js';
import { type Action, checkKinds } from './trail/command.js';
import { repeatedWeight } from './weights.js';

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
  const { sections } = index;
  const sources: Source[] = [];
  const { length } = sections;
  const read = sections.map(({ section }) => section);
  const actions = read.map(({ call }) => (call === undefined ? [] : actionsOf(call)));
  const accesses = read.map(({ call }, position) => call && fileAccessOf(call, actions[position]));
  const states = stateWeights(read, accesses);
  const checks = checksIn(read, actions);
  const isAskedFor = askedForBy(read);
  for (let position = 0; position < length; position += 1) {
    if (position % stepSections === 0) yield;
    const { section, units, headingTerms } = sections[position] as ReadSection;
    if (!isSource(section.message)) continue;
    sources.push({
      isNamed: namedSince(index, section.message),
      isNewestCheck: checks.get(position) === true,
      file: accesses[position]?.path,
      isWritten: (accesses[position]?.how ?? 'read') !== 'read',
      headingWeight: index.headingWeight(position),
      // A copy, because a call's section changes when its result is read.
      section: mayChange(section) ? { ...section } : section,
      // Its names are in the next one.
      units: section.heading === outlineHeading ? [] : units,
      headingTerms,
      weight: (states[position] as number) * (checks.get(position) === false ? repeatedWeight : 1),
      isAskedFor: () => isAskedFor(section, accesses[position]?.path),
      isUntouched: isUntouched(sections[position] as ReadSection, index),
    });
  }
  return sources;
}

/** Whether the agent called something up and has not come back to it, so that it is probably still to be worked on. */
function isUntouched(
  { section: { kind, message }, headingTerms }: ReadSection,
  { terms, use }: Pick<ConversationIndex, 'terms' | 'use'>,
): boolean {
  const names = headingTerms.filter((term) => terms.kind(term) === 'name');
  return kind === 'call' && names.length > 0 && names.every((term) => use.lastBy('agent', term) <= message);
}

/** For each position whether it is the newest run of a kind of check, or shows how the work tree is; false for an older one. */
function checksIn(
  sections: readonly Section[],
  actions: readonly (readonly Action[])[],
): ReadonlyMap<number, boolean> {
  const seen = new Set<string>();
  const checks = new Map<number, boolean>();
  for (let position = sections.length - 1; position >= 0; position -= 1) {
    const { call, blocks } = sections[position] as Section;
    if (call === undefined || blocks.at(-1)?.voice !== 'tool') continue;
    const kinds = (actions[position] ?? []).flatMap(({ verb }) => (checkKinds.has(verb) ? [verb] : []));
    const [, before, folder] = workTree.exec(argumentsOf(call).main ?? '') ?? [];
    if (before !== undefined)
      kinds.push(`status ${folder ?? before.split(/\bcd /).at(-1)?.split(' ', 1)[0] ?? ''}`);
    if (kinds.length > 0)
      checks.set(
        position,
        kinds.some((kind) => !seen.has(kind)),
      );
    for (const kind of kinds) seen.add(kind);
  }
  return checks;
}

/** A command that shows how a work tree is, up to there, and the folder if it names one; there may be several trees. */
const workTree = /^([\s\S]*?)\bgit (?:-C (\S+) )?status\b/;

function mayChange({ kind, blocks }: Section): boolean {
  return kind === 'call' && blocks.at(-1)?.voice !== 'tool';
}

/** Says of a term whether the user has named what it stands for, or the agent after a message. */
export function namedSince(
  { terms, use }: Pick<ConversationIndex, 'terms' | 'use'>,
  message: number,
): (term: number) => boolean {
  return (term) =>
    (terms.kind(term) === 'name' || terms.kind(term) === 'id') &&
    (use.lastBy('user', term) >= 0 || use.lastBy('agent', term) > message);
}
