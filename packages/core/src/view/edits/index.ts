import { isFields } from '../../base/native.js';
import type { CustomEdit, Edit, ResolvedEdit } from '../edit.js';
import { drop } from './drop.js';
import { dropCalls } from './drop-calls.js';
import type { EditKind, EditKinds } from './edit-kind.js';
import { merge } from './merge.js';
import { replace } from './replace.js';

/** Complete by its type. */
const kinds: { readonly [E in ResolvedEdit as E['type']]: EditKind<E> } = {
  drop,
  'drop-calls': dropCalls,
  merge,
  replace,
};

/** The types of edits that core can apply by itself. */
export const builtInKinds = kinds as unknown as EditKinds;

export function kindOf({ type }: { readonly type: string }, known: EditKinds): EditKind | undefined {
  return Object.hasOwn(known, type) ? known[type] : undefined;
}

/** True for an edit that core can apply; another is unresolved, and a resolver has to make such of it. */
export function isResolved(edit: Edit, known: EditKinds = builtInKinds): edit is ResolvedEdit {
  return kindOf(edit, known) !== undefined;
}

/** The form of an edit, resolved or not, as a strategy may return it. */
export function isEdit(value: unknown, known: EditKinds = builtInKinds): value is Edit {
  try {
    if (!isFields(value) || typeof value.type !== 'string') return false;
    return !isResolved(value as Edit, known) || plainEdit(value, known) !== undefined;
  } catch {
    return false;
  }
}

/**
 * A resolved edit as data of its own, each field read once: whoever made it can't change it later. Undefined where it is not of the documented
 * form. By hand, because a schema takes longer than everything else that is done with an edit.
 */
export function plainEdit(value: unknown, known: EditKinds = builtInKinds): ResolvedEdit | undefined {
  try {
    if (!isFields(value)) return undefined;
    const { type, reason } = value;
    if (typeof type !== 'string' || typeof reason !== 'string') return undefined;
    return kindOf({ type } as CustomEdit, known)?.form(value, reason) as ResolvedEdit | undefined;
  } catch {
    return undefined;
  }
}
