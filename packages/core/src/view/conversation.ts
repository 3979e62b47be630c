import { CtxError } from '../base/errors.js';
import { FrozenCopies } from '../base/frozen-copies.js';
import type { Steps } from '../base/slices.js';
import type { MessageCounter } from '../count/count.js';
import type { Message, MessageId } from '../transcript/message.js';
import type { TextsWithoutTask } from '../transcript/persons-words.js';
import { Transcript, type TranscriptMessage, unknownId } from '../transcript/transcript.js';
import type { EditKinds } from './edits/edit-kind.js';
import { type GateRules, lastResortRules } from './gate.js';
import { markerAllowance } from './marker.js';
import { type EpochReason, type EpochState, type PresenterRules, RequestPresenter } from './presenter.js';
import { type AppliedRecord, RecordsInForce, type RecordsState } from './records-in-force.js';
import { validateView } from './validate.js';
import { entryOf, View } from './view.js';
import { type CountMessage, isSystem } from './view-entry.js';

export interface ConversationRules extends PresenterRules {
  readonly minMessagesToKeep: number;
  readonly historySize: number;
  /** The edit types that may be applied. Default: those of core. */
  readonly kinds?: EditKinds | undefined;
  /** False: no results are shortened on arrival, and it does not matter what was sent. */
  readonly arrivals?: object | false | undefined;
  readonly withoutTask?: TextsWithoutTask | undefined;
}

/** The part of a snapshot, apart from the messages, from which a conversation is restored. */
export interface ConversationState<Record extends AppliedRecord> extends RecordsState<Record> {
  readonly pins: readonly MessageId[];
  readonly epoch: EpochState;
  /** So many messages were sent at least once; only with the setting `arrivals`. */
  readonly sent?: number | undefined;
}

/**
 * The transcript, the records in force, and the view derived from both. After every change the view equals the
 * transcript with all edits of the records applied in order.
 */
export class Conversation<Record extends AppliedRecord = AppliedRecord> {
  readonly pins = new Set<MessageId>();
  readonly presenter: RequestPresenter;
  readonly copies = new FrozenCopies();
  readonly #inForce: RecordsInForce<Record>;
  #view: View;
  /** The number of the epoch. Within an epoch the view only grows at its end. */
  generation = 0;
  #pinsAdded = 0;
  #counting = 0;
  #sent = 0;
  #shortened = 0;

  /** @param transcript empty */
  constructor(
    readonly counter: MessageCounter,
    readonly rules: ConversationRules,
    readonly onEpoch: (reason: EpochReason, record?: string) => void = () => {},
    readonly transcript = new Transcript(0, rules.withoutTask),
  ) {
    this.presenter = new RequestPresenter(
      this.transcript,
      rules,
      (message) => this.count(message),
      this.pins,
    );
    this.#inForce = new RecordsInForce(this.transcript, this.presenter, this.count, rules);
    this.#view = new View(this.presenter);
  }

  get view(): View {
    this.#recount();
    return this.#view;
  }

  /** Changes when everything was counted again. */
  get counting(): number {
    this.#recount();
    return this.#counting;
  }

  /** No estimate may stay once the tokenizer is loaded. */
  #recount(): void {
    const { counting } = this.counter;
    if (counting === this.#counting) return;
    this.#counting = counting;
    this.#view = this.#view.recount(this.count);
  }

  /** Counts everything that the view shows with the loaded tokenizer, while the figures are still estimates. */
  *countAhead(): Steps<void> {
    // The view may grow or change meanwhile. What is missed is counted when the estimates are forgotten.
    for (let at = 0; at < this.#view.entries.length; at += 1) {
      yield;
      const message = this.#view.entries[at]?.sent;
      if (message !== undefined) yield* this.counter.ahead.messageInSteps(message);
    }
  }

  /** Every record in force that can be undone by itself, oldest first. */
  get records(): readonly Record[] {
    return this.#inForce.all;
  }

  /** The newest of them that were made before a send, or of the others. */
  newestRecords(madeBeforeSend: boolean): readonly Record[] {
    const ofTheKind = this.records.filter(({ beforeSend }) => (beforeSend === true) === madeBeforeSend);
    return ofTheKind.slice(-this.rules.historySize);
  }

  /** Tokens that a compression reserves for a marker. */
  get markerAllowance(): number {
    return markerAllowance(this.transcript, this.rules, this.count);
  }

  /** Changes whenever the messages or the view change. */
  get content(): string {
    return `${this.generation} ${this.transcript.length} ${this.#shortened}`;
  }

  /** Changes with everything that the gate depends on: the messages, the view, their tokens and the pins. */
  get revision(): string {
    return `${this.content} ${this.counting} ${this.#pinsAdded}`;
  }

  get gateRules(): GateRules {
    const { minMessagesToKeep, kinds, handles } = this.rules;
    return { transcript: this.transcript, pins: this.pins, minMessagesToKeep, kinds, handles };
  }

  readonly count: CountMessage = (message) => this.counter.message(message);

  append(...given: Parameters<Transcript['append']>): readonly TranscriptMessage[] {
    this.#recount();
    const added = this.transcript.append(...given);
    for (const entry of added) {
      this.presenter.remember(entry.id, entry.message, this.#view.prefix);
      this.#view.append(entry, this.count);
      this.#settle(entry);
    }
    return added;
  }

  /** Providers put all system prompts first, and some want the user to speak first. Such messages change more than the end of the view. */
  #settle({ id, message }: TranscriptMessage): void {
    const opening = this.#view.entries.find((entry) => !isSystem(entry));
    const isOpened = opening !== undefined || this.#view.marker !== undefined;
    if (message.role === 'system' && isOpened) {
      this.#view = this.#view.copy();
      this.#begin('system');
    } else if (opening?.id === id && message.role !== 'user') this.#view = this.#view.copy();
    else if (message.summary === true && opening?.id !== id) this.#begin('summary');
  }

  /** Remembers that the current view is being sent, so that the answer counts as said under it. */
  markRequest(): void {
    this.presenter.ask(this.#view.prefix);
    this.#sent = this.transcript.length;
  }

  /** Results that the model has not got yet, neither whole nor as an excerpt. */
  get unsent(): readonly TranscriptMessage[] {
    const from = Math.max(this.#sent, this.transcript.newestAnswer?.index ?? 0);
    return this.transcript.messages
      .slice(from)
      .filter(({ message, excerpt }) => message.role === 'tool' && excerpt === undefined);
  }

  /** From now on sends excerpts of messages that were never sent. Begins no epoch: nothing changes that the model has got. */
  shorten(excerpts: ReadonlyMap<MessageId, Message>): void {
    const entries = this.view.entries.map((entry) => {
      const excerpt = excerpts.get(entry.id);
      if (excerpt === undefined || entry.version !== undefined) return entry;
      this.#shortened += 1;
      return entryOf(this.transcript.shorten(entry.id, excerpt), this.count);
    });
    this.#view = new View(this.presenter, entries, this.#view.dropped);
  }

  setTools(text: string): void {
    if (!this.presenter.setTools(text)) return;
    this.#view = this.#view.copy();
    if (this.transcript.length > 0) this.#begin('tools');
  }

  /**
   * Shows the view that a new record leaves. The caller must add the record at once, and announce the epoch when
   * everything that follows from the record is in place.
   */
  commit(view: View): void {
    this.#view = view;
    this.generation += 1;
  }

  addRecord(record: Record): void {
    this.#inForce.add(record);
  }

  /** @throws CtxError `id-unknown`, or `message-not-in-view` if the message has already left the view */
  pin(id: MessageId): void {
    if (this.transcript.get(id) === undefined) throw unknownId(id);
    // A thought that the provider would refuse is not shown.
    if (!this.#view.entries.some((entry) => entry.id === id && entry.sent !== undefined)) {
      throw new CtxError({
        code: 'message-not-in-view',
        problem: 'The message is no longer in the view',
        place: 'pin',
        value: id,
        remedy: 'Undo the record that removed it, then pin it.',
      });
    }
    this.pins.add(id);
    this.#pinsAdded += 1;
  }

  /**
   * Undoes a record and all records built on it, and returns their ids.
   * @throws CtxError `record-unknown`
   */
  undo(id: string): string[] {
    const undone = this.#inForce.undo(id);
    this.#view = this.#inForce.view();
    this.#begin('undo', id);
    return undone;
  }

  /**
   * Removes everything after a message from the transcript, or all of it, and undoes the records made since.
   * @throws CtxError `id-unknown`
   */
  rewindTo(id: MessageId | undefined): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    const removed = this.transcript.cutAfter(id);
    for (const message of removed) {
      this.pins.delete(message.id);
      this.presenter.prefixes.delete(message.id);
    }
    this.#sent = Math.min(this.#sent, this.transcript.length);
    const undone = this.#inForce.rewind();
    this.#view = this.#inForce.view();
    this.#begin('rewind');
    return { removed, undone };
  }

  /** Replaces system prompts. Every record stays in force, because none edits a system prompt. */
  replaceSystem(replaced: ReadonlyMap<MessageId, Message>): void {
    const { transcript } = this;
    transcript.replace(replaced);
    const entries = this.#view.entries.map((entry) => {
      const said = replaced.has(entry.id) && transcript.at(entry.origins.lowest);
      return said ? entryOf(said, this.count) : entry;
    });
    this.#view = new View(this.presenter, entries, this.#view.dropped);
    this.#begin('system');
  }

  get state(): ConversationState<Record> {
    const { presenter } = this;
    return {
      ...this.#inForce.state,
      pins: [...this.pins],
      epoch: { number: this.generation, asked: presenter.asked, prefixes: [...presenter.prefixes] },
      ...(this.rules.arrivals && { sent: this.#sent }),
    };
  }

  /** Call this before appending the messages of a snapshot. */
  resumePresenter({ epoch, pins }: Pick<ConversationState<Record>, 'epoch' | 'pins'>): void {
    for (const [id, prefix] of epoch.prefixes) this.presenter.prefixes.set(id, prefix);
    for (const id of pins) this.pins.add(id);
  }

  /**
   * Restores the records and epoch of a snapshot, after its messages were appended. If a record does not fit the
   * messages, returns its id and what is wrong.
   */
  resume(state: ConversationState<Record>): { id: string; detail: string } | undefined {
    this.#sent = state.sent ?? this.transcript.length;
    const lost = this.#inForce.resume(state);
    if (lost !== undefined) return { id: lost, detail: 'it names messages that are not there' };
    this.#view = this.#inForce.view();
    this.generation = state.epoch.number;
    this.presenter.asked = state.epoch.asked;
    const rules = { ...this.gateRules, ...lastResortRules, pins: undefined };
    // The question may have left before the user answered it.
    const violation = validateView(this.#view, rules).find(({ invariant }) => invariant !== 'task-stays');
    return violation && { id: this.records.at(-1)?.id ?? '', detail: violation.detail };
  }

  #begin(reason: EpochReason, record?: string): void {
    this.generation += 1;
    this.onEpoch(reason, record);
  }
}
