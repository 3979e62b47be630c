import { type Fault, faults, moments, type SeenCall, type Strike } from './awaits.js';

/** What may become of one call, by the name of what happens besides. */
export interface PlannedStrike<Happening extends string> extends Omit<Strike, 'happens'> {
  readonly happening: Happening;
}

/** Each fault at each moment; what throws at once has no answer. */
const all = moments
  .flatMap((moment) => faults.map((fault) => ({ fault, moment })))
  .filter(({ fault, moment }) => fault !== 'throws' || moment === 'call');
/** What makes a difference for a promise that is looked at for a rejection only. */
const told: readonly Fault[] = ['throws', 'rejects', 'answers'];

/**
 * Of the calls of one kind that the same lines wait for, the first.
 * @param until the lines of this source and what is behind them, towards the caller, are told apart no further
 * @param known what was seen before; what is new is added
 */
export function distinctCalls(
  seen: readonly SeenCall[],
  { until, known = new Set() }: { readonly until?: string; readonly known?: Set<string> } = {},
): SeenCall[] {
  return seen.filter(({ kind, frames }) => {
    const end = frames.findIndex((frame) => until !== undefined && frame.startsWith(until));
    const place = [kind, ...(end < 0 ? frames : frames.slice(0, end + 1))].join(' ');
    if (known.has(place)) return false;
    known.add(place);
    return true;
  });
}

/**
 * Every fault of every call at every moment, with what may happen besides.
 * @param oneIn how many of the happenings come with a fault: with 5, each call meets each of its faults and each happening, and all calls
 * together each fault with each happening; with 1, each call meets every fault with every happening
 * @param isWaitedFor false for a call whose promise is looked at for a rejection only: when it answers makes no difference
 */
export function strikesOf<Happening extends string>(
  calls: readonly SeenCall[],
  happenings: readonly Happening[],
  {
    oneIn = 1,
    isWaitedFor = () => true,
  }: { readonly oneIn?: number; readonly isWaitedFor?: (call: SeenCall) => boolean } = {},
): PlannedStrike<Happening>[] {
  return calls.flatMap((call, nth) =>
    all
      .filter(({ fault }) => isWaitedFor(call) || told.includes(fault))
      .flatMap((what, row) =>
        happenings
          .filter((_, column) => (nth + row + column) % oneIn === 0)
          .map((happening) => ({ at: call.at, ...what, happening })),
      ),
  );
}
