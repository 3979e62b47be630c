import type { MessageId } from '../transcript/message.js';
import { reservedIds, unknownId } from '../transcript/transcript.js';
import type { Conversation } from './conversation.js';
import type { ResolvedEdit } from './edit.js';
import type { EditKinds } from './edits/edit-kind.js';
import { kindOf } from './edits/index.js';
import { handleOf } from './handle.js';
import type { AppliedRecord } from './records-in-force.js';
import { arrival } from './view.js';

/** Where a message of the transcript is now. */
export interface Whereabouts {
  readonly id: MessageId;
  /** Its handle, as in `#m41`. */
  readonly ref: string;
  /**
   * In the view as it was said, in the view with a part shortened or gone, as part of another message that stands for several, or no longer
   * in the view.
   */
  readonly state: 'whole' | 'changed' | 'merged' | 'dropped';
  /** The message of the view that stands for it; missing if it was dropped. */
  readonly shownBy?: MessageId | undefined;
  /** The record that brought it there; old records can't be told apart. */
  readonly record?: string | undefined;
  /** The type of the edit and its reason, unless the record is too old. */
  readonly edit?: string | undefined;
  readonly reason?: string | undefined;
  readonly text: string;
}

/**
 * @param which an id or a handle
 * @throws CtxError `id-unknown`
 */
export function whereaboutsOf(
  { transcript, view, records }: Conversation,
  which: string,
  kinds: EditKinds,
): Whereabouts {
  if (typeof which !== 'string') throw unknownId(which);
  const number = /^#m(\d{1,15})$/.exec(which)?.[1];
  const said = transcript.get(which) ?? transcript.at(Number(number ?? 0) - 1);
  if (said === undefined) throw unknownId(which);
  const { id, index } = said;
  const ref = handleOf(index);
  const entry = view.entries.find(({ origins }) => origins.messages.some((origin) => origin.id === id));
  const isMerged = entry !== undefined && !entry.origins.isOnly(id);
  const state =
    entry === undefined ? 'dropped' : isMerged ? 'merged' : entry.version === undefined ? 'whole' : 'changed';
  if (state === 'whole')
    return { id, ref, state, shownBy: id, text: `${ref} is in the view as it was said.` };
  if (entry?.version === arrival) {
    const text = `${ref} is in the view as an excerpt: it was too large when it arrived.`;
    return { id, ref, state, shownBy: id, reason: arrival, text };
  }
  const by = lastEditOf(id, records, kinds);
  const verbs = { changed: 'was changed', merged: `is part of "${entry?.id}"`, dropped: 'left the view' };
  const tooOld = 'a record that is too old to be told from others';
  const why = by === undefined ? tooOld : `${by.record} (${by.edit}): ${by.reason}`;
  return {
    id,
    ref,
    state,
    ...(entry && { shownBy: entry.id }),
    ...by,
    text: `${ref} ${verbs[state]} by ${why}.`,
  };
}

function lastEditOf(id: MessageId, records: Iterable<AppliedRecord>, kinds: EditKinds) {
  let name = id;
  let newest: { readonly record: string; readonly edit: string; readonly reason: string } | undefined;
  for (const { id: record, edits } of records) {
    for (const [index, edit] of edits.entries()) {
      const targets: readonly string[] = kindOf(edit, kinds)?.targets(edit as ResolvedEdit) ?? [];
      const isNamed = targets.includes(id) || targets.includes(name);
      if (!isNamed) continue;
      newest = { record, edit: edit.type, reason: edit.reason };
      if (edit.type === 'merge') name = `${reservedIds}${record}.${index}`;
    }
  }
  return newest;
}
