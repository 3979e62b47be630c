import type { FileAccess } from './file-access.js';
import type { Section } from './sections.js';
import { staleWeight } from './weights.js';

/**
 * A factor on the worth of each section, 0–1. Of each file only the newest state counts: what was read or written before it was written
 * again, and the text of an edit that a later edit replaced, are worth little.
 */
export function stateWeights(
  sections: readonly Section[],
  accesses: readonly (FileAccess | undefined)[],
): Float64Array {
  const weights = new Float64Array(sections.length).fill(1);
  const newer = new Map<string, { isShown: boolean; isEdited: boolean; replaced: string[] }>();
  for (let position = sections.length - 1; position >= 0; position -= 1) {
    const section = sections[position] as Section;
    if (section.kind === 'failure') {
      // What was tried and not done since is still to be done.
      const tried = accesses[position];
      if (tried?.how !== 'read' && tried !== undefined && newer.get(tried.path)?.isEdited === true)
        weights[position] = staleWeight;
      continue;
    }
    const access = section.kind === 'call' ? accesses[position] : undefined;
    if (access === undefined) continue;
    const { path, how, isPart } = access;
    const known = newer.get(path) ?? { isShown: false, isEdited: false, replaced: [] };
    newer.set(path, known);
    const isStale = how === 'edited' ? isWithin(section, known.replaced) : known.isShown;
    if (isStale) weights[position] = staleWeight;
    if (how === 'edited') {
      known.isEdited = true;
      known.replaced.push(...oldTexts(section));
    } else if (!isPart) known.isShown = true;
  }
  return weights;
}

function isWithin({ blocks }: Section, replaced: readonly string[]): boolean {
  const text = (blocks.find(({ voice }) => voice === 'agent')?.text ?? '').trim();
  return text !== '' && replaced.some((one) => one.includes(text));
}

/** The lines that an edit repeats from the text that it replaces. */
export function repeatedLines(section: Section): ReadonlySet<string> {
  return new Set(oldTexts(section).flatMap((text) => text.split('\n').map((line) => line.trim())));
}

function oldTexts({ call }: Section): string[] {
  const input = call?.input;
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    /^old/i.test(name) && typeof value === 'string' ? [value] : [],
  );
}
