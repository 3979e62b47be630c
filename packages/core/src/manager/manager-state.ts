import { jsonText } from '../base/json.js';
import type { Steps } from '../base/slices.js';
import { budgetOf } from '../budget/budget.js';
import { CircuitBreaker } from '../budget/circuit-breaker.js';
import { Meter } from '../budget/meter.js';
import { Compressor } from '../compress/compressor.js';
import type { SafeEmitter } from '../compress/events.js';
import { ModelPause } from '../compress/model-pause.js';
import type { CompressionRecord } from '../compress/record.js';
import { bpeCounter } from '../count/bpe.js';
import { MessageCounter, type TokenCounter } from '../count/count.js';
import { type Message, partsOf, partText } from '../transcript/message.js';
import { CheckedTranscript } from '../transcript/parse-message.js';
import { Conversation } from '../view/conversation.js';
import { replacePart } from '../view/edited-message.js';
import type { Setup } from './setup.js';
import { invalidSnapshot, type Snapshot, snapshotVersion } from './snapshot.js';

/** Everything in a manager that changes. A snapshot is this state as plain JSON. */
export class ManagerState {
  lastCheck: number | undefined;
  recoveries = 0;

  readonly conversation: Conversation<CompressionRecord>;
  readonly meter: Meter;
  readonly compressor: Compressor;
  readonly breaker = new CircuitBreaker();
  readonly modelPause: ModelPause;

  /** @param given the counter of the host, instead of one of core */
  constructor(
    setup: Setup,
    given: TokenCounter | undefined,
    events: SafeEmitter,
    onEpoch: Conversation['onEpoch'],
  ) {
    const { settings, kinds, withoutTask, now, archive } = setup;
    const counting = given ?? bpeCounter(settings.encoding);
    const conversation = new Conversation<CompressionRecord>(
      new MessageCounter(counting, settings.overhead, settings.images),
      { ...settings, kinds, withoutTask, handles: archive !== undefined },
      onEpoch,
      new CheckedTranscript(0, withoutTask),
    );
    const isEstimated = setup.isEstimated && given === undefined;
    const modelPause = new ModelPause(kinds);
    this.meter = new Meter(conversation, budgetOf(settings), { ...settings, isEstimated }, now);
    this.compressor = new Compressor(this.meter, { ...setup, conversation, events, modelPause });
    this.conversation = conversation;
    this.modelPause = modelPause;
  }

  setTools(tools: unknown, text = jsonText(tools)): void {
    this.meter.setTools(text);
    this.conversation.setTools(text);
  }

  toJSON(): Omit<Snapshot, 'provider' | 'model'> {
    const { transcript } = this.conversation;
    const excerpts = transcript.messages.flatMap(({ id, message, excerpt }) =>
      partsOf(excerpt ?? message).flatMap((part, at) =>
        excerpt === undefined || part === partsOf(message)[at]
          ? []
          : [[id, at, partText(part) ?? ''] as const],
      ),
    );
    const { calibration, ...meter } = this.meter.state;
    const { totals, recordNumber, ...compressor } = this.compressor.state;
    return {
      ...this.conversation.state,
      version: snapshotVersion,
      messages: transcript.messages.map(({ id, message, createdAt }) => ({ id, message, createdAt })),
      nextNumber: transcript.nextNumber,
      calibration,
      totals,
      recordNumber,
      ...(excerpts.length > 0 && { excerpts }),
      meter,
      compressor,
      breaker: this.breaker.state,
      modelPause: this.modelPause.state,
      recoveries: this.recoveries,
      lastCheck: this.lastCheck,
    };
  }

  /**
   * Takes over a snapshot.
   * @param tools definitions to use instead of those in the snapshot
   * @throws CtxError `snapshot-invalid`, ValidationError for a message in it
   */
  *resume(snapshot: Snapshot, tools: unknown): Steps<void> {
    const { conversation, meter } = this;
    const { transcript } = conversation;
    if (snapshot.meter.tools !== undefined) this.setTools(undefined, snapshot.meter.tools);
    conversation.resumePresenter(snapshot);
    for (const { id, message, createdAt } of snapshot.messages) {
      conversation.append(message, id, createdAt);
      yield;
    }
    transcript.nextNumber = snapshot.nextNumber;
    const excerpts = new Map<string, Message>();
    for (const [id, part, text] of snapshot.excerpts ?? []) {
      const message = excerpts.get(id) ?? transcript.get(id)?.message;
      const excerpt = message && replacePart(message, { part, text });
      if (excerpt !== undefined) excerpts.set(id, excerpt);
    }
    if (excerpts.size > 0) conversation.shorten(excerpts);
    const problem = conversation.resume(snapshot);
    if (problem !== undefined)
      throw invalidSnapshot(`record "${problem.id}" does not fit its messages: ${problem.detail}`, 'records');
    yield;
    meter.resume({ ...snapshot.meter, calibration: snapshot.calibration });
    this.compressor.resume({ ...snapshot.compressor, ...snapshot });
    this.breaker.state = snapshot.breaker;
    this.modelPause.state = snapshot.modelPause;
    this.recoveries = snapshot.recoveries;
    this.lastCheck = snapshot.lastCheck;
    if (tools !== undefined) this.setTools(tools);
  }
}
