import type { Steps } from '@ctx/core';
import { type Candidates, type Source, tokensOfUnit } from './candidates.js';
import type { ChooseOptions } from './choice.js';
import { type FileAccess, fileAccessOf } from './file-access.js';
import { formWeightColumn, rowWidth } from './unit-rows.js';
import { changedSince, fileWorth, freshFile, mostRepeated, mostScarcity } from './weights.js';

/** Candidates that are weighed in a step. */
const stepUnits = 5_000;

/**
 * What units are worth besides their terms because they belong to a file that the agent may edit next. Somebody who edits needs all lines of
 * what is replaced, also those without a telling term. A token of such a file is worth about what passages are worth that just fit, so that
 * files compete with them at every size.
 * @param messages the number of messages in the conversation
 * @param known what units are worth already
 */
export function* withWorkingSet(
  sources: readonly Source[],
  candidates: Candidates,
  { weights, held, roomTokens }: Pick<ChooseOptions, 'weights' | 'held' | 'roomTokens'>,
  messages: number,
  known: Float64Array | undefined,
): Steps<Float64Array | undefined> {
  const likely = likelihoods(sources, messages);
  for (let at = 0; at < likely.length; at += 1)
    if ((likely[at] as number) > 0) likely[at] = (likely[at] as number) * variety(candidates, at);
  yield;
  if (likely.every((one) => one === 0)) return known;
  yield;
  const { worth, tokens } = yield* totals(candidates, weights, held);
  if (tokens <= roomTokens || roomTokens <= 0) return known;
  const scarcity = Math.min(mostScarcity, (tokens - roomTokens) / roomTokens);
  const worthOfToken = (fileWorth * scarcity * worth) / tokens;
  const fixed = known?.slice() ?? new Float64Array(candidates.count);
  for (let unit = 0; unit < candidates.count; unit += 1) {
    if (unit % stepUnits === 0) yield;
    const likelihood = likely[candidates.source[unit] as number] as number;
    if (likelihood > 0 && (candidates.position[unit] as number) >= 0)
      fixed[unit] = (fixed[unit] as number) + likelihood * worthOfToken * tokensOfUnit(candidates, unit);
  }
  return fixed;
}

/** For each source, how likely it is that its text is needed as a whole, 0–1. Of each file only the newest state counts. */
function likelihoods(sources: readonly Source[], messages: number): number[] {
  const newer = new Map<string, FileAccess['how'] | 'shown'>();
  const likely = sources.map(() => 0);
  for (let at = sources.length - 1; at >= 0; at -= 1) {
    const { section } = sources[at] as Source;
    const access =
      section.kind === 'call' && section.call !== undefined ? fileAccessOf(section.call) : undefined;
    if (access === undefined) continue;
    const { path, how, isPart } = access;
    const since = newer.get(path);
    if (since !== 'shown') {
      const age = Math.max(0, messages - section.message);
      likely[at] = (since === 'edited' && how !== 'edited' ? changedSince : 1) / (1 + age / freshFile);
    }
    if (how === 'edited') newer.set(path, since ?? 'edited');
    else if (!isPart) newer.set(path, 'shown');
  }
  return likely;
}

/**
 * A factor that is small for a source most of whose text has a form that occurs again and again, 0–1: a log is printed like a file, but
 * nobody edits it.
 */
function variety(candidates: Candidates, source: number): number {
  const { starts, rows } = candidates;
  let [weighed, sum] = [0, 0];
  for (let unit = starts[source] as number; unit < (starts[source + 1] as number); unit += 1) {
    const tokens = tokensOfUnit(candidates, unit);
    weighed += (rows[unit * rowWidth + formWeightColumn] as number) * tokens;
    sum += tokens;
  }
  return Math.min(1, (mostRepeated * weighed) / Math.max(1, sum));
}

/** The worth of all terms that are not held, each once, and the tokens of all units. */
function* totals(
  candidates: Candidates,
  weights: Float64Array,
  held: Uint8Array,
): Steps<{ readonly worth: number; readonly tokens: number }> {
  const { terms, count } = candidates;
  const isCounted = new Uint8Array(weights.length);
  let [worth, sum] = [0, 0];
  for (let unit = 0; unit < count; unit += 1) {
    if (unit % stepUnits === 0) yield;
    sum += tokensOfUnit(candidates, unit);
    for (let at = terms.ends[unit] as number; at < (terms.ends[unit + 1] as number); at += 1) {
      const term = terms.items[at] as number;
      if (isCounted[term] === 1 || held[term] !== 0) continue;
      isCounted[term] = 1;
      worth += weights[term] as number;
    }
  }
  return { worth, tokens: sum };
}
