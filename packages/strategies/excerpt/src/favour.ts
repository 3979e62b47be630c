import type { Steps } from '@ctx/core';
import { isBrief, isOrder, isProse } from './briefs.js';
import type { Candidate, Candidates, Source } from './candidates.js';
import type { ChooseOptions } from './choose.js';
import { claimShare, saidWorth, sizes, writtenWorth } from './weights.js';

/** Candidates that are weighed in a step. */
const stepUnits = 5_000;

/**
 * What units are worth apart from their terms: those of the user's messages, of texts that say what to do, and of what the agent wrote, where these do
 * not fit as a whole. A token of them is worth a multiple of what the passages are worth that just fit, so that they come first at every size.
 * @param known what units are worth already
 */
export function* favoured(
  sources: readonly Source[],
  candidates: Candidates,
  {
    weights,
    held,
    roomTokens,
    favoursUser,
    lastNamed,
  }: Pick<ChooseOptions, 'weights' | 'held' | 'roomTokens'> & {
    readonly favoursUser: boolean;
    readonly lastNamed: (source: Source) => number;
  },
  isTalk: readonly boolean[],
  known: Float64Array | undefined,
): Steps<Float64Array | undefined> {
  const worthOf = sources.map((source, at) => (isTalk[at] === true ? 0 : worthOfUnits(source, favoursUser)));
  if (worthOf.every((one) => one === 0)) return known;
  yield;
  const { worth, tokens } = yield* totals(candidates, weights, held);
  if (tokens <= roomTokens || roomTokens <= 0) return known;
  const worthOfToken = (((tokens - roomTokens) / roomTokens) * worth) / tokens;
  // Something else stays, too: they have a part of the room, those first that were read or named last.
  const rank = (source: number) => lastNamed(sources[source] as Source);
  const isOne = sources.map(({ section: { kind } }, at) => kind === 'call' && worthOf[at] === saidWorth);
  const briefs = [...sources.keys()].filter((source) => isOne[source]).reverse();
  briefs.sort((a, b) => rank(b) - rank(a));
  const briefScales = scalesWithin(roomTokens * claimShare, briefs, candidates);
  const isAsked = (source: number) => isOne[source] === true && sources[source]?.isAskedFor?.() === true;
  const granted = firstUnits(roomTokens * claimShare, isAsked, sources, candidates);
  const fixed = known?.slice() ?? new Float64Array(candidates.units.length);
  // Of what several texts say, the newest counts.
  const lines = new Set<string>();
  for (let unit = candidates.units.length - 1; unit >= 0; unit -= 1) {
    if (unit % stepUnits === 0) yield;
    const { source, position, isKnown, tokens: unitTokens, gap } = candidates.units[unit] as Candidate;
    const own = worthOf[source] as number;
    if (own === 0 || position < 0 || isKnown) continue;
    const { section, units, isWritten = false } = sources[source] as Source;
    const { block, start, end } = units[position] as Source['units'][number];
    const { text = '', voice } = section.blocks[block] ?? {};
    const line = text.slice(start, end);
    if (line.length >= sizes.name && lines.has(line.trim())) continue;
    lines.add(line.trim());
    const isSaid = isWritten ? voice === 'agent' : isProse(line);
    const isOfUser = section.kind === 'user' || section.kind === 'summary';
    // A short order is worth the mark of the gap before it, too, and most of all the line in which the user says what a text is.
    const isTitle = isOfUser && position === 0;
    const isFirst = isTitle || (!isWritten && isOrder(line));
    const factor = isTitle ? 4 : isFirst ? 2 : isOfUser || isSaid ? 1 : 0;
    const worthOfOwn =
      isOne[source] !== true || granted.has(unit) ? own : own * (briefScales[source] as number);
    fixed[unit] =
      (fixed[unit] as number) + worthOfOwn * factor * worthOfToken * (unitTokens + (isFirst ? gap : 0));
  }
  return fixed;
}

/** What a token of a source is worth, as a multiple of what just fits. */
function worthOfUnits({ section, units, weight, isWritten }: Source, favoursUser: boolean): number {
  // Short ones had their turn as a whole.
  if (section.kind === 'user' || section.kind === 'summary')
    return favoursUser && units.length > 1 ? saidWorth : 0;
  if (weight < 1) return 0;
  if (isWritten === true) return writtenWorth;
  return isBrief(section) ? saidWorth : 0;
}

/** The units of texts that the user named which have this room: orders, and what is still to be done, first; the others in order. */
function firstUnits(
  roomTokens: number,
  isAsked: (source: number) => boolean,
  sources: readonly Source[],
  { units }: Candidates,
): ReadonlySet<number> {
  const sourceOf = (unit: number) => (units[unit] as Candidate).source;
  const asked = [...units.keys()].filter((unit) => isAsked(sourceOf(unit)) && units[unit]?.isKnown !== true);
  asked.sort((a, b) => sourceOf(b) - sourceOf(a) || a - b);
  const granted = new Set<number>();
  let left = roomTokens;
  for (const wantsOrders of [true, false])
    for (const unit of asked) {
      const { source, position, tokens } = units[unit] as Candidate;
      const { section, units: own } = sources[source] as Source;
      const { block, start, end } = own[position] ?? { block: 0, start: 0, end: 0 };
      const line = section.blocks[block]?.text.slice(start, end) ?? '';
      if (isOrder(line) !== wantsOrders || tokens > left) continue;
      left -= tokens;
      granted.add(unit);
    }
  return granted;
}

/** How much the units of each of these sources count, 0–1, if the first have the room that there is. */
function scalesWithin(roomTokens: number, order: readonly number[], { units }: Candidates): number[] {
  const tokens: number[] = [];
  for (const unit of units) tokens[unit.source] = (tokens[unit.source] ?? 0) + unit.tokens;
  const scales: number[] = [];
  let left = roomTokens;
  for (const source of order) {
    scales[source] = Math.max(0, Math.min(1, left / (tokens[source] ?? 0)));
    left -= tokens[source] ?? 0;
  }
  return scales;
}

/** The worth of all terms that are not held, each once, and the tokens of all units. */
function* totals(
  candidates: Candidates,
  weights: Float64Array,
  held: Uint8Array,
): Steps<{ readonly worth: number; readonly tokens: number }> {
  const isCounted = new Uint8Array(weights.length);
  let [worth, sum] = [0, 0];
  for (const [unit, { terms, tokens }] of candidates.units.entries()) {
    if (unit % stepUnits === 0) yield;
    sum += tokens;
    for (const term of terms) {
      if (isCounted[term] === 1 || held[term] !== 0) continue;
      isCounted[term] = 1;
      worth += weights[term] as number;
    }
  }
  return { worth, tokens: sum };
}
