import { CtxError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Transcript } from '../transcript/transcript.js';
import type { ResolvedEdit } from './edit.js';
import type { EditKinds } from './edits/edit-kind.js';
import { replayInSteps } from './gate.js';
import { coarsened, idsOfRuns, runsOf, type Step } from './steps.js';
import { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { shownIn, type ViewForm, viewForm, viewOfForm } from './view-form.js';

/** The part of a record that the view depends on. */
export interface AppliedRecord {
  readonly id: string;
  readonly edits: readonly ResolvedEdit[];
  /** Length of the transcript when the record was made. */
  readonly transcriptLength: number;
}

/** Records too old to be undone one by one, as plain JSON: only the view after them is kept. */
export interface GroupForm {
  /** Ids of the records, oldest first; consecutive numbers are written as `compression-3..9`. */
  readonly records: readonly string[];
  readonly transcriptLength: number;
  readonly view: ViewForm;
}

/** The records in force as plain JSON, for a snapshot; oldest first. */
export interface RecordsState<Record extends AppliedRecord> {
  readonly groups: readonly GroupForm[];
  /** Records that left the history, with only what is needed to undo them. */
  readonly older: readonly AppliedRecord[];
  /** The records in the history. */
  readonly records: readonly Record[];
  /** If messages have left memory: the views after some records that are in no group. The newest record is one of them. */
  readonly shown?: readonly ShownAfter[] | undefined;
}

/** The view after a record, as plain JSON. */
export interface ShownAfter {
  readonly record: string;
  readonly view: ViewForm;
}

/**
 * Older records stay separate while the JSON of their edits is at most this long, in characters, or at most this share
 * of the transcript's text.
 */
const apartCharacters = 8_000;
const apartShare = 0.05;

/**
 * The records in force, with the views that are kept. The newest records are whole. Older ones keep their edits and can
 * still be undone. The oldest are in groups; a group keeps only the view after it and is undone as a whole. So memory,
 * snapshot size and time do not grow with the number of compressions.
 */
export class RecordsInForce<Record extends AppliedRecord> {
  #steps: readonly Step<Record>[] = [];

  /** @param rules.historySize how many records stay whole */
  constructor(
    readonly transcript: Transcript,
    readonly presenter: Presenter,
    readonly count: CountMessage,
    readonly rules: { readonly historySize: number; readonly kinds?: EditKinds | undefined },
  ) {}

  /** The whole records, oldest first. */
  get whole(): readonly Record[] {
    return this.#steps.map(({ record }) => record).filter((record) => record !== undefined);
  }

  /** Id of the newest record in force. */
  get newestId(): string | undefined {
    return this.#steps.at(-1)?.ids.at(-1);
  }

  /** True if the record can be undone by itself. */
  has(id: string): boolean {
    return this.#indexOf(id) >= 0;
  }

  #indexOf(id: string): number {
    return this.#steps.findIndex(({ ids, edits }) => edits !== undefined && ids[0] === id);
  }

  /** @param after the view after the record */
  add(record: Record, after: View): void {
    const { id, edits, transcriptLength } = record;
    const steps = [...this.#steps, { ids: [id], edits, transcriptLength, record, after }];
    const wholeFrom = steps.length - this.rules.historySize;
    this.#steps = steps.map((step, at) =>
      step.record !== undefined && at < wholeFrom ? { ...step, record: undefined, after: undefined } : step,
    );
  }

  /**
   * If the edits of the records outside the history have grown too large, moves the older half into a group. Does nothing if
   * the records change meanwhile; the next record is then grouped with them.
   * @param saidCharacters length of all texts in the transcript
   */
  *groupOld(saidCharacters: number): Steps<void> {
    const steps = this.#steps;
    const grouped = yield* this.#grouped(steps, saidCharacters);
    if (this.#steps === steps) this.#steps = grouped;
  }

  *#grouped(steps: readonly Step<Record>[], saidCharacters: number): Steps<readonly Step<Record>[]> {
    const first = steps.findIndex(({ edits }) => edits !== undefined);
    const apart = steps.slice(first).filter(({ record }) => record === undefined);
    const size = apart.reduce((sum, { edits }) => sum + charactersIn(edits), 0);
    if (size <= Math.max(apartCharacters, apartShare * saidCharacters)) return steps;
    // Without all messages, only a view that was kept can stand for the records before it.
    const kept = apart.findLastIndex(({ form }) => form !== undefined) + 1;
    const end = first + (this.transcript.isWhole ? Math.ceil(apart.length / 2) : kept);
    if (end === first) return steps;
    const [older, newer] = [steps.slice(0, end), steps.slice(end)];
    const { transcriptLength, form } = older[end - 1] as Step<Record>;
    const group: Step<Record> = {
      ids: older.slice(first).flatMap(({ ids }) => ids),
      transcriptLength,
      ...(form === undefined ? { after: yield* this.#viewAfter(older, transcriptLength) } : { form }),
    };
    return [...coarsened([...older.slice(0, first), group]), ...newer];
  }

  /** The messages that undoing a record takes, or a rewind to a length: those that are not in memory must come back before. */
  neededFor(target: string | number): (readonly [first: number, last: number])[] {
    const isUndo = typeof target === 'string';
    const length = isUndo ? this.transcript.length : target;
    const kept = isUndo
      ? this.#steps.slice(0, this.#indexOf(target))
      : this.#steps.filter(({ transcriptLength }) => transcriptLength <= length);
    const base = kept.findLast(({ after, form }) => (after ?? form) !== undefined);
    const shown = base === undefined ? [] : shownIn(formOf(base) ?? []);
    const needed = [...shown, [base?.transcriptLength ?? 0, length - 1] as const];
    return needed.filter(([from, to]) => this.transcript.between(from, to + 1).length <= to - from);
  }

  /** Makes the kept views independent of what is in memory. */
  release(): void {
    this.#steps = this.#steps.map((step) => ({ ...step, after: undefined, form: formOf(step) }));
  }

  /** Undoes a record and those built on it, and returns their ids. */
  undo(id: string): string[] {
    const at = this.#indexOf(id);
    const later = this.#steps.slice(at + 1);
    this.#steps = this.#steps.slice(0, at);
    return [id, ...this.#replay(later)];
  }

  /** Undoes everything made when the transcript was longer than now, and returns the ids. */
  rewind(): string[] {
    const { length } = this.transcript;
    const isKept = ({ transcriptLength }: Step<Record>) => transcriptLength <= length;
    const undone = this.#steps.filter((step) => !isKept(step)).flatMap(({ ids }) => ids);
    // A kept view may have later messages appended. They must go, because other messages will take their positions.
    this.#steps = this.#steps.filter(isKept).map((step) => ({ ...step, after: step.after?.until(length) }));
    return undone;
  }

  get state(): RecordsState<Record> {
    const groups: GroupForm[] = [];
    const older: AppliedRecord[] = [];
    for (const step of this.#steps) {
      const { ids, transcriptLength, edits, record } = step;
      if (edits === undefined)
        groups.push({ records: runsOf(ids), transcriptLength, view: formOf(step) ?? [] });
      else if (edits !== undefined && record === undefined)
        older.push({ id: ids[0] as string, transcriptLength, edits });
    }
    const state = { groups, older, records: this.whole };
    if (this.transcript.isWhole) return state;
    const shown = this.#steps.flatMap((step) => {
      const view = step.edits && formOf(step);
      return view ? { record: step.ids[0] as string, view } : [];
    });
    return { ...state, shown };
  }

  /**
   * Puts the records of a snapshot in force, after its messages were appended. Returns the id of one that does not fit.
   */
  resume({ groups, older, records, shown }: RecordsState<Record>): string | undefined {
    for (const { records: runs, transcriptLength, view: form } of groups) {
      const step: Step<Record> = { ids: idsOfRuns(runs), transcriptLength, form };
      const after = shown === undefined ? this.#kept(step) : undefined;
      if ((after ?? shown) === undefined || step.ids.length === 0) return step.ids.at(-1) ?? 'without a name';
      this.#steps = [...this.#steps, { ...step, after }];
    }
    const wholeFrom = records.length - this.rules.historySize;
    const later = [
      ...older.map((record) => stepOf<Record>(record)),
      ...records.map((record, at) => stepOf(record, at < wholeFrom ? undefined : record)),
    ];
    if (shown === undefined) return this.#replay(later)[0];
    const forms = new Map(shown.map(({ record, view }) => [record, view]));
    this.#steps = [
      ...this.#steps,
      ...later.map((step) => ({ ...step, form: forms.get(step.ids[0] as string) })),
    ];
    const newest = this.#steps.at(-1);
    return newest === undefined || this.#kept(newest) === undefined ? (newest?.ids.at(-1) ?? '') : undefined;
  }

  /** The view that a step keeps; undefined if it keeps none, or if it names messages that are not there. */
  #kept({ after, form, transcriptLength }: Step<Record>): View | undefined {
    return after ?? (form && viewOfForm(form, transcriptLength, this));
  }

  /** Puts later steps in force again, and returns the ids of records that no longer apply. */
  #replay(later: readonly Step<Record>[]): string[] {
    const [next] = later;
    if (next === undefined) return [];
    const steps = [...this.#steps];
    const undone: string[] = [];
    let view = finish(this.#viewAfter(steps, next.transcriptLength));
    for (const step of later) {
      const shown = this.#extended(view, step.transcriptLength);
      const after = finish(this.#after(shown, step));
      view = after ?? shown;
      if (after === undefined) undone.push(...step.ids);
      else steps.push({ ...step, after: step.record && after, form: undefined });
    }
    this.#steps = steps;
    return undone;
  }

  /** The view of the whole transcript with all records applied. */
  view(): View {
    return finish(this.#viewAfter(this.#steps, this.transcript.length));
  }

  *#viewAfter(steps: readonly Step<Record>[], length: number): Steps<View> {
    const at = steps.findLastIndex(({ after, form }) => (after ?? form) !== undefined);
    const rest = steps.slice(at + 1);
    const until = rest[0]?.transcriptLength ?? length;
    const kept = steps[at] && this.#kept(steps[at]);
    if (kept === undefined && at >= 0) throw notInMemory();
    let view = kept?.until(until).recount(this.count) ?? new View(this.presenter);
    for (const step of rest) {
      yield;
      const shown = this.#extended(view, step.transcriptLength);
      view = (yield* this.#after(shown, step)) ?? shown;
    }
    return this.#extended(view, length).copy();
  }

  #after(view: View, { ids, edits = [] }: Step<Record>): Steps<View | undefined> {
    const { kinds } = this.rules;
    return replayInSteps(view, edits, this.count, { record: ids[0] as string, kinds });
  }

  /** Appends the messages of the transcript that the view does not show yet, up to a length. */
  #extended(view: View, length: number): View {
    const said = this.transcript.between(view.said, length);
    if (!this.transcript.isWhole && said.length < length - view.said) throw notInMemory();
    for (const message of said) view.append(message, this.count);
    return view;
  }
}

export function notInMemory(): CtxError {
  return new CtxError({
    code: 'messages-archived',
    problem: 'It takes messages that have left memory',
    remedy: 'Wait for manager.bringBack(id) first.',
  });
}

function formOf<Record>({ after, form, transcriptLength }: Step<Record>): ViewForm | undefined {
  return form ?? (after && viewForm(after, transcriptLength));
}

function stepOf<Record>({ id, edits, transcriptLength }: AppliedRecord, record?: Record): Step<Record> {
  return { ids: [id], edits, transcriptLength, record };
}

const characters = new WeakMap<object, number>();

/** Length of the edits as JSON, computed once. */
function charactersIn(edits: readonly ResolvedEdit[] = []): number {
  const known = characters.get(edits);
  if (known !== undefined) return known;
  const length = JSON.stringify(edits).length;
  characters.set(edits, length);
  return length;
}
