import type { Transcript } from '../transcript/transcript.js';
import type { ResolvedEdit } from './edit.js';
import type { EditKinds } from './edits/edit-kind.js';
import { replayEdits } from './gate.js';
import { coarsened, idsOfRuns, runsOf, type Step } from './steps.js';
import { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { type ViewForm, viewForm, viewOfForm } from './view-form.js';

/** What of a record the view follows from. */
export interface AppliedRecord {
  readonly id: string;
  readonly edits: readonly ResolvedEdit[];
  /** Length of the transcript when it was made. */
  readonly transcriptLength: number;
}

/** Records too old to be undone one by one, as plain JSON: the view after them. */
export interface GroupForm {
  /** Ids of the records, oldest first; neighbours in number as `compression-3..9`. */
  readonly records: readonly string[];
  readonly transcriptLength: number;
  readonly view: ViewForm;
}

/** Plain JSON, for a snapshot; oldest first. */
export interface RecordsState<Record extends AppliedRecord> {
  readonly groups: readonly GroupForm[];
  /** Records that left the history, without what is not needed to undo them. */
  readonly older: readonly AppliedRecord[];
  /** Those in the history. */
  readonly records: readonly Record[];
}

/** Older records stay apart while the JSON of their edits is at most this, in characters, or this share of what was said. */
const apartCharacters = 8_000;
const apartShare = 0.05;

/**
 * The records in force, and the view after each that is kept. The newest are whole; older ones keep their edits, and can still be undone;
 * those before them are in groups, each known by the view it left, and are taken back together. So memory, snapshot and time do not grow with the
 * number of compressions.
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

  /** The whole ones, oldest first. */
  get whole(): readonly Record[] {
    return this.#steps.map(({ record }) => record).filter((record) => record !== undefined);
  }

  /** Of the newest record in force. */
  get newestId(): string | undefined {
    return this.#steps.at(-1)?.ids.at(-1);
  }

  /** True for a record that can be undone by itself. */
  has(id: string): boolean {
    return this.#indexOf(id) >= 0;
  }

  #indexOf(id: string): number {
    return this.#steps.findIndex(({ ids, edits }) => edits !== undefined && ids[0] === id);
  }

  /**
   * @param after the view that the record left
   * @param saidCharacters of the texts of the whole transcript
   */
  add(record: Record, after: View, saidCharacters: number): void {
    const { id, edits, transcriptLength } = record;
    const steps = [...this.#steps, { ids: [id], edits, transcriptLength, record, after }];
    const wholeFrom = steps.length - this.rules.historySize;
    this.#steps = this.#grouped(
      steps.map((step, at) =>
        step.record !== undefined && at < wholeFrom ? { ...step, record: undefined, after: undefined } : step,
      ),
      saidCharacters,
    );
  }

  /** Takes the older half of the records that left the history into a group where their edits have grown too large. */
  #grouped(steps: readonly Step<Record>[], saidCharacters: number): readonly Step<Record>[] {
    const first = steps.findIndex(({ edits }) => edits !== undefined);
    const apart = steps.slice(first).filter(({ record }) => record === undefined);
    const size = apart.reduce((sum, { edits }) => sum + charactersIn(edits), 0);
    if (size <= Math.max(apartCharacters, apartShare * saidCharacters)) return steps;
    const end = first + Math.ceil(apart.length / 2);
    const [older, newer] = [steps.slice(0, end), steps.slice(end)];
    const { transcriptLength } = older[end - 1] as Step<Record>;
    const group: Step<Record> = {
      ids: older.slice(first).flatMap(({ ids }) => ids),
      transcriptLength,
      after: this.#viewAfter(older, transcriptLength),
    };
    return [...coarsened([...older.slice(0, first), group]), ...newer];
  }

  /** Takes back a record and those that build on it; returns their ids. */
  undo(id: string): string[] {
    const at = this.#indexOf(id);
    const later = this.#steps.slice(at + 1);
    this.#steps = this.#steps.slice(0, at);
    return [id, ...this.#replay(later)];
  }

  /** Takes back what was made when the transcript was longer than it is; returns the ids. */
  rewind(): string[] {
    const { length } = this.transcript;
    const isKept = ({ transcriptLength }: Step<Record>) => transcriptLength <= length;
    const undone = this.#steps.filter((step) => !isKept(step)).flatMap(({ ids }) => ids);
    // What was appended to a view since must not stay in it: other messages will stand at these positions.
    this.#steps = this.#steps.filter(isKept).map((step) => ({ ...step, after: step.after?.until(length) }));
    return undone;
  }

  get state(): RecordsState<Record> {
    const groups: GroupForm[] = [];
    const older: AppliedRecord[] = [];
    for (const { ids, transcriptLength, edits, record, after } of this.#steps) {
      if (edits === undefined && after !== undefined)
        groups.push({ records: runsOf(ids), transcriptLength, view: viewForm(after, transcriptLength) });
      else if (edits !== undefined && record === undefined)
        older.push({ id: ids[0] as string, transcriptLength, edits });
    }
    return { groups, older, records: this.whole };
  }

  /** Puts those of a snapshot in force; the messages are there. Returns the id of one that does not fit them. */
  resume({ groups, older, records }: RecordsState<Record>): string | undefined {
    const { transcript, presenter, count } = this;
    for (const { records: runs, transcriptLength, view } of groups) {
      const ids = idsOfRuns(runs);
      const after = viewOfForm(view, transcriptLength, { transcript, presenter, count });
      if (after === undefined || ids.length === 0) return ids.at(-1) ?? 'without a name';
      this.#steps = [...this.#steps, { ids, transcriptLength, after }];
    }
    const wholeFrom = records.length - this.rules.historySize;
    const [lost] = this.#replay([
      ...older.map((record) => stepOf<Record>(record)),
      ...records.map((record, at) => stepOf(record, at < wholeFrom ? undefined : record)),
    ]);
    return lost;
  }

  /** Works out every view anew, after messages of the transcript were replaced that no record edits. */
  restart(state: RecordsState<Record>): void {
    this.#steps = [];
    this.resume(state);
  }

  /** Puts steps in force again behind those in force; returns the ids of the records that no longer apply. */
  #replay(later: readonly Step<Record>[]): string[] {
    const [next] = later;
    if (next === undefined) return [];
    const steps = [...this.#steps];
    const undone: string[] = [];
    let view = this.#viewAfter(steps, next.transcriptLength);
    for (const step of later) {
      const shown = this.#extended(view, step.transcriptLength);
      const after = this.#after(shown, step);
      view = after ?? shown;
      if (after === undefined) undone.push(...step.ids);
      else steps.push({ ...step, after: step.record && after });
    }
    this.#steps = steps;
    return undone;
  }

  /** The view of the whole transcript with everything in force. */
  view(): View {
    return this.#viewAfter(this.#steps, this.transcript.length);
  }

  #viewAfter(steps: readonly Step<Record>[], length: number): View {
    const at = steps.findLastIndex(({ after }) => after !== undefined);
    const rest = steps.slice(at + 1);
    const until = rest[0]?.transcriptLength ?? length;
    let view = steps[at]?.after?.until(until).recount(this.count) ?? new View(this.presenter);
    for (const step of rest) {
      const shown = this.#extended(view, step.transcriptLength);
      view = this.#after(shown, step) ?? shown;
    }
    return this.#extended(view, length).copy();
  }

  #after(view: View, { ids, edits = [] }: Step<Record>): View | undefined {
    return replayEdits(view, edits, this.count, { record: ids[0] as string, kinds: this.rules.kinds });
  }

  /** The view with the messages of the transcript appended that it does not show yet, up to a length. */
  #extended(view: View, length: number): View {
    for (const message of this.transcript.messages.slice(view.said, length)) view.append(message, this.count);
    return view;
  }
}

function stepOf<Record>({ id, edits, transcriptLength }: AppliedRecord, record?: Record): Step<Record> {
  return { ids: [id], edits, transcriptLength, record };
}

const characters = new WeakMap<object, number>();

/** Of the JSON of some edits; worked out once. */
function charactersIn(edits: readonly ResolvedEdit[] = []): number {
  const known = characters.get(edits);
  if (known !== undefined) return known;
  const length = JSON.stringify(edits).length;
  characters.set(edits, length);
  return length;
}
