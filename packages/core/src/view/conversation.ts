import { CtxError } from '../base/errors.js';
import type { MessageCounter } from '../count/count.js';
import { type Message, type MessageId, messageText } from '../transcript/message.js';
import { Transcript, type TranscriptMessage, unknownId } from '../transcript/transcript.js';
import type { ResolvedEdit } from './edit.js';
import type { EditKinds } from './edits/edit-kind.js';
import { type Applied, applyEdits, type GateRules, lastResortRules } from './gate.js';
import { markerAllowance } from './marker.js';
import { type PresenterRules, RequestPresenter } from './presenter.js';
import { type AppliedRecord, RecordsInForce, type RecordsState } from './records-in-force.js';
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

export interface ConversationRules extends PresenterRules {
  readonly minMessagesToKeep: number;
  readonly historySize: number;
  /** The types of edits that may be applied. Default: those of core. */
  readonly kinds?: EditKinds | undefined;
}

/** What of a snapshot a conversation is made of again, besides its messages. */
export interface ConversationState<Record extends AppliedRecord> extends RecordsState<Record> {
  readonly pins: readonly MessageId[];
  readonly epoch: EpochState | undefined;
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
  readonly #inForce: RecordsInForce<Record>;
  #view: View;
  #generation = 0;
  #pinned = 0;
  /** The prefix of the request that was sent last, until it is answered. */
  #asked: number | undefined;
  #counting = 0;
  /** Length of the texts of everything ever said. */
  #saidCharacters = 0;

  /** @param onEpoch is told when a new epoch begins */
  constructor(
    readonly counter: MessageCounter,
    readonly rules: ConversationRules,
    readonly onEpoch: (reason: EpochReason, record?: string) => void = () => {},
  ) {
    this.presenter = new RequestPresenter(this.transcript, rules, (message) => this.count(message));
    this.#inForce = new RecordsInForce(this.transcript, this.presenter, this.count, rules);
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

  /** The newest records in force, oldest first. */
  get records(): readonly Record[] {
    return this.#inForce.whole;
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
    const { minMessagesToKeep, kinds } = this.rules;
    return { transcript: this.transcript, pins: this.pins, minMessagesToKeep, kinds };
  }

  readonly count: CountMessage = (message: Message) => this.counter.message(message);

  append(value: unknown, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    this.#recount();
    const added = this.transcript.append(value, id, createdAt);
    for (const entry of added) {
      this.presenter.remember(entry.id, entry.message, this.#asked ?? this.#view.prefix);
      if (entry.message.role === 'assistant') this.#asked = undefined;
      this.#saidCharacters += charactersOf(entry.message);
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
   * an invariant all the same, nothing is applied. The caller adds the record of what was accepted at once, and tells of the
   * epoch when all that follows from the record is in place.
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
    this.#generation += 1;
    return applied;
  }

  /** Adds the record that has left the view as it is. */
  addRecord(record: Record): void {
    this.#inForce.add(record, this.#view, this.#saidCharacters);
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
    if (!this.#inForce.has(id)) {
      throw new CtxError({
        code: 'record-unknown',
        problem: 'There is no record with this id in force',
        place: 'undo',
        value: id,
        remedy: 'Use an id from manager.history.',
      });
    }
    const undone = this.#inForce.undo(id);
    this.#showInForce();
    this.#begin('undo', id);
    return undone;
  }

  /** Cuts the transcript after a message, or all of it, and takes back the records made since. */
  rewindTo(id: MessageId | undefined): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    const removed = this.transcript.cutAfter(id);
    for (const message of removed) {
      this.#saidCharacters -= charactersOf(message.message);
      this.pins.delete(message.id);
      this.presenter.saidUnder.delete(message.id);
    }
    const undone = this.#inForce.rewind();
    this.#showInForce();
    this.#begin('rewind');
    return { removed, undone };
  }

  /** Puts other system prompts in the place of some. Every record stays in force, as none edits a system prompt. */
  replaceSystem(replaced: ReadonlyMap<MessageId, Message>): void {
    const { state, transcript } = this;
    for (const [id, message] of replaced) {
      const before = transcript.get(id);
      this.#saidCharacters +=
        charactersOf(message) - (before === undefined ? 0 : charactersOf(before.message));
    }
    transcript.replace(replaced);
    this.#inForce.restart(state);
    this.#showInForce();
    this.#begin('system');
  }

  /** What a snapshot has to keep besides the messages. */
  get state(): ConversationState<Record> {
    return {
      ...this.#inForce.state,
      pins: [...this.pins],
      epoch: { number: this.#generation, asked: this.#asked, saidUnder: [...this.presenter.saidUnder] },
    };
  }

  /** To be called before the messages of a snapshot are appended. */
  resumeEpoch({ saidUnder }: EpochState): void {
    for (const [id, prefix] of saidUnder) this.presenter.saidUnder.set(id, prefix);
  }

  /**
   * Puts what was in force before in force again, as from a snapshot; the messages have been appended.
   * Returns the id of a record that does not fit them, and what it breaks.
   */
  resume(state: ConversationState<Record>): { id: string; detail: string } | undefined {
    const lost = this.#inForce.resume(state);
    if (lost !== undefined) return { id: lost, detail: 'it names what is not there' };
    this.#showInForce();
    for (const id of state.pins) this.pins.add(id);
    if (state.epoch !== undefined) {
      this.#generation = state.epoch.number;
      this.#asked = state.epoch.asked;
    }
    const [violation] = validateView(this.#view, { ...lastResortRules(this.gateRules), pins: undefined });
    return violation && { id: this.#inForce.newestId ?? '', detail: violation.detail };
  }

  #showInForce(): void {
    this.#show(this.#inForce.view());
  }

  #show(view: View): void {
    this.#view = view;
  }

  #begin(reason: EpochReason, record?: string): void {
    this.#generation += 1;
    this.onEpoch(reason, record);
  }
}

function charactersOf(message: Message): number {
  return messageText(message).length;
}
