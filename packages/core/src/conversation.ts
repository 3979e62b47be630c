import type { MessageCounter } from './count.js';
import type { MessageId, ResolvedEdit } from './edit.js';
import { CtxError } from './errors.js';
import { type Applied, applyEdits, emergencyRules, type GateRules, replayEdits } from './gate.js';
import { type MarkerRules, markerAllowance, markerFor } from './marker.js';
import type { Message } from './message.js';
import type { CompressionRecord } from './record.js';
import { Transcript, type TranscriptMessage, unknownId } from './transcript.js';
import { validateView } from './validate.js';
import { type CountMessage, View } from './view.js';

/** Edits as they were accepted on the view of a revision, and the view they left. */
export interface Planned {
  readonly revision: string;
  readonly edits: readonly ResolvedEdit[];
  readonly view: View;
  /** True where the last resort planned some of them. */
  readonly emergency: boolean;
}

/**
 * The transcript, the records in force, and the view that follows from both. Every change leaves the view equal to the
 * transcript with all edits of the records applied in order.
 */
export class Conversation {
  readonly transcript = new Transcript();
  readonly pins = new Set<MessageId>();
  #records: CompressionRecord[] = [];
  #view = new View();
  /** Changes whenever the view is no longer an extension of what it was. */
  generation = 0;
  #pinned = 0;

  constructor(
    readonly counter: MessageCounter,
    readonly rules: MarkerRules & { readonly minMessagesToKeep: number },
  ) {}

  get view(): View {
    return this.#view;
  }

  get records(): readonly CompressionRecord[] {
    return this.#records;
  }

  /** Tokens that a compression leaves free for a marker. */
  get markerAllowance(): number {
    return markerAllowance(this.transcript, this.rules, this.count);
  }

  /** Changes with everything that edits are judged by: the messages, the view and the pins. */
  get revision(): string {
    return `${this.generation} ${this.transcript.length} ${this.#pinned}`;
  }

  get gateRules(): GateRules {
    return { transcript: this.transcript, pins: this.pins, minMessagesToKeep: this.rules.minMessagesToKeep };
  }

  readonly count: CountMessage = (message: Message) => this.counter.message(message);

  append(value: unknown, id?: MessageId): readonly TranscriptMessage[] {
    const added = this.transcript.append(value, id);
    for (const message of added) this.#view.append(message, this.count);
    return added;
  }

  /** Counts everything again, after the tokenizer was loaded. */
  recount(): void {
    this.#show(this.#view.recount(this.count));
  }

  /**
   * Puts the edits of a new record in force. They are judged once more where the view is no longer the one they were
   * planned for, because messages came or went meanwhile. The view as a whole is checked in any case: should it break
   * an invariant all the same, nothing is applied. The caller adds the record of what was accepted.
   */
  commit(record: string, planned: Planned): Applied {
    const before = this.#view;
    const rules = planned.emergency ? emergencyRules(this.gateRules) : this.gateRules;
    const applied =
      planned.revision === this.revision
        ? { view: planned.view, accepted: planned.edits, rejected: [] }
        : applyEdits(before, planned.edits, rules, this.count, { record });
    if (applied.accepted.length === 0) return { ...applied, view: before };
    const [violation] = validateView(applied.view, { ...rules, before });
    if (violation !== undefined) {
      return { view: before, accepted: [], rejected: planned.edits.map((edit) => ({ edit, ...violation })) };
    }
    this.#show(applied.view);
    this.generation += 1;
    return applied;
  }

  addRecord(record: CompressionRecord): void {
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
    return this.#keepRecords((record) => record.id !== id);
  }

  /** Cuts the transcript after a message and takes back the records made since. */
  rewindTo(id: MessageId): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    const removed = this.transcript.cutAfter(id);
    for (const message of removed) this.pins.delete(message.id);
    const undone = this.#keepRecords((record) => record.transcriptLength <= this.transcript.length);
    return { removed, undone };
  }

  /** Puts records in force that were made before, as from a snapshot; returns the ids of those that no longer apply. */
  replay(records: readonly CompressionRecord[]): string[] {
    this.#records = [...records];
    return this.#keepRecords(() => true);
  }

  #keepRecords(isKept: (record: CompressionRecord) => boolean): string[] {
    const undone: string[] = [];
    const kept: CompressionRecord[] = [];
    let view = new View();
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
    this.generation += 1;
    this.#show(view);
    return undone;
  }

  #show(view: View): void {
    view.marker = markerFor(view, this.transcript, this.rules, this.count);
    this.#view = view;
  }
}
