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

/** The edit types that core can apply by itself. */
export const builtInKinds = kinds as unknown as EditKinds;

export function kindOf({ type }: { readonly type: string }, known: EditKinds): EditKind | undefined {
  return Object.hasOwn(known, type) ? known[type] : undefined;
}

/** True for an edit that core can apply. Any other edit is unresolved and needs a resolver. */
export function isResolved(edit: Edit, known: EditKinds = builtInKinds): edit is ResolvedEdit {
  return kindOf(edit, known) !== undefined;
}

/** True if a value has the form of an edit, resolved or not, as a strategy may return it. */
export function isEdit(value: unknown, known: EditKinds = builtInKinds): value is Edit {
  try {
    if (!isFields(value) || typeof value.type !== 'string') return false;
    return !isResolved(value as Edit, known) || plainEdit(value, known) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Copies a resolved edit, reading each field once, so that its maker can't change it later. Undefined if it does not
 * have the documented form. Written by hand, because a schema would take longer than everything else done with an edit.
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
