import { jsonCopy } from '../../base/json.js';
import { isFields } from '../../base/native.js';
import type { CustomEdit, Edit, ResolvedEdit } from '../edit.js';
import { drop } from './drop.js';
import { dropCalls } from './drop-calls.js';
import type { EditKind, EditKinds } from './edit-kind.js';
import { merge } from './merge.js';
import { replace } from './replace.js';

/** The type makes this list complete. */
const kinds: { readonly [E in ResolvedEdit as E['type']]: EditKind<E> } = {
  drop,
  'drop-calls': dropCalls,
  merge,
  replace,
};

export const builtInKinds = kinds as unknown as EditKinds;

export function kindOf({ type }: { readonly type: string }, known: EditKinds): EditKind | undefined {
  return Object.hasOwn(known, type) ? known[type] : undefined;
}

/** True for an edit that core can apply. Any other edit is unresolved and needs a resolver. */
export function isResolved(edit: Edit, known: EditKinds = builtInKinds): edit is ResolvedEdit {
  return kindOf(edit, known) !== undefined;
}

/** Copies an edit as a strategy may return it, resolved or not. Undefined if it does not have the form of one, or is no plain JSON. */
export function editCopy(value: unknown, known: EditKinds = builtInKinds): Edit | undefined {
  try {
    if (!isFields(value) || typeof value.type !== 'string') return undefined;
    if (isResolved(value as Edit, known)) return plainEdit(value, known);
    const copy = jsonCopy(value);
    return isFields(copy) && typeof copy.type === 'string' ? (copy as unknown as Edit) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Copies a resolved edit, reading each field once, so that its maker can't change it later. Undefined if it does not
 * have the documented form. Written by hand, because a schema would take longer than everything else done with an edit.
 * A kind that core does not have may return anything, so its edit becomes what a snapshot would hold.
 */
export function plainEdit(value: unknown, known: EditKinds = builtInKinds): ResolvedEdit | undefined {
  try {
    if (!isFields(value)) return undefined;
    const { type, reason } = value;
    if (typeof type !== 'string' || typeof reason !== 'string') return undefined;
    const edit = kindOf({ type } as CustomEdit, known)?.form(value, reason);
    return (Object.hasOwn(builtInKinds, type) ? edit : jsonCopy(edit)) as ResolvedEdit | undefined;
  } catch {
    return undefined;
  }
}
