import { CtxError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Transcript } from '../transcript/transcript.js';
import type { EditKinds } from './edits/edit-kind.js';
import { grouped } from './grouped-steps.js';
import type { AppliedRecord, GroupForm, RecordsState, ShownAfter } from './records-state.js';
import { formOf, keptView, notInMemory, replayed, viewAfter } from './step-views.js';
import { idsOfRuns, runsOf, type Step } from './steps.js';
import type { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { shownIn } from './view-form.js';

/**
 * The records in force, with the views that are kept. The newest records are whole. Older ones keep their edits and can
 * still be undone. The oldest are in groups; a group keeps only the view after it and is undone as a whole. So memory,
 * snapshot size and time do not grow with the number of compressions.
 */
export class RecordsInForce<Record extends AppliedRecord> {
  #steps: readonly Step<Record>[] = [];

  /** @param rules.historySize how many records stay whole; as many of those made before a send */
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

  #indexOf(id: string): number {
    return this.#steps.findIndex(({ ids, edits }) => edits !== undefined && ids[0] === id);
  }

  /** @param after the view after the record */
  add(record: Record, after: View): void {
    const { id, edits, transcriptLength } = record;
    const steps = [...this.#steps, { ids: [id], edits, transcriptLength, record, after }];
    const whole = this.#newest(steps.map((step) => step.record));
    this.#steps = steps.map((step) =>
      step.record === undefined || whole.has(step.record)
        ? step
        : { ...step, record: undefined, after: undefined },
    );
  }

  /** The newest records of both kinds. */
  #newest(records: readonly (Record | undefined)[]): ReadonlySet<Record> {
    const newestOf = (isBeforeSend: boolean) =>
      records
        .filter((one) => one !== undefined && (one.beforeSend === true) === isBeforeSend)
        .slice(-this.rules.historySize);
    return new Set([...newestOf(false), ...newestOf(true)] as Record[]);
  }

  /**
   * If the edits of the records outside the history have grown too large, moves the older half into a group. Does nothing if
   * the records change meanwhile; the next record is then grouped with them.
   */
  *groupOld(): Steps<void> {
    const steps = this.#steps;
    const after = yield* grouped(steps, this.transcript.characters, this);
    if (this.#steps === steps) this.#steps = after;
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

  /** @throws CtxError `messages-archived` if something that undoing a record takes, or a rewind to a length, is not in memory */
  refuseWithout(target: string | number): void {
    if (!this.transcript.isWhole && this.neededFor(target).length > 0) throw notInMemory();
  }

  /**
   * Undoes a record and those built on it, and returns their ids.
   * @throws CtxError `record-unknown` or `messages-archived`
   */
  undo(id: string): string[] {
    const at = this.#indexOf(id);
    if (at < 0) {
      throw new CtxError({
        code: 'record-unknown',
        problem: 'No record in force has this id',
        place: 'undo',
        value: id,
        remedy: 'Use an id from manager.history.',
      });
    }
    this.refuseWithout(id);
    return [id, ...this.#replay(this.#steps.slice(0, at), this.#steps.slice(at + 1))];
  }

  /** Puts steps in force and later ones behind them, and returns the ids of records that no longer apply. */
  #replay(before: readonly Step<Record>[], later: readonly Step<Record>[]): readonly string[] {
    const { steps, undone } = replayed(before, later, this);
    this.#steps = steps;
    return undone;
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
    const shown: ShownAfter[] = [];
    const { isWhole } = this.transcript;
    for (const step of this.#steps) {
      const { ids, transcriptLength, edits, record } = step;
      const id = ids[0] as string;
      if (edits === undefined) {
        groups.push({ records: runsOf(ids), transcriptLength, view: formOf(step) ?? [] });
        continue;
      }
      if (record === undefined) older.push({ id, transcriptLength, edits });
      const view = isWhole ? undefined : formOf(step);
      if (view !== undefined) shown.push({ record: id, view });
    }
    const state = { groups, older, records: this.whole };
    return isWhole ? state : { ...state, shown };
  }

  /**
   * Puts the records of a snapshot in force, after its messages were appended. Returns the id of one that does not fit.
   */
  resume({ groups, older, records, shown }: RecordsState<Record>): string | undefined {
    for (const { records: runs, transcriptLength, view: form } of groups) {
      const step: Step<Record> = { ids: idsOfRuns(runs), transcriptLength, form };
      const after = shown === undefined ? keptView(step, this) : undefined;
      if ((after ?? shown) === undefined || step.ids.length === 0) return step.ids.at(-1) ?? 'without a name';
      this.#steps = [...this.#steps, { ...step, after }];
    }
    const whole = this.#newest(records);
    const later = [
      ...older.map((record) => stepOf<Record>(record)),
      ...records.map((record) => stepOf(record, whole.has(record) ? record : undefined)),
    ];
    if (shown === undefined) return this.#replay(this.#steps, later)[0];
    const forms = new Map(shown.map(({ record, view }) => [record, view]));
    this.#steps = [
      ...this.#steps,
      ...later.map((step) => ({ ...step, form: forms.get(step.ids[0] as string) })),
    ];
    const newest = this.#steps.at(-1);
    return newest === undefined || keptView(newest, this) === undefined
      ? (newest?.ids.at(-1) ?? '')
      : undefined;
  }

  /** The view of the whole transcript with all records applied. */
  view(): View {
    return finish(viewAfter(this.#steps, this.transcript.length, this));
  }
}

function stepOf<Record>({ id, edits, transcriptLength }: AppliedRecord, record?: Record): Step<Record> {
  return { ids: [id], edits, transcriptLength, record };
}
