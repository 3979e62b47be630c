import { CtxError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Transcript } from '../transcript/transcript.js';
import type { EditKinds } from './edits/edit-kind.js';
import { replayInSteps } from './gate.js';
import type { Step } from './steps.js';
import { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { type ViewForm, viewForm, viewOfForm } from './view-form.js';

/** What the views after steps are made with. */
export interface Surroundings {
  readonly transcript: Transcript;
  readonly presenter: Presenter;
  readonly count: CountMessage;
  readonly rules: { readonly kinds?: EditKinds | undefined };
}

/** The form of the view that a step keeps; undefined if it keeps none. */
export function formOf<Record>({ after, form, transcriptLength }: Step<Record>): ViewForm | undefined {
  return form ?? (after && viewForm(after, transcriptLength));
}

/** The view that a step keeps; undefined if it keeps none, or if it names messages that are not there. */
export function keptView<Record>(
  { after, form, transcriptLength }: Step<Record>,
  surroundings: Surroundings,
): View | undefined {
  return after ?? (form && viewOfForm(form, transcriptLength, surroundings));
}

/**
 * The view that steps leave, with the messages up to a length.
 * @throws CtxError `messages-archived`
 */
export function* viewAfter<Record>(
  steps: readonly Step<Record>[],
  length: number,
  surroundings: Surroundings,
): Steps<View> {
  const at = steps.findLastIndex(({ after, form }) => (after ?? form) !== undefined);
  const rest = steps.slice(at + 1);
  const until = rest[0]?.transcriptLength ?? length;
  const kept = steps[at] && keptView(steps[at], surroundings);
  if (kept === undefined && at >= 0) throw notInMemory();
  let view = kept?.until(until).recount(surroundings.count) ?? new View(surroundings.presenter);
  for (const step of rest) {
    yield;
    const shown = extended(view, step.transcriptLength, surroundings);
    view = (yield* afterStep(shown, step, surroundings)) ?? shown;
  }
  return extended(view, length, surroundings).copy();
}

/** The steps, followed by later ones with the views after them, and the ids of records that no longer apply. */
export function replayed<Record>(
  before: readonly Step<Record>[],
  later: readonly Step<Record>[],
  surroundings: Surroundings,
): { readonly steps: readonly Step<Record>[]; readonly undone: readonly string[] } {
  const steps = [...before];
  const undone: string[] = [];
  const [next] = later;
  if (next === undefined) return { steps, undone };
  let view = finish(viewAfter(steps, next.transcriptLength, surroundings));
  for (const step of later) {
    const shown = extended(view, step.transcriptLength, surroundings);
    const after = finish(afterStep(shown, step, surroundings, true));
    view = after ?? shown;
    if (after === undefined) undone.push(...step.ids);
    else steps.push({ ...step, after: step.record && after, form: undefined });
  }
  return { steps, undone };
}

function afterStep<Record>(
  view: View,
  { ids, edits = [] }: Step<Record>,
  { count, rules: { kinds } }: Surroundings,
  undoes = false,
): Steps<View | undefined> {
  return replayInSteps(view, edits, count, { record: ids[0] as string, kinds, undoes });
}

/** Appends the messages of the transcript that the view does not show yet, up to a length. */
function extended(view: View, length: number, { transcript, count }: Surroundings): View {
  const said = transcript.between(view.said, length);
  if (!transcript.isWhole && said.length < length - view.said) throw notInMemory();
  for (const message of said) view.append(message, count);
  return view;
}

export function notInMemory(): CtxError {
  return new CtxError({
    code: 'messages-archived',
    problem: 'It takes messages that have left memory',
    remedy: 'Wait for manager.bringBack(id) first.',
  });
}
