import type { CandidateSteps, MadeMessage, ReportMessage, SessionTexts } from '../../session-data.js';

/** A message of a view, or a run of messages that are not in it. */
export type Shown =
  | { readonly kind: 'kept' | 'shortened'; readonly at: number; readonly message: ReportMessage }
  | { readonly kind: 'added'; readonly made: number; readonly message: MadeMessage }
  | { readonly kind: 'left-out'; readonly from: number; readonly to: number };

/** The views of a candidate, whole. */
export function viewsOf({ views }: CandidateSteps): readonly (readonly number[])[] {
  let last: readonly number[] = [];
  return views.map(([same = 0, ...rest]) => {
    last = [...last.slice(0, same), ...rest];
    return last;
  });
}

/**
 * What the model saw, in its order, and between it what it did not see.
 * @param said number of messages of the session that had been said
 */
export function shownIn(
  view: readonly number[],
  said: number,
  { messages }: Pick<SessionTexts, 'messages'>,
  { made }: Pick<CandidateSteps, 'made'>,
): Shown[] {
  const originOf = (id: number) => (id >= 0 ? id : made[-1 - id]?.of);
  const here = new Set(view.map(originOf).filter((at) => at !== undefined));
  const shown: Shown[] = [];
  let next = 0;
  /** What was left out before a position, in runs between what is in the view. */
  const leaveOutUntil = (end: number) => {
    let from = next;
    for (let at = next; at <= end; at += 1) {
      if (at < end && !here.has(at)) continue;
      if (at > from) shown.push({ kind: 'left-out', from, to: at - 1 });
      from = at + 1;
    }
    next = Math.max(next, end);
  };
  for (const id of view) {
    const at = originOf(id);
    if (at !== undefined) {
      leaveOutUntil(at);
      next = Math.max(next, at + 1);
    }
    const own = id >= 0 ? messages[id] : made[-1 - id];
    if (own === undefined) continue;
    if (id >= 0) shown.push({ kind: 'kept', at: id, message: own });
    else if (at !== undefined) shown.push({ kind: 'shortened', at, message: own });
    else shown.push({ kind: 'added', made: -1 - id, message: own });
  }
  leaveOutUntil(said);
  return shown;
}
