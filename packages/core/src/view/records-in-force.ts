import { CtxError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Transcript } from '../transcript/transcript.js';
import type { EditKinds } from './edits/edit-kind.js';
import { withoutOldest } from './oldest-records.js';
import { idsOfRuns, inOrder } from './record-runs.js';
import { type InForce, replayed, type Step, viewAfter } from './record-views.js';
import type { AppliedRecord, OldestRecords, RecordsState } from './records-state.js';
import type { View } from './view.js';
import type { CountMessage, Presenter } from './view-entry.js';
import { viewForm, viewOfForm } from './view-form.js';

/**
 * The records in force, with the views that are kept. The newest records are whole. Older ones keep their edits and can
 * still be undone. Of the oldest only the view after them is kept. So memory, snapshot size and time do not grow with the
 * number of compressions.
 */
export class RecordsInForce<Record extends AppliedRecord> {
  #oldest: OldestRecords | undefined;
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
    return this.#steps.at(-1)?.id ?? this.#oldest?.records.at(-1);
  }

  /** Every record that can be undone by itself, oldest first. */
  get inForce(): readonly AppliedRecord[] {
    return this.#steps;
  }

  get #all(): InForce<Record> {
    return { oldest: this.#oldest, steps: this.#steps };
  }

  #indexOf(id: string): number {
    return this.#steps.findIndex((step) => step.id === id);
  }

  /** @param after the view after the record */
  add(record: Record, after: View): void {
    const view = viewForm(after, record.transcriptLength);
    const steps = [...this.#steps, { ...stepOf(record, record), view }];
    const whole = this.#newest(steps.map((step) => step.record));
    this.#steps = steps.map((step) =>
      step.record === undefined || whole.has(step.record)
        ? step
        : { ...step, record: undefined, view: undefined },
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
   * If the edits of the records outside the history have grown too large, keeps only a view of the older half. Does nothing
   * if the records change meanwhile; the next record then does it.
   */
  *forgetOldest(): Steps<void> {
    const before = this.#steps;
    const { oldest, steps } = yield* withoutOldest(this.#all, this.transcript.characters, this);
    if (this.#steps !== before) return;
    this.#oldest = oldest;
    this.#steps = steps;
  }

  #before(at: number): InForce<Record> {
    return { oldest: this.#oldest, steps: this.#steps.slice(0, at) };
  }

  /** The records made when the transcript was at most this long. */
  #upTo(length: number): InForce<Record> {
    const oldest = this.#oldest && this.#oldest.transcriptLength <= length ? this.#oldest : undefined;
    return { oldest, steps: this.#steps.filter(({ transcriptLength }) => transcriptLength <= length) };
  }

  /**
   * Undoes a record and those built on it, and returns their ids.
   * @throws CtxError `record-unknown`
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
    return [id, ...this.#replay(this.#before(at), this.#steps.slice(at + 1))];
  }

  /** Puts records in force and later ones behind them, and returns the ids of those that no longer apply. */
  #replay(before: InForce<Record>, later: readonly Step<Record>[]): readonly string[] {
    const { steps, undone } = replayed(before, later, this);
    this.#steps = steps;
    return undone;
  }

  /** Undoes everything made when the transcript was longer than now, and returns the ids. */
  rewind(): string[] {
    const { oldest, steps } = this.#upTo(this.transcript.length);
    const gone = oldest === undefined ? idsOfRuns(this.#oldest?.records ?? []) : [];
    const undone = this.#steps.filter((step) => !steps.includes(step)).map(({ id }) => id);
    this.#oldest = oldest;
    this.#steps = steps;
    return [...gone, ...undone];
  }

  get state(): RecordsState<Record> {
    const older: AppliedRecord[] = [];
    for (const { id, transcriptLength, edits, record } of this.#steps)
      if (record === undefined) older.push({ id, transcriptLength, edits });
    return { oldest: this.#oldest, older, records: this.whole };
  }

  /**
   * Puts the records of a snapshot in force, after its messages were appended. Returns the id of one that does not fit.
   */
  resume({ oldest, older, records }: RecordsState<Record>): string | undefined {
    const whole = this.#newest(records);
    // Records of one kind leave the history while older ones of the other kind stay.
    const steps = inOrder([
      ...older.map((record) => stepOf<Record>(record)),
      ...records.map((record) => stepOf(record, whole.has(record) ? record : undefined)),
    ]);
    this.#oldest = oldest;
    if (oldest !== undefined && viewOfForm(oldest.view, oldest.transcriptLength, this) === undefined)
      return oldest.records.at(-1) ?? '';
    return this.#replay({ oldest, steps: [] }, steps)[0];
  }

  /** The view of the whole transcript with all records applied. */
  view(): View {
    return finish(viewAfter(this.#all, this.transcript.length, this));
  }
}

function stepOf<Record>({ id, edits, transcriptLength }: AppliedRecord, record?: Record): Step<Record> {
  return { id, edits, transcriptLength, record };
}
