import type { Fields } from '../../base/native.js';
import type { Message, MessageId } from '../../transcript/message.js';
import type { Draft } from '../draft.js';
import type { CustomEdit, ResolvedEdit } from '../edit.js';
import type { InvariantName } from '../validate.js';
import type { ViewEntry } from '../view-entry.js';

type AnyEdit = ResolvedEdit | CustomEdit;

/** An edit with what it names in the view. */
export interface Change<E extends AnyEdit = AnyEdit> {
  readonly edit: E;
  readonly targets: readonly ViewEntry[];
  /** The message that `EditKind.result` made; undefined where it makes none. */
  readonly message: Message | undefined;
}

/** Why a change would break an invariant, in words; undefined where it does not. */
export type Check<E extends AnyEdit = AnyEdit> = (change: Change<E>, draft: Draft) => string | undefined;

/** Everything that core knows of one type of edit. A new type is a file in this folder and a line in its index. */
export interface EditKind<E extends AnyEdit = AnyEdit> {
  /** The edit as data of its own, each field read once; undefined where it is not of the documented form. May throw. */
  form(fields: Fields, reason: string): E | undefined;
  /** The ids it names; at least one. */
  targets(edit: E): readonly MessageId[];
  /** True where it leaves a message its place and may only shorten its text. */
  readonly keepsPlace: boolean;
  /** The message it puts into the view. */
  result?(edit: E, target: ViewEntry | undefined): Message | undefined;
  /** How many messages fewer the view has after it. */
  gone(change: Change<E>): number;
  /** What else it may break, besides what is protected and the minimum of messages. */
  readonly checks: Partial<Record<InvariantName, Check<E>>>;
  /** @param version names the edit among all edits in force */
  apply(draft: Draft, change: Change<E>, version: string): void;
}

/** By type. */
export type EditKinds = Readonly<Record<string, EditKind>>;

/** A list of ids of its own; undefined where it is none, or empty. */
export function idsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = [...value];
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** Names an entry in a sentence about it. */
export function about(entry: ViewEntry | undefined, what: string): string | undefined {
  return entry && `"${entry.id}" ${what}`;
}

/** Whole exchanges only: no call is parted from its result. */
export const wholeExchanges: Check = ({ targets }, draft) => {
  const sizes = new Map<number, number>();
  for (const { exchange } of targets) sizes.set(exchange, (sizes.get(exchange) ?? 0) + 1);
  const split = targets.find(({ exchange }) => sizes.get(exchange) !== draft.exchangeSize(exchange));
  return about(split, 'would be parted from its tool call or result');
};

/** What it puts into the view has fewer tokens than what it takes out. */
export const fewerTokens: Check = ({ edit, targets, message }, draft) => {
  const before = targets.reduce((sum, entry) => sum + draft.count(entry.message).tokens, 0);
  const after = message === undefined ? 0 : draft.count(message).tokens;
  return after < before ? undefined : `${edit.type} of ${before} tokens leaves ${after}`;
};

/** The text it puts into the view says something. */
export const saysSomething: Check<Extract<ResolvedEdit, { text: string }>> = ({ edit }) =>
  edit.text.trim() === '' ? `a ${edit.type} needs a text` : undefined;
