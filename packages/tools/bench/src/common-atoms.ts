import { type Atom, atomsOf } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import { textOf } from './spoken.js';

/** Sessions that share at least this much of their atoms (Jaccard index) are about the same thing and count as one. */
const relatedFrom = 0.3;
/**
 * An atom is common if this share of a source's unrelated groups of sessions has it, and the source has at least this number of groups.
 */
const fewestGroups = 6;
const commonShare = 0.25;

interface Group {
  readonly source: string;
  readonly sessions: ReadonlySet<Atom>[];
}

/**
 * The atoms that say little about a session, because they occur in many unrelated ones: in sessions of two sources, or in a quarter of a
 * source's unrelated sessions.
 */
export function commonAtoms(sessions: readonly BenchSession[]): ReadonlySet<Atom> {
  const groups = relatedGroups(sessions);
  const sizes = new Map<string, number>();
  const seen = new Map<Atom, Map<string, number>>();
  for (const { source, sessions: related } of groups) {
    sizes.set(source, (sizes.get(source) ?? 0) + 1);
    for (const atom of new Set(related.flatMap((atoms) => [...atoms]))) {
      const bySource = seen.get(atom) ?? new Map<string, number>();
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
      seen.set(atom, bySource);
    }
  }
  const isCommon = (bySource: ReadonlyMap<string, number>) =>
    bySource.size > 1 ||
    [...bySource].some(([source, count]) => {
      const size = sizes.get(source) ?? 0;
      return size >= fewestGroups && count >= size * commonShare;
    });
  return new Set([...seen].filter(([, bySource]) => isCommon(bySource)).map(([atom]) => atom));
}

function relatedGroups(sessions: readonly BenchSession[]): Group[] {
  const groups: Group[] = [];
  for (const { source, messages } of sessions) {
    const atoms = new Set(messages.flatMap((message) => [...atomsOf(textOf(message))]));
    const related = groups.find(
      (group) =>
        group.source === source && group.sessions.some((other) => overlap(atoms, other) >= relatedFrom),
    );
    if (related === undefined) groups.push({ source, sessions: [atoms] });
    else related.sessions.push(atoms);
  }
  return groups;
}

function overlap(one: ReadonlySet<Atom>, other: ReadonlySet<Atom>): number {
  let shared = 0;
  for (const atom of one) if (other.has(atom)) shared += 1;
  return shared / Math.max(1, one.size + other.size - shared);
}
