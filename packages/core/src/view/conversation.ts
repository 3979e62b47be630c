import { CtxError } from '../base/errors.js';
import type { MessageCounter } from '../count/count.js';
import type { Message, MessageId } from '../transcript/message.js';
import { Transcript, type TranscriptMessage, unknownId } from '../transcript/transcript.js';
import type { ResolvedEdit } from './edit.js';
import { type Applied, applyEdits, type GateRules, replayEdits } from './gate.js';
import { markerAllowance } from './marker.js';
import { type PresenterRules, RequestPresenter } from './presenter.js';
import { validateView } from './validate.js';
import { View } from './view.js';
import { type CountMessage, isSystem } from './view-entry.js';

/** Why what stands before the end of the view is another from now on. */
export type EpochReason = 'record' | 'undo' | 'rewind' | 'tools' | 'system' | 'summary';

/** Plain JSON, for a snapshot. */
export interface EpochState {
  readonly number: number;
  /** The prefix of a request that was not answered yet. */
  readonly asked?: number | undefined;
  /** The prefix that each message with reasoning was said under, by its id. */
  readonly saidUnder: readonly (readonly [MessageId, number])[];
}

/** What of a record the view follows from. */
export interface AppliedRecord {
  readonly id: string;
  readonly edits: readonly ResolvedEdit[];
  /** Length of the transcript when it was made. */
  readonly transcriptLength: number;
}

/** Edits as they were accepted on the view of a revision, and the view they left. */
export interface Planned {
  readonly revision: string;
  readonly edits: readonly ResolvedEdit[];
  readonly view: View;
  /** What was allowed besides when they were planned. */
  readonly rules: ((rules: GateRules) => GateRules) | undefined;
}

/**
 * The transcript, the records in force, and the view that follows from both. Every change leaves the view equal to the
 * transcript with all edits of the records applied in order.
 */
export class Conversation<Record extends AppliedRecord = AppliedRecord> {
  readonly transcript = new Transcript();
  readonly pins = new Set<MessageId>();
  readonly presenter: RequestPresenter;
  #records: Record[] = [];
  #view: View;
  #generation = 0;
  #pinned = 0;
  /** The prefix of the request that was sent last, until it is answered. */
  #asked: number | undefined;
  #counting = 0;

  /** @param onEpoch is told when a new epoch begins */
  constructor(
    readonly counter: MessageCounter,
    readonly rules: PresenterRules & { readonly minMessagesToKeep: number },
    readonly onEpoch: (reason: EpochReason, record?: string) => void = () => {},
  ) {
    this.presenter = new RequestPresenter(this.transcript, rules, (message) => this.count(message));
    this.#view = new View(this.presenter);
  }

  /** The number of the epoch: within one the view only grows at its end. */
  get generation(): number {
    return this.#generation;
  }

  get view(): View {
    this.#recount();
    return this.#view;
  }

  /** Changes when everything was counted anew. */
  get counting(): number {
    this.#recount();
    return this.#counting;
  }

  /** Where the tokenizer was loaded since, no estimate may stay. */
  #recount(): void {
    const { counting } = this.counter;
    if (counting === this.#counting) return;
    this.#counting = counting;
    this.#show(this.#view.recount(this.count));
  }

  get records(): readonly Record[] {
    return this.#records;
  }

  /** Tokens that a compression leaves free for a marker. */
  get markerAllowance(): number {
    return markerAllowance(this.transcript, this.rules, this.count);
  }

  /** Changes with the messages and the view. */
  get content(): string {
    return `${this.generation} ${this.transcript.length}`;
  }

  /** Changes with everything that edits are judged by: the messages, the view, their tokens and the pins. */
  get revision(): string {
    return `${this.content} ${this.counting} ${this.#pinned}`;
  }

  get gateRules(): GateRules {
    return { transcript: this.transcript, pins: this.pins, minMessagesToKeep: this.rules.minMessagesToKeep };
  }

  readonly count: CountMessage = (message: Message) => this.counter.message(message);

  append(value: unknown, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    this.#recount();
    const added = this.transcript.append(value, id, createdAt);
    for (const entry of added) {
      this.presenter.remember(entry.id, entry.message, this.#asked ?? this.#view.prefix);
      if (entry.message.role === 'assistant') this.#asked = undefined;
      this.#view.append(entry, this.count);
      this.#settle(entry);
    }
    return added;
  }

  /** A provider puts every system prompt first, and some want the user to open: then more than the end changes. */
  #settle({ id, message }: TranscriptMessage): void {
    const opening = this.#view.entries.find((entry) => !isSystem(entry));
    if (message.role === 'system' && opening !== undefined) {
      this.#show(this.#view.copy());
      this.#begin('system');
    } else if (opening?.id === id && message.role !== 'user') this.#show(this.#view.copy());
    else if (message.summary === true && opening?.id !== id) this.#begin('summary');
  }

  /** Remembers that a request is being sent with the view as it is: the answer is said under it. */
  markRequest(): void {
    if (this.rules.reasoning === 'bound') this.#asked = this.#view.prefix;
  }

  /** Tells what tools the requests have from now on. */
  setTools(text: string): void {
    if (!this.presenter.setTools(text)) return;
    this.#show(this.#view.copy());
    if (this.transcript.length > 0) this.#begin('tools');
  }

  /**
   * Puts the edits of a new record in force. They are judged once more where the view is no longer the one they were
   * planned for, because messages came or went meanwhile or the tokenizer was loaded. The view as a whole is checked in any case: should it break
   * an invariant all the same, nothing is applied. The caller adds the record of what was accepted.
   */
  commit(record: string, planned: Planned): Applied {
    const before = this.view;
    const rules = planned.rules?.(this.gateRules) ?? this.gateRules;
    const applied =
      planned.revision === this.revision
        ? { view: planned.view, accepted: planned.edits, rejected: [] }
        : applyEdits(before, planned.edits, rules, this.count, { record });
    if (applied.accepted.length === 0) return { ...applied, view: before };
    const { leadingUser } = this.rules;
    const [violation] = validateView(applied.view, { ...rules, leadingUser, before });
    if (violation !== undefined) {
      return { view: before, accepted: [], rejected: planned.edits.map((edit) => ({ edit, ...violation })) };
    }
    this.#show(applied.view);
    this.#begin('record', record);
    return applied;
  }

  addRecord(record: Record): void {
    this.#records.push(record);
  }

  /**
   * @throws CtxError `id-unknown` or, where it has left the view already, `message-not-in-view`
   */
  pin(id: MessageId): void {
    if (this.transcript.get(id) === undefined) throw unknownId(id);
    if (!this.#view.entries.some((entry) => entry.id === id)) {
      throw new CtxError({
        code: 'message-not-in-view',
        problem: 'The message has left the view already',
        place: 'pin',
        value: id,
        remedy: 'Undo the record that removed it, then pin it.',
      });
    }
    this.pins.add(id);
    this.#pinned += 1;
  }

  /**
   * Takes back a record and those that build on it; returns their ids.
   * @throws CtxError `record-unknown`
   */
  undo(id: string): string[] {
    if (!this.#records.some((record) => record.id === id)) {
      throw new CtxError({
        code: 'record-unknown',
        problem: 'There is no record with this id in force',
        place: 'undo',
        value: id,
        remedy: 'Use an id from manager.history.',
      });
    }
    const undone = this.#keepRecords((record) => record.id !== id);
    this.#begin('undo', id);
    return undone;
  }

  /** Cuts the transcript after a message and takes back the records made since. */
  rewindTo(id: MessageId): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    const removed = this.transcript.cutAfter(id);
    for (const message of removed) {
      this.pins.delete(message.id);
      this.presenter.saidUnder.delete(message.id);
    }
    const undone = this.#keepRecords((record) => record.transcriptLength <= this.transcript.length);
    this.#begin('rewind');
    return { removed, undone };
  }

  /** What of the epochs a snapshot has to keep. */
  get epoch(): EpochState {
    return { number: this.#generation, asked: this.#asked, saidUnder: [...this.presenter.saidUnder] };
  }

  /** To be called before the messages of a snapshot are appended. */
  resumeEpoch({ saidUnder }: EpochState): void {
    for (const [id, prefix] of saidUnder) this.presenter.saidUnder.set(id, prefix);
  }

  /** Puts records in force that were made before, as from a snapshot; returns the ids of those that no longer apply. */
  replay(records: readonly Record[], epoch?: EpochState): string[] {
    this.#records = [...records];
    const lost = this.#keepRecords(() => true);
    if (epoch !== undefined) {
      this.#generation = epoch.number;
      this.#asked = epoch.asked;
    }
    return lost;
  }

  #keepRecords(isKept: (record: Record) => boolean): string[] {
    const undone: string[] = [];
    const kept: Record[] = [];
    let view = new View(this.presenter);
    for (const message of this.transcript) view.append(message, this.count);
    for (const record of this.#records) {
      const next = isKept(record) ? replayEdits(view, record.edits, this.count, record.id) : undefined;
      if (next === undefined) {
        undone.push(record.id);
        continue;
      }
      view = next;
      kept.push(record);
    }
    this.#records = kept;
    this.#asked = undefined;
    this.#show(view.copy());
    return undone;
  }

  #show(view: View): void {
    this.#view = view;
  }

  #begin(reason: EpochReason, record?: string): void {
    this.#generation += 1;
    this.onEpoch(reason, record);
  }
}
