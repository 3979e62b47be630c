import { CompressionLevel } from '../base/compression-level.js';
import type { DependencyContainer } from '../base/di.js';
import { ConfigError, preview, refuse } from '../base/errors.js';
import { budgetOf } from '../budget/budget.js';
import type { ContextBudget } from '../budget/context-budget.js';
import { Meter, type Usage, type UsageOutcome } from '../budget/meter.js';
import { isOverflowError } from '../budget/overflow.js';
import { StrikeBreaker } from '../budget/strike-breaker.js';
import { isThrottled } from '../budget/trigger.js';
import { Compressor } from '../compress/compressor.js';
import { type EventName, type Listener, SafeEmitter } from '../compress/events.js';
import { instructionFigures, type Metrics } from '../compress/metrics.js';
import type { CompressionOutcome, ContextStats, Simulation } from '../compress/outcome.js';
import type { CompressionRecord } from '../compress/record.js';
import { ownSettings, type Settings, settingsFor } from '../config/config.js';
import type { ModelId } from '../config/match.js';
import {
  createContainer,
  editKindsIn,
  presetFor,
  provideOptions,
  resolveStrategy,
} from '../config/registry.js';
import { bpeCounter } from '../count/bpe.js';
import { MessageCounter } from '../count/count.js';
import type { Message, MessageId } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import { Conversation } from '../view/conversation.js';
import type { EditKinds } from '../view/edits/edit-kind.js';
import { builtInKinds } from '../view/edits/index.js';
import { type CompressionStrategy, defineStrategy } from '../view/strategy.js';
import type { CheckOptions, CompressOptions, ManagerOptions } from './manager-options.js';
import { managerProblems } from './manager-problems.js';
import { ManagerState } from './manager-state.js';
import { checkKeys, compressKeys, recoverKeys, simulateKeys, unknownOptions } from './option-keys.js';
import { parseSnapshot, type Snapshot } from './snapshot.js';
import { ago, type ManagerStatus } from './status.js';

/** The share that `recover` reduces to, and how often in a row it does. */
const recoverShare = 0.75;
const recoverAttempts = 3;
/** The share of the request that compressing by hand leaves at most, where no target is given. */
const byHandShare = 0.5;

/**
 * Holds a whole conversation, decides when it is too big for the window, has strategies propose what leaves it,
 * and gives the messages to send.
 */
export class ContextManager {
  readonly #model: ModelId;
  readonly #settings: Settings;
  readonly #container: DependencyContainer;
  readonly #kinds: EditKinds;
  readonly #stages: readonly CompressionStrategy[];
  readonly #beforeSend: readonly CompressionStrategy[];
  readonly #presetWarnings: readonly string[];
  readonly #state: ManagerState;
  readonly #events = new SafeEmitter();
  readonly #now: () => number;
  #level: CompressionLevel = CompressionLevel.NONE;
  #estimating: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws ConfigError when the configuration, a strategy's name or its options can't work */
  constructor(options: ManagerOptions = {}) {
    const container = options?.container ?? createContainer();
    refuse(managerProblems(options, container));
    this.#model = { provider: options.provider, model: options.model };
    const config = options.config ?? {};
    const { warnings = [], ...preset } =
      presetFor(container, this.#model, ownSettings(this.#model, config)) ?? {};
    this.#settings = settingsFor(this.#model, config, preset);
    this.#presetWarnings = warnings;
    this.#container = container.createChildContainer();
    this.#kinds = editKindsIn(container);
    provideOptions(this.#container, this.#settings.options);
    this.#stages =
      options.strategies?.slice() ??
      this.#settings.pipeline.map((name) => resolveStrategy(this.#container, name));
    const { beforeSend } = this.#settings;
    this.#beforeSend = (beforeSend === false ? [] : beforeSend.pipeline).map((name) =>
      resolveStrategy(this.#container, name, 'beforeSend.pipeline'),
    );
    this.#now = options.now ?? Date.now;
    const counter = options.counter ?? bpeCounter(this.#settings.encoding);
    const conversation = new Conversation<CompressionRecord>(
      new MessageCounter(counter, this.#settings.overhead),
      { ...this.#settings, kinds: this.#kinds },
      (reason, record) => this.#events.emit('epoch-start', { epoch: this.epoch, reason, record }),
    );
    const meter = new Meter(conversation, budgetOf(this.#settings), this.#settings);
    const compressor = new Compressor(meter, {
      conversation,
      settings: this.#settings,
      container: this.#container,
      events: this.#events,
      now: this.#now,
    });
    this.#state = new ManagerState(
      conversation,
      meter,
      compressor,
      new StrikeBreaker(this.#settings.breaker),
    );
    this.setTools(options.tools);
  }

  /** Everything ever said, in order. */
  get transcript(): readonly TranscriptMessage[] {
    return [...this.#state.conversation.transcript];
  }

  /** The newest records in force, oldest first; 10 unless configured otherwise. */
  get history(): readonly CompressionRecord[] {
    return this.#state.conversation.records.slice(-this.#settings.historySize);
  }

  get level(): CompressionLevel {
    return this.#state.meter.level;
  }

  /** Number of the epoch: within one, what `view()` returns only grows at its end. */
  get epoch(): number {
    return this.#state.conversation.generation;
  }

  /** What in the configuration, on the machine or of the usage reported could not be used as it is. */
  get warnings(): readonly string[] {
    const { warning } = this.#state.meter.budget;
    const idle = this.#stages.length === 0 && this.#settings.enabled;
    return [
      ...this.#presetWarnings,
      ...[warning, this.#estimating, this.#state.meter.doubt].filter((one) => one !== undefined),
      ...(idle ? ['No strategy is configured: only the last resort keeps the view inside the window.'] : []),
    ];
  }

  /** The names of the stages, in order. */
  get pipeline(): readonly string[] {
    return this.#stages.map((strategy) => strategy.name);
  }

  /**
   * The messages to send: the objects that were appended, except those that an edit touched. What a provider reports and answers
   * later is taken to be for them. From the first `request()` on, `view()` is only a look at them.
   */
  view(): readonly Message[] {
    const { meter } = this.#state;
    if (!meter.isTold) this.#markRequest(false);
    return this.#state.conversation.view.messages();
  }

  /** The messages to send, and the note that they are being sent now: reported usage, cost and bound reasoning refer to them. */
  request(): readonly Message[] {
    this.#markRequest(true);
    return this.#state.conversation.view.messages();
  }

  /**
   * Adds a message at the end, in time independent of the conversation's length, and returns its id.
   * @throws ValidationError when the message is malformed or answers no open call; nothing is appended then
   */
  append(message: Message): MessageId {
    const added = this.#state.conversation.append(message, undefined, this.#now());
    for (const one of added) {
      this.#events.emit('message-append', {
        message: one,
        tokens: this.#state.conversation.count(one.message).tokens,
      });
    }
    if (message.role === 'assistant') this.#state.recoveries = 0;
    this.#updateLevel();
    return (added[added.length - 1] as TranscriptMessage).id;
  }

  /** Appends a message, then checks. */
  async add(message: Message, options: CheckOptions = {}): Promise<CompressionOutcome> {
    refuse(unknownOptions(options, checkKeys, 'add'));
    this.append(message);
    return this.checkAndCompress(options);
  }

  /** Replaces the tool definitions that are counted with every request. */
  setTools(tools: unknown): void {
    this.#state.setTools(tools);
    this.#updateLevel();
  }

  /**
   * Compresses when the trigger says so. Checks are throttled (5 s unless configured otherwise) but at level HARD and
   * above, and with `beforeSend`. One runs at a time; a failed stage costs only itself.
   * @throws ContextOverflowError when everything that may go is gone and the view is still larger than the window
   */
  async checkAndCompress(options: CheckOptions = {}): Promise<CompressionOutcome> {
    refuse(unknownOptions(options, checkKeys, 'checkAndCompress'));
    return this.#inTurn(() => this.#check(options));
  }

  /** True when the next check would compress, whatever the throttle says. */
  willCompress(): boolean {
    return this.#settings.enabled && this.#state.meter.reasonToCompress() !== undefined;
  }

  /**
   * Compresses by hand, whatever the trigger says and also where the configuration has `enabled: false`: to `targetTokens`, else to the
   * configured target or half of what the request has now, whichever is less.
   * @throws ConfigError `strategy-unknown` or `config-invalid`; ContextOverflowError as `checkAndCompress` does
   */
  async compress(options: CompressOptions = {}): Promise<CompressionOutcome> {
    refuse(unknownOptions(options, compressKeys, 'compress'));
    return this.#inTurn(async () => {
      await this.#loadTokenizer();
      const goal = this.#goal(options);
      return this.#state.compressor.compress({ ...options, ...goal, reason: 'by hand', automatic: false });
    });
  }

  /** What `compress` would do. Nothing changes, no event is emitted, and nothing outside is asked. */
  async simulate(options: Pick<CompressOptions, 'strategy' | 'targetTokens'> = {}): Promise<Simulation> {
    refuse(unknownOptions(options, simulateKeys, 'simulate'));
    await this.#loadTokenizer();
    const { stages, targetTokens } = this.#goal(options);
    return this.#state.compressor.simulate(stages, targetTokens);
  }

  /**
   * After a provider refused a request as too large: reduces to three quarters by deterministic stages, at most three
   * times in a row. Does nothing for another error, or where the configuration has `enabled: false`.
   */
  async recover(error: unknown, options: Pick<CheckOptions, 'signal'> = {}): Promise<CompressionOutcome> {
    refuse(unknownOptions(options, recoverKeys, 'recover'));
    const { signal } = options;
    return this.#inTurn(async () => {
      if (!isOverflowError(error)) return this.#state.compressor.skip('the error is not a context overflow');
      if (!this.#settings.enabled) return this.#state.compressor.skip('disabled');
      if (this.#state.recoveries >= recoverAttempts) {
        return { status: 'failed', reason: `refused again after ${recoverAttempts} reductions`, error };
      }
      this.#state.recoveries += 1;
      await this.#loadTokenizer();
      const { tokens, contextWindow } = this.#state.meter.measure();
      return this.#state.compressor.compress({
        stages: this.#stages.filter(({ emits }) =>
          emits.every((type) => type === 'fold' || Object.hasOwn(this.#kinds, type)),
        ),
        targetTokens: Math.floor(Math.min(tokens, contextWindow) * recoverShare),
        reason: 'the provider reported a context overflow',
        signal,
      });
    });
  }

  /**
   * Keeps a message as it is from now on.
   * @throws CtxError `id-unknown` or `message-not-in-view`
   */
  pin(id: MessageId): void {
    this.#state.conversation.pin(id);
  }

  unpin(id: MessageId): void {
    this.#state.conversation.pins.delete(id);
    this.#state.compressor.forgetStalls();
    this.#state.meter.forgetRest();
    this.#state.breaker.reset();
  }

  /**
   * Takes back a record and those built on it; returns their ids.
   * @throws CtxError `record-unknown`
   */
  undo(recordId: string): readonly string[] {
    const undone = this.#state.conversation.undo(recordId);
    this.#viewChanged();
    return undone;
  }

  /**
   * Forgets everything said after a message, takes back the records made since, and returns both.
   * @throws CtxError `id-unknown`
   */
  rewindTo(id: MessageId): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    const { removed, undone } = this.#state.conversation.rewindTo(id);
    this.#viewChanged();
    this.#events.emit('transcript-rewind', { to: id, removed: removed.length, undone });
    return { removed, undone };
  }

  /**
   * Teaches the manager what the provider counted for the messages that `view()` returned last.
   * @throws ValidationError `usage-invalid` when the figure is no number or negative
   */
  reportUsage(usage: Usage): UsageOutcome {
    const outcome = this.#state.meter.report(usage, this.#model.model);
    if (outcome.used) this.#state.recoveries = 0;
    this.#updateLevel();
    return outcome;
  }

  stats(): ContextStats {
    const { tokens, messages, contextWindow, allowedTokens } = this.#state.meter.measure();
    return {
      currentTokens: tokens,
      countedTokens: this.#state.meter.counted().tokens,
      quality: this.#state.meter.quality,
      maxTokens: contextWindow,
      allowedTokens,
      targetTokens: this.#state.meter.budget.target,
      utilization: tokens / contextWindow,
      level: this.level,
      messages,
      transcriptMessages: this.#state.conversation.transcript.length,
      historyCount: this.history.length,
      ...this.#state.compressor.totals,
    };
  }

  /** The state in words, for a status line. */
  status(): ManagerStatus {
    const { utilization, messages, compressions, lastCompressedAt } = this.stats();
    return {
      contextUsage: `${Math.round(utilization * 100)}%`,
      messagesCount: messages,
      compressionCount: compressions,
      lastCompression: ago(lastCompressedAt, this.#now()),
    };
  }

  /**
   * Counters of every compression since the manager was made, which a snapshot does not keep, and what the view holds of the user's
   * instructions. Takes time in proportion to the conversation.
   */
  metrics(): Metrics {
    const { transcript, view, count } = this.#state.conversation;
    return {
      ...this.#state.compressor.metrics.metrics,
      ...instructionFigures(transcript.messages, view, count),
    };
  }

  /** What of the window is taken and free, in the provider's tokens as far as they are known. */
  budget(): ContextBudget {
    return this.#state.meter.contextBudget(this.#settings.reserve);
  }

  /** Listens to an event; returns a function that stops it. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    return this.#events.on(name, listener);
  }

  off<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    this.#events.off(name, listener);
  }

  /** Everything needed to go on later, as plain JSON. */
  snapshot(): Snapshot {
    return { ...this.#model, ...this.#state.toJSON() };
  }

  /**
   * The manager that a snapshot was made of, for the same provider and model. Pass the other options it was made with.
   * @throws CtxError `snapshot-invalid`, ValidationError for a message in it
   */
  static restore(snapshot: unknown, options: ManagerOptions = {}): ContextManager {
    const kinds = options.container === undefined ? builtInKinds : editKindsIn(options.container);
    const parsed = parseSnapshot(snapshot, kinds);
    const { provider = parsed.provider, model = parsed.model, tools } = options;
    const manager = new ContextManager({ ...options, provider, model, tools: undefined });
    manager.#state.resume(parsed, tools);
    manager.#updateLevel();
    return manager;
  }

  async #check({ signal, beforeSend = false }: CheckOptions): Promise<CompressionOutcome> {
    if (!this.#settings.enabled) return this.#state.compressor.skip('disabled');
    await this.#loadTokenizer();
    const check = { now: this.#now(), last: this.#state.lastCheck, throttleMs: this.#settings.throttleMs };
    if (!beforeSend && isThrottled(check, this.level)) return this.#state.compressor.skip('throttled');
    this.#state.lastCheck = check.now;
    const reason = this.#state.meter.reasonToCompress();
    if (reason === undefined) return this.#upkeep(beforeSend ? this.#beforeSend : [], signal);
    const { tokens } = this.#state.meter.measure();
    const cooling = this.#state.breaker.reason(check.now, tokens);
    if (cooling !== undefined && this.level < CompressionLevel.HARD)
      return this.#state.compressor.skip(cooling);
    const targetMessages = this.#state.meter.messageGoal;
    const goal = { stages: this.#stages, targetTokens: this.#state.meter.budget.target, targetMessages };
    const outcome = await this.#state.compressor.compress({ ...goal, reason, signal, skipStalled: true });
    if (outcome.status === 'failed') return outcome;
    if (targetMessages !== undefined && this.#state.meter.messageGoal !== undefined)
      this.#state.meter.restOnMessages();
    this.#state.breaker.record(
      freedBy(outcome.record, targetMessages),
      this.#now(),
      this.#state.meter.measure().tokens,
    );
    return outcome;
  }

  /** Below the trigger: what may be done before a send where it has anything to do. */
  async #upkeep(
    stages: readonly CompressionStrategy[],
    signal: AbortSignal | undefined,
  ): Promise<CompressionOutcome> {
    if (stages.length === 0) return this.#state.compressor.skip('below the trigger');
    const { beforeSend } = this.#settings;
    const atLeast = (beforeSend !== false && beforeSend.atLeast) || 1;
    const { tokensBefore, tokensAfter } = await this.#state.compressor.simulate(stages, 0);
    if (tokensBefore - tokensAfter < atLeast) return this.#state.compressor.skip('below the trigger');
    const reason = 'before a send';
    return this.#state.compressor.compress({ stages, targetTokens: 0, reason, signal, upkeep: true });
  }

  get #targetByHand(): number {
    return Math.min(
      this.#state.meter.budget.target,
      Math.floor(this.#state.meter.measure().tokens * byHandShare),
    );
  }

  #goal({ strategy, targetTokens = this.#targetByHand }: CompressOptions) {
    if (typeof targetTokens !== 'number' || Number.isNaN(targetTokens)) {
      throw new ConfigError({
        code: 'config-invalid',
        problem: 'The target must be a number of tokens',
        place: 'targetTokens',
        value: targetTokens,
        remedy: 'Give a number, or leave it out for the configured target.',
      });
    }
    if (strategy === undefined) return { stages: this.#stages, targetTokens };
    const one =
      typeof strategy === 'string'
        ? resolveStrategy(this.#container, strategy, 'strategy')
        : defineStrategy(strategy);
    return { stages: [one], targetTokens };
  }

  /** One compression at a time; the next waits, whatever became of the one before. */
  #inTurn(task: () => Promise<CompressionOutcome>): Promise<CompressionOutcome> {
    const run = this.#queue.then(task).finally(() => this.#updateLevel());
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Where the tokenizer can't be loaded, estimates have to do. */
  async #loadTokenizer(): Promise<void> {
    try {
      await this.#state.conversation.counter.load();
      this.#estimating = undefined;
    } catch (error) {
      this.#estimating = `The tokenizer could not be loaded, so figures are estimates: ${preview(String(error))}`;
    }
    this.#updateLevel();
  }

  #markRequest(isTold: boolean): void {
    this.#state.meter.markRequest(isTold);
    this.#state.conversation.markRequest();
  }

  #viewChanged(): void {
    this.#state.breaker.reset();
    this.#state.meter.calibration.releaseAnchor();
    this.#state.meter.forgetRest();
    this.#state.compressor.forgetStalls();
    this.#updateLevel();
  }

  #updateLevel(): void {
    const from = this.#level;
    const to = this.level;
    if (from === to) return;
    this.#level = to;
    this.#events.emit('level-change', { from, to });
    if (from === CompressionLevel.NONE) {
      const { tokens, contextWindow } = this.#state.meter.measure();
      this.#events.emit('usage-warning', { tokens, contextWindow, utilization: tokens / contextWindow });
    }
  }
}

/** The share that a compression freed: of the messages too, where it was for their number. */
function freedBy(record: CompressionRecord | undefined, targetMessages: number | undefined): number {
  if (record === undefined) return 0;
  const ofMessages = targetMessages === undefined ? 0 : 1 - record.messagesAfter / record.messagesBefore;
  return Math.max(record.reduction, ofMessages);
}

/** A manager for one conversation; see `ManagerOptions`. */
export function createContextManager(options: ManagerOptions = {}): ContextManager {
  return new ContextManager(options);
}
