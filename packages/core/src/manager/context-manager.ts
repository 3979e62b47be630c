import { CompressionLevel } from '../base/compression-level.js';
import { within } from '../base/deadline.js';
import { refuse } from '../base/errors.js';
import { finish, inSlices, type Steps } from '../base/slices.js';
import type { ContextBudget } from '../budget/context-budget.js';
import type { Usage, UsageOutcome } from '../budget/usage-report.js';
import { type EventName, type Listener, SafeEmitter } from '../compress/events.js';
import type { CompressionOutcome, CompressionRecord, Simulation } from '../compress/record.js';
import { refuseNativeForm } from '../config/container.js';
import { editKindsIn } from '../config/registry.js';
import type { ArchivePassage, FindOptions, PassageSource } from '../transcript/archive.js';
import type { Message, MessageId } from '../transcript/message.js';
import { isMessage } from '../transcript/parse-message.js';
import { type TranscriptMessage, unknownId } from '../transcript/transcript.js';
import { builtInKinds } from '../view/edits/index.js';
import type { Whereabouts } from '../view/whereabouts.js';
import { ArchiveLog, archiveOf } from './archive-log.js';
import { Compressions, outcomeOfAbort } from './compressions.js';
import { type Hint, Hints } from './hints.js';
import type { CheckOptions, CompressOptions, ManagerOptions } from './manager-options.js';
import { ManagerState } from './manager-state.js';
import { optionFaults } from './option-faults.js';
import { type ContextStats, type ManagerStatus, statsOf, statusOf } from './report.js';
import { type Setup, setUp } from './setup.js';
import { parseSnapshot, type Snapshot } from './snapshot.js';
import { type SyncOutcome, syncPlan } from './sync.js';
import { TokenizerLoading } from './tokenizer-loading.js';

/**
 * Holds a whole conversation, decides when it is too big for the window, lets strategies propose what should leave, and
 * returns the messages to send.
 */
export class ContextManager implements PassageSource {
  readonly #setup: Setup;
  readonly #state: ManagerState;
  readonly #compressions: Compressions;
  readonly #tokenizer: TokenizerLoading;
  readonly #archive: ArchiveLog | undefined;
  readonly #events = new SafeEmitter();
  readonly #hints = new Hints((hint) => this.#events.emit('hint', hint));
  #level: CompressionLevel = CompressionLevel.NONE;
  #running = 0;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws ConfigError when the configuration, a strategy's name or its options can't work */
  constructor(options: ManagerOptions = {}) {
    this.#setup = setUp(options);
    this.#state = new ManagerState(this.#setup, options.counter, this.#events, (reason, record) => {
      if (reason === 'rewind') this.#archive?.rewound();
      else this.#archive?.changed();
      this.#events.emit('epoch-start', { epoch: this.epoch, reason, record });
    });
    const { archive, settings, wait } = this.#setup;
    const { conversation } = this.#state;
    this.#archive = archive && new ArchiveLog(archive, this.#setup, conversation, this.#events);
    this.#compressions = new Compressions(
      this.#setup,
      this.#state,
      (task) => this.#queued(task),
      this.#hints,
      (id) => this.undo(id),
    );
    this.#tokenizer = new TokenizerLoading(
      conversation.counter,
      { timeoutMs: settings.timeoutMs, wait },
      (signal) => inSlices(this.#state.meter.countAhead(), { ...this.#setup.slices, signal }),
      () => this.#updateLevel(),
    );
    this.#events.on('compression-fail', ({ error }) => this.#hints.unresolved(error));
    this.setTools(options.tools);
  }

  /** Everything ever said, in order. */
  get transcript(): readonly TranscriptMessage[] {
    return [...this.#state.conversation.transcript];
  }

  /** The newest records of compressions in force, oldest first; 10 unless configured otherwise. */
  get history(): readonly CompressionRecord[] {
    return this.#state.conversation.newestRecords(false);
  }

  /** The newest records in force that were made before a send, below the trigger (`config.beforeSend`); as many as of compressions. */
  get simplifications(): readonly CompressionRecord[] {
    return this.#state.conversation.newestRecords(true);
  }

  get level(): CompressionLevel {
    return this.#state.meter.level;
  }

  /** Number of the epoch. Within an epoch the result of `view()` only grows at its end. */
  get epoch(): number {
    return this.#state.conversation.generation;
  }

  /** Problems of the configuration, the machine or reported usage that the manager works around. */
  get warnings(): readonly string[] {
    const { budget, doubt } = this.#state.meter;
    const { warnings } = this.#hints;
    return [
      ...this.#setup.warnings,
      ...[budget.warning, this.#tokenizer.warning, this.#archive?.warning, ...warnings, doubt].flatMap(
        (one) => one ?? [],
      ),
    ];
  }

  /** What in the use of the manager is probably not meant. Each is also told once, by the event `hint`. */
  get hints(): readonly Hint[] {
    return this.#hints.all;
  }

  /** The names of the stages, in order. */
  get pipeline(): readonly string[] {
    return this.#setup.stages.map((strategy) => strategy.name);
  }

  /**
   * The messages to send. Untouched messages are the very objects that were appended. The provider's next usage report
   * and answer are taken to refer to this view. After the first call of `request()`, `view()` only looks.
   */
  view(): readonly Message[] {
    const { meter } = this.#state;
    if (!meter.announcesRequests) this.#markRequest(false);
    return this.#shown();
  }

  /** Returns the messages to send, and notes that they are being sent now. Reported usage, cost and bound reasoning refer to them. */
  request(): readonly Message[] {
    this.#markRequest(true);
    return this.#shown();
  }

  #shown(): readonly Message[] {
    const isFull = this.#setup.settings.enabled && this.level >= CompressionLevel.HARD;
    this.#hints.viewed(isFull, this.#running > 0);
    return this.#state.conversation.view.messages();
  }

  /**
   * Appends a message and returns its id. Takes the same time however long the conversation is.
   * @throws ValidationError when the message is malformed or answers no open call; nothing is appended then
   */
  append(message: Message): MessageId {
    refuseNativeForm(this.#setup.forms, message, this.#state.conversation.transcript.length);
    this.#hints.appending(message, this.#state.conversation.transcript.messages);
    const added = this.#state.conversation.append(message, undefined, this.#setup.now());
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

  /**
   * Waits until the tokenizer is loaded, so that what is appended next is counted exactly at once. Checks wait for it by themselves, and
   * count again what was estimated until then.
   * @throws CtxError `aborted`
   */
  loadTokenizer(signal?: AbortSignal): Promise<void> {
    return this.#tokenizer.wait(signal);
  }

  /**
   * Counts messages in steps, for `inSlices`: appending these objects takes less time then. Nothing else changes, and what is malformed is
   * left to `append`.
   */
  *countAhead(messages: Iterable<Message>): Steps<void> {
    const { counter } = this.#state.conversation;
    if (typeof messages?.[Symbol.iterator] !== 'function') return;
    for (const message of messages) {
      yield;
      if (isMessage(message)) yield* counter.messageInSteps(message);
    }
  }

  /**
   * Appends a message, then checks.
   * @throws ValidationError as `append`; ConfigError and ContextOverflowError as `checkAndCompress`
   */
  async add(message: Message, options: CheckOptions = {}): Promise<CompressionOutcome> {
    refuse(optionFaults(options, 'add'));
    this.append(message);
    return this.checkAndCompress(options);
  }

  /**
   * Makes the transcript equal to a history: appends new messages, and removes those that the history no longer has,
   * with the records made since. Messages are compared by their content. A system prompt may change in its place.
   * Calling it again with the same history changes nothing.
   * @throws ValidationError as `append`; nothing is changed then
   */
  sync(history: readonly Message[]): SyncOutcome {
    const { conversation } = this.#state;
    const { kept, found, replaced, appended } = syncPlan(conversation.transcript, history, this.#setup.forms);
    const last = conversation.transcript.at(kept - 1);
    const isShorter = kept < conversation.transcript.length;
    const { removed, undone } = isShorter ? this.#rewind(last?.id) : { removed: [], undone: [] };
    if (replaced.length > 0) {
      conversation.replaceSystem(new Map(replaced.map(({ id, message }) => [id, message])));
      this.#viewChanged();
    }
    const { transcript } = conversation;
    const { length } = transcript;
    const ids = appended.map((message) => this.append(message));
    const entries = [
      ...found.map((at) => transcript.at(at) as TranscriptMessage),
      ...ids.map((id) => transcript.get(id) as TranscriptMessage),
    ];
    return { entries, added: transcript.messages.slice(length), removed, undone };
  }

  /**
   * Replaces the tool definitions that are counted with every request.
   * @throws ConfigError `config-invalid` if it is neither a list of definitions nor an object of them or a text
   */
  setTools(tools: unknown): void {
    refuse(optionFaults({ tools }, 'setTools'));
    this.#state.setTools(tools);
    this.#updateLevel();
  }

  /**
   * Compresses if the trigger says so. Checks are throttled (5 s by default), except at level HARD and above and with
   * `beforeSend`. One compression runs at a time; a failed stage costs only itself. With the setting `background` it
   * returns at once below level HARD, and waits from there on.
   * @throws ContextOverflowError when everything that may leave has left and the view is still larger than the window;
   * ConfigError `config-invalid` for an unknown option
   */
  async checkAndCompress(options: CheckOptions = {}): Promise<CompressionOutcome> {
    refuse(optionFaults(options, 'checkAndCompress'));
    if (options.beforeSend && this.#setup.settings.enabled) {
      const aborted = await this.#shortenArrivals(options.signal).catch(outcomeOfAbort);
      if (aborted !== undefined) return aborted;
    }
    const running = this.#compressions.whileInBackground();
    if (running !== undefined) return running;
    return this.#inTurn(async () => {
      if (!this.#setup.settings.enabled) return this.#state.compressor.skip('disabled');
      await this.#tokenizer.wait(options.signal);
      return this.#compressions.check(options);
    }, options.signal);
  }

  /** Sends excerpts of new results that are too large. */
  async #shortenArrivals(signal: AbortSignal | undefined): Promise<undefined> {
    const { settings, slices } = this.#setup;
    const { conversation } = this.#state;
    if (settings.arrivals === false || this.#archive === undefined || conversation.unsent.length === 0)
      return;
    await this.#tokenizer.wait(signal);
    const { shortenArrivals } = await import('./arrivals.js');
    await shortenArrivals(conversation, this.#archive, settings, { ...slices, signal }, this.#events);
    this.#updateLevel();
  }

  /** True if the next check would compress, throttling aside. */
  willCompress(): boolean {
    return this.#setup.settings.enabled && this.#state.meter.reason !== undefined;
  }

  /**
   * Compresses by hand, whatever the trigger says, even if the configuration has `enabled: false`. Goes down to
   * `targetTokens`; by default to the configured target or half of the current request, whichever is less.
   * @throws ConfigError `strategy-unknown` or `config-invalid`; ContextOverflowError as `checkAndCompress` does
   */
  async compress(options: CompressOptions = {}): Promise<CompressionOutcome> {
    refuse(optionFaults(options, 'compress'));
    return this.#inTurn(async () => {
      await this.#tokenizer.wait(options.signal);
      return this.#compressions.byHand(options);
    }, options.signal);
  }

  /**
   * Shows what `compress` would do. Nothing changes, no event is emitted, and nothing outside is called.
   * @throws ConfigError `strategy-unknown` or `config-invalid`
   */
  async simulate(options: Pick<CompressOptions, 'strategy' | 'targetTokens'> = {}): Promise<Simulation> {
    refuse(optionFaults(options, 'simulate'));
    await this.#tokenizer.wait();
    return this.#compressions.onTrial(options);
  }

  /**
   * Call this after a provider refused a request as too large. Takes off what the error names and a little more, otherwise a tenth, with
   * deterministic stages, at most three times in a row. The task and the newest user message stay as they are, and so do results that the model
   * has not read unless they alone are too large: what must be cut of them comes back with the next check that has room. Status `unchanged`
   * if that is not enough. Where its images are too many or too large, the oldest of them leave and nothing else. Does nothing for any other error, or if the configuration has `enabled: false`.
   * @throws ConfigError `config-invalid` for an unknown option
   */
  async recover(error: unknown, options: Pick<CheckOptions, 'signal'> = {}): Promise<CompressionOutcome> {
    refuse(optionFaults(options, 'recover'));
    this.#compressions.stopInBackground('the provider reported a context overflow');
    return this.#inTurn(
      () => this.#compressions.recover(error, options.signal, () => this.#tokenizer.wait(options.signal)),
      options.signal,
    );
  }

  /**
   * Protects a message from all later edits.
   * @throws CtxError `id-unknown` or `message-not-in-view`
   */
  pin(id: MessageId): void {
    this.#state.conversation.pin(id);
  }

  unpin(id: MessageId): void {
    this.#state.conversation.pins.delete(id);
    this.#state.compressor.forgetStalls();
    this.#state.breaker.reset();
  }

  /**
   * Undoes a record and those built on it, and returns their ids.
   * @throws CtxError `record-unknown`
   */
  undo(recordId: string): readonly string[] {
    const undone = this.#state.conversation.undo(recordId);
    this.#viewChanged();
    return undone;
  }

  /**
   * Removes everything said after a message, undoes the records made since, and returns both.
   * @throws CtxError `id-unknown`
   */
  rewindTo(id: MessageId): {
    readonly removed: readonly TranscriptMessage[];
    readonly undone: readonly string[];
  } {
    if (!this.#state.conversation.transcript.get(id)) throw unknownId(id);
    return this.#rewind(id);
  }

  #rewind(id: MessageId | undefined) {
    const { removed, undone } = this.#state.conversation.rewindTo(id);
    this.#viewChanged();
    this.#events.emit('transcript-rewind', { to: id, removed: removed.length, undone });
    return { removed, undone };
  }

  /**
   * Teaches the manager what the provider counted for the messages that `view()` last returned.
   * @throws ValidationError `usage-invalid` when the figure is negative or not a number
   */
  reportUsage(usage: Usage): UsageOutcome {
    const outcome = this.#state.meter.report(usage, this.#setup.model.model);
    if (outcome.used) this.#state.recoveries = 0;
    this.#updateLevel();
    this.#events.emit('usage-report', { usage, outcome });
    return outcome;
  }

  /** The figures of the next request, of the conversation and of all compressions. */
  stats(): ContextStats {
    return statsOf(this.#state);
  }

  /** The state in words, for a status line. */
  status(): ManagerStatus {
    return statusOf(this.#state, this.#setup.now());
  }

  /** How the window is used, in the provider's tokens as far as they are known. */
  budget(): ContextBudget {
    return this.#state.meter.contextBudget(this.#setup.settings.reserve);
  }

  /**
   * Finds the passages that left the view and have most in common with a query, the best first.
   * @throws CtxError `port-missing` without an archive, `timeout`, or as the archive's `search`
   */
  async find(query: string, options: FindOptions = {}): Promise<readonly ArchivePassage[]> {
    return archiveOf(this.#archive).find(query, options);
  }

  /**
   * Returns what was said under a handle such as `#m41` or `#m41:120-180`, word for word, whether it is in the view or not.
   * @throws CtxError `port-missing` without an archive, or as the archive's `get`
   */
  async read(
    ref: string,
    options: { readonly maxTokens?: number | undefined } = {},
  ): Promise<readonly ArchivePassage[]> {
    return archiveOf(this.#archive).read(ref, options?.maxTokens);
  }

  /**
   * Waits until what left the view is in the archive, and tries again what failed. Call it before the process ends.
   * True if all of it is there, or if there is no archive. If not, `warnings` says why.
   */
  async archived(): Promise<boolean> {
    return this.#archive?.caughtUp() ?? true;
  }

  /**
   * Says where a message is now: in the view, in what an edit made of it, or gone, and why.
   * @param which an id of the transcript, or a handle such as `#m41`
   * @throws CtxError `id-unknown`
   */
  async explain(which: MessageId): Promise<Whereabouts> {
    const { whereaboutsOf } = await import('../view/whereabouts.js');
    return whereaboutsOf(this.#state.conversation, which, this.#setup.kinds);
  }

  /** Listens to an event; returns a function that stops it. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    return this.#events.on(name, listener);
  }

  off<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    this.#events.off(name, listener);
  }

  /** Everything needed to continue later, as plain JSON. Compress it where you store it: it repeats much. */
  snapshot(): Snapshot {
    const archive = this.#archive?.state;
    return { ...this.#setup.model, ...this.#state.toJSON(), ...(archive && { archive }) };
  }

  /**
   * Restores the manager from a snapshot, for the same provider and model. Pass the other options it was made with.
   * @throws CtxError `snapshot-invalid`, ValidationError for a message in it, ConfigError as `new ContextManager`
   */
  static restore(snapshot: unknown, options: ManagerOptions = {}): ContextManager {
    return finish(ContextManager.restoreInSteps(snapshot, options));
  }

  /**
   * The same in steps, for `inSlices`: a long conversation takes some ms for each thousand messages.
   * @throws as `restore`
   */
  static *restoreInSteps(snapshot: unknown, options: ManagerOptions = {}): Steps<ContextManager> {
    refuse(optionFaults(options, 'createContextManager'));
    const kinds = options.container === undefined ? builtInKinds : editKindsIn(options.container);
    const parsed = parseSnapshot(snapshot, kinds);
    yield;
    const { provider = parsed.provider, model = parsed.model, tools } = options;
    const { conversation = parsed.archive?.conversation } = options;
    const manager = new ContextManager({ ...options, provider, model, conversation, tools: undefined });
    yield;
    yield* manager.#state.resume(parsed, tools);
    const isOther = (one: string | undefined, other: string | undefined) =>
      one !== undefined && one !== other;
    if (isOther(parsed.model, model) || isOther(parsed.provider, provider))
      manager.#state.meter.cache.changeModel(`${parsed.provider}/${parsed.model}`, `${provider}/${model}`);
    manager.#archive?.resume(parsed.archive);
    manager.#updateLevel();
    return manager;
  }

  /** Runs one compression at a time. The next one waits, whatever the result of the one before. */
  #inTurn(task: () => Promise<CompressionOutcome>, signal?: AbortSignal): Promise<CompressionOutcome> {
    this.#hints.checked();
    this.#running += 1;
    return this.#queued(task, signal).finally(() => {
      this.#running -= 1;
    });
  }

  /** Runs a task when the ones before it are done. A caller that aborts does not wait for them. */
  #queued(task: () => Promise<CompressionOutcome>, signal?: AbortSignal): Promise<CompressionOutcome> {
    const before = this.#queue;
    const waits = signal !== undefined && (this.#running > 1 || this.#compressions.runInBackground);
    const turn = waits ? within({ signal, timeoutMs: 0, wait: () => () => {} }, () => before) : before;
    const run = turn
      .then(task)
      .catch(outcomeOfAbort)
      .finally(() => this.#updateLevel());
    this.#queue = before.then(() => run.catch(() => undefined));
    return run;
  }

  #markRequest(announcesRequests: boolean): void {
    this.#state.meter.markRequest(announcesRequests);
    this.#state.conversation.markRequest();
  }

  #viewChanged(): void {
    this.#state.breaker.reset();
    this.#state.meter.calibration.releaseAnchor();
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
