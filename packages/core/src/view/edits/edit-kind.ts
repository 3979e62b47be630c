import type { Fields } from '../../base/native.js';
import type { Message, MessageId } from '../../transcript/message.js';
import type { Draft } from '../draft.js';
import type { CustomEdit, ResolvedEdit } from '../edit.js';
import type { InvariantName } from '../invariants.js';
import type { ViewEntry } from '../view-entry.js';

type AnyEdit = ResolvedEdit | CustomEdit;

/** An edit and its targets in the view. */
export interface Change<E extends AnyEdit = AnyEdit> {
  readonly edit: E;
  readonly targets: readonly ViewEntry[];
  /** The message made by `EditKind.result`; undefined if it makes none. */
  readonly message: Message | undefined;
}

/** Why a change would break an invariant, in words; undefined if it would not. */
export type Check<E extends AnyEdit = AnyEdit> = (change: Change<E>, draft: Draft) => string | undefined;

/** Everything core knows about one type of edit. A new type is one file in this folder and one line in its index. */
export interface EditKind<E extends AnyEdit = AnyEdit> {
  /** Copies the edit, reading each field once; undefined if it does not have the documented form. May throw. */
  form(fields: Fields, reason: string): E | undefined;
  /** The ids that the edit names; at least one. */
  targets(edit: E): readonly MessageId[];
  /** True if the edit keeps a message in its place and only shortens its text. @default false */
  readonly keepsPlace?: boolean;
  /** The message that the edit puts into the view. */
  result?(edit: E, target: ViewEntry | undefined): Message | undefined;
  /** How many messages the view loses. @default all targets, apart from one if there is a result */
  gone?(change: Change<E>): number;
  /** Other invariants it may break, in addition to protected messages and the minimum number of messages. */
  readonly checks: Partial<Record<InvariantName, Check<E>>>;
  /** @param version identifies the edit among all edits in force */
  apply(draft: Draft, change: Change<E>, version: string): void;
}

export type EditKinds = Readonly<Record<string, EditKind>>;

export function idsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = [...value];
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** A sentence about an entry; undefined without an entry. */
export function about(entry: ViewEntry | undefined, what: string): string | undefined {
  return entry && `"${entry.id}" ${what}`;
}

/** The targets are whole exchanges, so no call is separated from its result. */
export const wholeExchanges: Check = ({ targets }, draft) => {
  const sizes = new Map<number, number>();
  for (const { exchange } of targets) sizes.set(exchange, (sizes.get(exchange) ?? 0) + 1);
  const split = targets.find(({ exchange }) => sizes.get(exchange) !== draft.exchangeSize(exchange));
  return about(split, 'would be separated from its tool call or result');
};

/** The edit puts fewer tokens into the view than it takes out. */
export const fewerTokens: Check = ({ edit, targets, message }, draft) => {
  const before = targets.reduce((sum, entry) => sum + draft.count(entry.message).tokens, 0);
  const after = message === undefined ? 0 : draft.count(message).tokens;
  return after < before ? undefined : `${edit.type} of ${before} tokens leaves ${after}`;
};

export const saysSomething: Check<Extract<ResolvedEdit, { text: string }>> = ({ edit }) =>
  edit.text.trim() === '' ? `a ${edit.type} needs a text` : undefined;
