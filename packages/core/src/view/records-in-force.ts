import { CtxError } from '../base/errors.js';
import type { Message } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import type { ResolvedEdit } from './edit.js';
import { mergedMessage } from './edited-message.js';
import type { EditKinds } from './edits/edit-kind.js';
import { replayed } from './gate.js';
import { droppedFrom, Origins } from './origins.js';
import { arrival, entryOf, View } from './view.js';
import { type CountMessage, entryWith, type Presenter, type ViewEntry } from './view-entry.js';

export interface AppliedRecord {
  readonly id: string;
  readonly edits: readonly ResolvedEdit[];
  /** Length of the transcript when the record was made. Rewinding to an earlier point undoes it. */
  readonly transcriptLength: number;
  /** True if it was made before a send, below the trigger. `manager.simplifications` has it, not `manager.history`. */
  readonly beforeSend?: true | undefined;
}

/** The view after the records that are too old to be undone one by one. */
interface BaseView {
  readonly records: readonly string[];
  readonly transcriptLength: number;
  readonly view: ViewForm;
}

export interface RecordsState<Record extends AppliedRecord> {
  readonly base?: BaseView | undefined;
  readonly records: readonly Record[];
}

/** So many times the history are kept at most while records of one kind wait for an older one of the other kind. A limit. */
const mostHistories = 10;

/**
 * The newest records in force, and a base view in which the older ones are applied. So memory, snapshot size and time do not grow with the
 * number of compressions.
 */
export class RecordsInForce<Record extends AppliedRecord> {
  #base: BaseView | undefined;
  /** Those that can be undone, oldest first. */
  all: readonly Record[] = [];

  /** @param rules.historySize how many records can be undone; as many of those made before a send */
  constructor(
    readonly transcript: Transcript,
    readonly presenter: Presenter,
    readonly count: CountMessage,
    readonly rules: { readonly historySize: number; readonly kinds?: EditKinds | undefined },
  ) {}

  add(record: Record): void {
    this.all = [...this.all, record];
    this.#applyOldest();
  }

  /** Applies records to the base while the oldest is not among the newest of its kind. */
  #applyOldest(): void {
    const { historySize } = this.rules;
    for (;;) {
      const [oldest, ...newer] = this.all;
      if (oldest === undefined) return;
      const { id, beforeSend, transcriptLength } = oldest;
      const ofItsKind = this.all.filter((record) => record.beforeSend === beforeSend);
      if (ofItsKind.length <= historySize && this.all.length <= mostHistories * historySize) return;
      const view = viewForm(this.#replayed([oldest]).view);
      this.#base = { records: [...(this.#base?.records ?? []), id], transcriptLength, view };
      this.all = newer;
    }
  }

  /**
   * Undoes a record and those built on it, and returns their ids.
   * @throws CtxError `record-unknown`
   */
  undo(id: string): string[] {
    const others = this.all.filter((record) => record.id !== id);
    if (others.length === this.all.length) {
      throw new CtxError({
        code: 'record-unknown',
        problem: 'No record in force has this id',
        place: 'undo',
        value: id,
        remedy: 'Use an id from manager.history.',
      });
    }
    return [id, ...this.#keep(others)];
  }

  /** Keeps those records that still apply, and returns the ids of the others. */
  #keep(records: readonly Record[]): string[] {
    const { lost } = this.#replayed(records);
    this.all = records.filter(({ id }) => !lost.includes(id));
    return lost;
  }

  /** Undoes everything made when the transcript was longer than now, and returns the ids. */
  rewind(): string[] {
    const { length } = this.transcript;
    const kept = this.all.filter(({ transcriptLength }) => transcriptLength <= length);
    const undone = this.all.slice(kept.length).map(({ id }) => id);
    this.all = kept;
    if (this.#base === undefined || this.#base.transcriptLength <= length) return undone;
    const { records } = this.#base;
    this.#base = undefined;
    return [...records, ...undone];
  }

  get state(): RecordsState<Record> {
    return { base: this.#base, records: [...this.all] };
  }

  /** Puts the records of a snapshot in force, after its messages were appended. Returns the id of one that does not fit. */
  resume({ base, records }: RecordsState<Record>): string | undefined {
    this.#base = base;
    if (base !== undefined && viewOfForm(base.view, base.transcriptLength, this) === undefined)
      return base.records.at(-1) ?? '';
    const [lost] = this.#keep(records);
    this.#applyOldest();
    return lost;
  }

  view(): View {
    return this.#extended(this.#replayed(this.all).view, this.transcript.length).copy();
  }

  /** The base view with the edits of some records, and the ids of those that do not apply. */
  #replayed(records: readonly Record[]): { readonly view: View; readonly lost: string[] } {
    const lost: string[] = [];
    const { count, rules } = this;
    const base = this.#base && viewOfForm(this.#base.view, this.#base.transcriptLength, this);
    let view = base ?? new View(this.presenter);
    for (const { id, edits, transcriptLength } of records) {
      const shown = this.#extended(view, transcriptLength);
      const after = replayed(shown, edits, count, { record: id, kinds: rules.kinds });
      if (after === undefined) lost.push(id);
      view = after ?? shown;
    }
    return { view, lost };
  }

  /** Appends the messages of the transcript that the view does not show yet, up to a length. */
  #extended(view: View, length: number): View {
    for (const message of this.transcript.messages.slice(view.said, length)) view.append(message, this.count);
    return view;
  }
}

/** A view as plain JSON, for a snapshot: an unedited message is its position in the transcript, and `origins` are those of merged ones. */
type ViewForm = readonly (
  | number
  | { readonly index: number; readonly version: string; readonly message: Message }
  | (Pick<ViewEntry, 'id' | 'exchange' | 'version'> & {
      readonly text: string;
      readonly origins: readonly number[];
    })
)[];

function viewForm({ entries }: View): ViewForm {
  return entries.map(({ id, message, version, origins, exchange }) => {
    const { lowest: index, messages } = origins;
    if (!origins.isOnly(id)) {
      const text = String(message.content);
      return { id, text, version, origins: messages.map((one) => one.index), exchange };
    }
    return version === undefined || version === arrival ? index : { index, version, message };
  });
}

/** Restores a view from its form; undefined if the form names an unknown message, or one message twice. */
function viewOfForm(
  form: ViewForm,
  length: number,
  { transcript, presenter, count }: Pick<RecordsInForce<AppliedRecord>, 'transcript' | 'presenter' | 'count'>,
): View | undefined {
  if (length !== 0 && transcript.at(length - 1) === undefined) return undefined;
  const entries: ViewEntry[] = [];
  for (const one of form) {
    const named = typeof one === 'number' ? [one] : 'index' in one ? [one.index] : one.origins;
    const said = named.flatMap((index) => transcript.at(index) ?? []);
    const [first] = said;
    if (first === undefined || said.length !== named.length) return undefined;
    if (typeof one === 'number') {
      entries.push(entryOf(first, count));
      continue;
    }
    const origins = new Origins(said);
    const [place, message] = 'index' in one ? [first, one.message] : [one, mergedMessage(one.text)];
    entries.push(entryWith({ ...place, origins }, message, one.version, count));
  }
  const dropped = droppedFrom(entries, transcript, length);
  return dropped && new View(presenter, entries, dropped);
}
