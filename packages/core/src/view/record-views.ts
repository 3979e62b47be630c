import { finish, type Steps } from '../base/slices.js';
import type { Transcript } from '../transcript/transcript.js';
import type { EditKinds } from './edits/edit-kind.js';
import { replayInSteps } from './gate.js';
import type { AppliedRecord, OldestRecords } from './records-state.js';
import { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { type ViewForm, viewForm, viewOfForm } from './view-form.js';

/** A record in force. */
export interface Step<Record> extends AppliedRecord {
  /** The whole record, while it is in the history. */
  readonly record?: Record | undefined;
  /** The view after it, while it is in the history. */
  readonly view?: ViewForm | undefined;
}

/** The records in force, oldest first. */
export interface InForce<Record> {
  readonly oldest?: OldestRecords | undefined;
  readonly steps: readonly Step<Record>[];
}

/** What the views after records are made with. */
export interface Surroundings {
  readonly transcript: Transcript;
  readonly presenter: Presenter;
  readonly count: CountMessage;
  readonly rules: { readonly kinds?: EditKinds | undefined };
}

/** The view that records leave, with the messages up to a length. */
export function* viewAfter<Record>(
  { oldest, steps }: InForce<Record>,
  length: number,
  surroundings: Surroundings,
): Steps<View> {
  const at = steps.findLastIndex((step) => step.view !== undefined);
  const kept = steps[at] ?? oldest;
  const base = kept?.view && viewOfForm(kept.view, kept.transcriptLength, surroundings);
  let view = base ?? new View(surroundings.presenter);
  for (const step of steps.slice(at + 1)) {
    yield;
    const shown = extended(view, step.transcriptLength, surroundings);
    view = (yield* afterStep(shown, step, surroundings)) ?? shown;
  }
  return extended(view, length, surroundings).copy();
}

/** Records followed by later ones, with the views after those, and the ids of records that no longer apply. */
export function replayed<Record>(
  before: InForce<Record>,
  later: readonly Step<Record>[],
  surroundings: Surroundings,
): { readonly steps: readonly Step<Record>[]; readonly undone: readonly string[] } {
  const steps = [...before.steps];
  const undone: string[] = [];
  const [next] = later;
  if (next === undefined) return { steps, undone };
  let view = finish(viewAfter(before, next.transcriptLength, surroundings));
  for (const step of later) {
    const shown = extended(view, step.transcriptLength, surroundings);
    const after = finish(afterStep(shown, step, surroundings, true));
    view = after ?? shown;
    if (after === undefined) undone.push(step.id);
    else steps.push({ ...step, view: step.record && viewForm(after, step.transcriptLength) });
  }
  return { steps, undone };
}

function afterStep(
  view: View,
  { id, edits }: AppliedRecord,
  { count, rules: { kinds } }: Surroundings,
  undoes = false,
): Steps<View | undefined> {
  return replayInSteps(view, edits, count, { record: id, kinds, undoes });
}

/** Appends the messages of the transcript that the view does not show yet, up to a length. */
function extended(view: View, length: number, { transcript, count }: Surroundings): View {
  for (const message of transcript.messages.slice(view.said, length)) view.append(message, count);
  return view;
}
