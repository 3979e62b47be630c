import { plainCopy } from '../base/json.js';
import { finish, type Steps } from '../base/slices.js';
import { Draft } from './draft.js';
import type { ResolvedEdit, SummarizeEdit } from './edit.js';
import type { Change, EditKind, EditKinds } from './edits/edit-kind.js';
import { builtInKinds, kindOf, plainEdit } from './edits/index.js';
import { withHandle } from './handle.js';
import type { InvariantName } from './invariants.js';
import { type ProtectionRules, protectedBecause, protectionOf } from './protection.js';
import type { View } from './view.js';
import type { CountMessage, ViewEntry } from './view-entry.js';

export interface GateRules extends ProtectionRules {
  readonly minMessagesToKeep: number;
  readonly kinds?: EditKinds | undefined;
  /** True: a shortened part names the handle under which all of its message can be read. */
  readonly handles?: boolean | undefined;
}

interface Judged {
  readonly change: Change;
  readonly kind: EditKind;
}

/** In a crowded window any strategy may shorten what otherwise stays word for word. */
export const crowdedRules: Partial<GateRules> = { mayShorten: true };

/** The last resort has one task: to make the view fit if it can fit at all. */
export const lastResortRules: Partial<GateRules> = { mayShorten: true, minMessagesToKeep: 1 };

/** An edit that was not applied, and the invariant it would have broken. */
export interface RejectedEdit {
  readonly edit: unknown;
  readonly invariant: InvariantName;
  readonly detail: string;
}

export interface Applied {
  readonly view: View;
  readonly accepted: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
}

/**
 * Applies edits to a view, in order. An edit that would break an invariant is rejected with the invariant's name; the
 * others still apply. The input is not changed.
 * @param numbered.record id of the record that the edits belong to; ids of merged messages derive from it
 * @param numbered.offset number of edits that the record already has
 */
export function* applyEdits(
  view: View,
  edits: readonly unknown[],
  rules: GateRules,
  count: CountMessage,
  { record, offset = 0 }: { readonly record: string; readonly offset?: number },
): Steps<Applied> {
  yield;
  const draft = new Draft(view, count);
  const accepted: ResolvedEdit[] = [];
  const rejected: RejectedEdit[] = [];
  for (const edit of edits) {
    yield;
    const judged = judge(edit, draft, rules);
    if ('invariant' in judged) {
      rejected.push(judged);
      continue;
    }
    yield;
    const { change, kind } = judged;
    kind.apply(draft, change, `${record}.${offset + accepted.length}`);
    accepted.push(change.edit as ResolvedEdit);
  }
  return { view: accepted.length === 0 ? view : yield* draft.toView(), accepted, rejected };
}

/**
 * Applies edits that were accepted before, for example when a record is undone or a snapshot restored. Returns
 * undefined if one of them names something that no longer exists, or merges around a user message that an undo has brought back.
 */
export function replayed(
  view: View,
  edits: readonly ResolvedEdit[],
  count: CountMessage,
  { record, kinds = builtInKinds }: { readonly record: string; readonly kinds?: EditKinds | undefined },
): View | undefined {
  const draft = new Draft(view, count);
  for (const [index, edit] of edits.entries()) {
    const found = findTargets(edit, draft, kinds);
    if ('invariant' in found) return undefined;
    const { change, kind } = found;
    const isLost = kind.result !== undefined && change.message === undefined;
    const { 'tool-pairs': pairs, order } = kind.checks;
    if (isLost || (pairs?.(change, draft) ?? order?.(change, draft))) return undefined;
    kind.apply(draft, change, `${record}.${index}`);
  }
  return finish(draft.toView());
}

/** Asks, before a model is called, why no summary may replace these messages, whatever its text; undefined if one may. */
export function judgeMerge(
  edit: SummarizeEdit,
  view: View,
  rules: GateRules,
  count: CountMessage,
): RejectedEdit | undefined {
  const { messages, placement = 'last', reason } = edit;
  const merge = { type: 'merge', messages, text: '…', placement, reason };
  const judged = judge(merge, new Draft(view, count), rules);
  return 'invariant' in judged ? judged : undefined;
}

function judge(value: unknown, draft: Draft, rules: GateRules): Judged | RejectedEdit {
  const edit = plainEdit(value, rules.kinds ?? builtInKinds);
  if (edit === undefined) {
    return {
      edit: plainCopy(value),
      invariant: 'targets-exist',
      detail: 'not a resolved edit of the documented form',
    };
  }
  const handled =
    rules.handles && edit.type === 'replace' ? withHandle(edit, draft.find(edit.message)) : edit;
  const judged = judgeEdit(handled, draft, rules);
  // No edit is refused because of its handle.
  const isTooLong = handled !== edit && 'invariant' in judged && judged.invariant === 'fewer-tokens';
  return isTooLong ? judgeEdit(edit, draft, rules) : judged;
}

function judgeEdit(edit: ResolvedEdit, draft: Draft, rules: GateRules): Judged | RejectedEdit {
  const { kinds = builtInKinds } = rules;
  const found = findTargets(edit, draft, kinds);
  if ('invariant' in found) return found;
  // Most messages are not protected, and each guarantee would ask again.
  const guarded = found.change.targets.filter((entry) => protectionOf(entry, rules) !== undefined);
  for (const [invariant, check] of editInvariants) {
    const detail = check(found.change, found.kind, draft, rules, guarded);
    if (detail !== undefined) return { edit, invariant, detail };
  }
  return found;
}

/** Invariant 6 for one edit: every target exists, and a merged message is named by its id or by all its originals. */
function findTargets(edit: ResolvedEdit, draft: Draft, kinds: EditKinds): Judged | RejectedEdit {
  const kind = kindOf(edit, kinds) as EditKind;
  const ids = kind.targets(edit);
  const targets = new Set<ViewEntry>();
  let named: Set<string> | undefined;
  const missing = (detail: string): RejectedEdit => ({ edit, invariant: 'targets-exist', detail });
  for (const id of ids) {
    const entry = draft.find(id);
    if (entry === undefined) return missing(`no message "${id}" in the view`);
    targets.add(entry);
    if (entry.id === id) continue;
    named ??= new Set(ids);
    if (!named.has(entry.id) && !entry.origins.messages.every((origin) => named?.has(origin.id)))
      return missing(`"${id}" is part of "${entry.id}", which must be named as a whole`);
  }
  const found = [...targets];
  return { change: { edit, targets: found, message: kind.result?.(edit, found[0]) }, kind };
}

type EditInvariant = (
  change: Change,
  kind: EditKind,
  draft: Draft,
  rules: GateRules,
  guarded: readonly ViewEntry[],
) => string | undefined;

/** Finds the first target that one guarantee protects from this kind of edit. */
function touches(by: InvariantName): EditInvariant {
  return (_change, { keepsPlace }, _draft, rules, guarded) => {
    for (const entry of guarded) {
      const protection = protectionOf(entry, rules);
      if (protection?.by !== by || (keepsPlace && protection.keeps === 'place')) continue;
      return `"${entry.id}" ${protectedBecause(protection)}`;
    }
    return undefined;
  };
}

function checked(by: InvariantName): EditInvariant {
  return (change, { checks }, draft) => checks[by]?.(change, draft);
}

/** The invariants that a single edit can break. Each returns what is wrong. */
const editInvariants: readonly (readonly [InvariantName, EditInvariant])[] = [
  ['system-stays', touches('system-stays')],
  ['pinned-stays', touches('pinned-stays')],
  ['newest-user-stays', touches('newest-user-stays')],
  ['task-stays', touches('task-stays')],
  ['tool-pairs', touches('tool-pairs')],
  ['tool-pairs', checked('tool-pairs')],
  ['content-not-empty', checked('content-not-empty')],
  ['order', checked('order')],
  ['reasoning-unaltered', checked('reasoning-unaltered')],
  ['unread-stays', touches('unread-stays')],
  ['fewer-tokens', checked('fewer-tokens')],
  [
    'min-messages',
    (change, kind, draft, { minMessagesToKeep }) => {
      const gone = kind.gone?.(change) ?? change.targets.length - (change.message === undefined ? 0 : 1);
      if (gone === 0 || draft.length - gone >= minMessagesToKeep) return undefined;
      return `${draft.length - gone} messages would stay, but at least ${minMessagesToKeep} must`;
    },
  ],
];
