import type { Steps } from '../base/slices.js';
import type { Conversation } from './conversation.js';
import type { ResolvedEdit } from './edit.js';
import { type Applied, applyEdits, type GateRules } from './gate.js';
import { validateInSteps } from './validate.js';
import type { View } from './view.js';

export interface Planned {
  readonly revision: string;
  readonly edits: readonly ResolvedEdit[];
  readonly view: View;
  /** What else was allowed when they were planned. */
  readonly rules: Partial<GateRules>;
}

/**
 * What a new record would put in force. The gate judges its edits again if the view has changed since they were
 * planned, because messages came or went or the tokenizer was loaded. The whole view is checked in any case; if it
 * breaks an invariant, nothing is applied. The result holds only as long as the revision is the same.
 */
export function* judgedIn(
  { view: before, gateRules, revision, count, rules: { leadingUser } }: Conversation,
  record: string,
  planned: Planned,
): Steps<Applied> {
  const rules = { ...gateRules, ...planned.rules };
  const applied =
    planned.revision === revision
      ? { view: planned.view, accepted: planned.edits, rejected: [] }
      : yield* applyEdits(before, planned.edits, rules, count, { record });
  if (applied.accepted.length === 0) return { ...applied, view: before };
  const [violation] = yield* validateInSteps(applied.view, { ...rules, leadingUser, before });
  if (violation === undefined) return applied;
  return { view: before, accepted: [], rejected: planned.edits.map((edit) => ({ edit, ...violation })) };
}
