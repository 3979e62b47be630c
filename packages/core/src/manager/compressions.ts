import { CompressionLevel } from '../base/compression-level.js';
import { throwIfAborted } from '../base/deadline.js';
import { CtxError } from '../base/errors.js';
import { isWorthwhile } from '../budget/trigger.js';
import type { Compressor } from '../compress/compressor.js';
import { mayAskModel } from '../compress/model-pause.js';
import type { CompressionOutcome, Simulation } from '../compress/record.js';
import type { CompressionRequest } from '../compress/run.js';
import { resolveStrategy } from '../config/registry.js';
import { stayingIn } from '../view/protection.js';
import { type CompressionStrategy, defineStrategy } from '../view/strategy.js';
import type { CompressionDecision } from './before-compress.js';
import type { Hints } from './hints.js';
import type { CheckOptions, CompressOptions } from './manager-options.js';
import type { ManagerState } from './manager-state.js';
import type { Setup } from './setup.js';

/** Without a target, a compression by hand leaves at most this share of the request. */
const byHandShare = 0.5;

/** Loaded with the first compression: a conversation that fits needs none. */
const compression = () => import('../compress/compression.js');

const compressedBy = async (compressor: Compressor, request: CompressionRequest) =>
  (await compression()).compressed(compressor, request);

/** The ways to start a compression: a check, by hand, as a simulation, or after a refused request. The tokenizer is loaded before they run. */
export class Compressions {
  #inBackground: AbortController | undefined;

  constructor(
    readonly setup: Setup,
    readonly state: ManagerState,
    readonly queued: (task: () => Promise<CompressionOutcome>) => Promise<CompressionOutcome>,
    readonly hints: Pick<Hints, 'compressing' | 'modelsPause'>,
    readonly undo: (record: string) => unknown,
  ) {}

  get runInBackground(): boolean {
    return this.#inBackground !== undefined;
  }

  stopInBackground(reason: string): void {
    this.#inBackground?.abort(reason);
  }

  whileInBackground(): CompressionOutcome | undefined {
    const { meter, compressor } = this.state;
    if (!this.runInBackground || meter.level >= CompressionLevel.HARD) return undefined;
    return compressor.skip('a compression runs in the background');
  }

  /**
   * Compresses while the host goes on. The events of every compression tell the result.
   * @param signal stops it, also after the call that started it has returned
   * @throws CtxError `aborted` if the signal has aborted; nothing is started then
   */
  #startInBackground(signal: AbortSignal | undefined): void {
    throwIfAborted(signal);
    const running = new AbortController();
    const stop = () => running.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    this.#inBackground = running;
    this.queued(async () => {
      throwIfAborted(running.signal);
      const { reason } = this.state.meter;
      if (reason === undefined) return this.state.compressor.skip('below the trigger');
      return this.#triggered(reason, running.signal);
    })
      // An overflow is told by an event, and the next check meets it again.
      .catch(() => undefined)
      .finally(() => {
        signal?.removeEventListener('abort', stop);
        if (this.#inBackground === running) this.#inBackground = undefined;
      });
  }

  /** Compresses if the trigger says so; otherwise does the work configured for before a send. */
  async check({ signal, beforeSend = false }: CheckOptions): Promise<CompressionOutcome> {
    const { settings, now } = this.setup;
    const { meter, compressor } = this.state;
    const [startedAt, last] = [now(), this.state.lastCheck];
    const isSoon = last !== undefined && startedAt - last < settings.throttleMs;
    if (isSoon && !beforeSend && meter.level < CompressionLevel.HARD) return compressor.skip('throttled');
    this.state.lastCheck = startedAt;
    const outcome = await this.#checkNow(startedAt, { signal, beforeSend }).catch(outcomeOfAbort);
    if (outcome.status === 'failed') this.state.lastCheck = last;
    return outcome;
  }

  async #checkNow(startedAt: number, { signal, beforeSend }: CheckOptions): Promise<CompressionOutcome> {
    const { settings } = this.setup;
    const { meter, compressor, breaker } = this.state;
    if (meter.conversation.records.length > 0) {
      const { needlessCuts, needlessRecoveries } = await import('./cut-words.js');
      for (const record of needlessCuts(meter)) this.#takeBack(record);
      for (const record of needlessRecoveries(this.state)) this.#takeBack(record);
    }
    const { reason } = meter;
    if (reason === undefined) return this.#upkeep(beforeSend === true ? this.setup.beforeSend : [], signal);
    const { transcript, view } = meter.conversation;
    const fits = view.tokens <= meter.viewTokensWithin(meter.budget.limit, view);
    if (fits && transcript.newestAnswer === undefined)
      return compressor.skip('nothing was answered yet, and all of it fits');
    const cooling = breaker.reason(startedAt, meter.measure().tokens);
    if (cooling !== undefined && meter.level < CompressionLevel.HARD) return compressor.skip(cooling);
    if (!settings.background || meter.level >= CompressionLevel.HARD) return this.#triggered(reason, signal);
    const running = this.whileInBackground();
    if (running !== undefined) return running;
    this.#startInBackground(signal);
    return { status: 'unchanged', reason: 'a compression has started in the background' };
  }

  async #triggered(reason: string, signal: AbortSignal | undefined): Promise<CompressionOutcome> {
    const { stages, now } = this.setup;
    const { meter, compressor, breaker } = this.state;
    const { view, gateRules } = meter.conversation;
    const { tokens, lastingTokens } = stayingIn(view, gateRules);
    this.hints.compressing(meter.fixedTokens + lastingTokens, tokens - lastingTokens, meter.budget.start);
    const { isForCost } = meter;
    const targetTokens = meter.targetBeside(tokens, isForCost);
    const enoughTokens = meter.budget.enoughFor(targetTokens);
    if (reason === meter.cold && !isWorthwhile({ ...meter.measure(), cheapTarget: targetTokens }))
      return compressor.skip('the cache holds nothing, but little can leave');
    const paysWithin = isForCost ? Math.max(1, meter.overpaid.state.paidRequests) : undefined;
    const request = { stages, targetTokens, enoughTokens, reason, signal, skipStalled: true, paysWithin };
    const outcome = await this.#compress(request).finally(() =>
      this.hints.modelsPause(this.state.modelPause.reason(now())),
    );
    if (outcome.status === 'failed' || outcome.status === 'unchanged') return outcome;
    breaker.record(outcome.record?.reduction ?? 0, now(), meter.measure().tokens);
    return outcome;
  }

  async #compress(request: CompressionRequest): Promise<CompressionOutcome> {
    const { beforeCompress, settings, wait } = this.setup;
    const { compressor, meter } = this.state;
    if (beforeCompress === undefined) return compressedBy(compressor, request);
    const { tokens, contextWindow } = meter.measure();
    const { reason, targetTokens, stages, signal } = request;
    const pending = { reason, tokens, targetTokens, contextWindow, pipeline: stages.map(({ name }) => name) };
    const { events } = compressor.surroundings;
    const { decide } = await import('./before-compress.js');
    const limits = { signal, timeoutMs: settings.timeoutMs, wait, events };
    let decision: CompressionDecision;
    try {
      decision = await decide(beforeCompress, pending, limits);
    } catch (error) {
      return outcomeOfAbort(error);
    }
    if (decision === undefined) return compressedBy(compressor, request);
    if ('strategies' in decision)
      return compressedBy(compressor, { ...request, stages: decision.strategies });
    if (meter.measure().tokens > contextWindow) return compressedBy(compressor, { ...request, stages: [] });
    return compressor.skip(`vetoed: ${decision.veto}`);
  }

  /** Below the trigger: runs the stages for before a send, if they free enough. */
  async #upkeep(
    stages: readonly CompressionStrategy[],
    signal: AbortSignal | undefined,
  ): Promise<CompressionOutcome> {
    const { compressor } = this.state;
    if (stages.length === 0) return compressor.skip('below the trigger');
    const { beforeSend } = this.setup.settings;
    const atLeast = (beforeSend !== false && beforeSend.atLeast) || 1;
    const { simulated } = await compression();
    const { tokensBefore, tokensAfter } = await simulated(compressor, { stages, targetTokens: 0, signal });
    if (tokensBefore - tokensAfter < atLeast) return compressor.skip('below the trigger');
    const reason = 'before a send';
    return compressedBy(compressor, { stages, targetTokens: 0, reason, signal, upkeep: true });
  }

  /** @throws ConfigError `strategy-unknown` or `config-invalid` */
  async byHand(options: CompressOptions): Promise<CompressionOutcome> {
    const goal = this.#goal(options);
    return compressedBy(this.state.compressor, { ...options, ...goal, reason: 'by hand', automatic: false });
  }

  /** @throws ConfigError `strategy-unknown` or `config-invalid` */
  async onTrial(options: CompressOptions): Promise<Simulation> {
    const request = { ...this.#goal(options), automatic: false };
    return (await compression()).simulated(this.state.compressor, request);
  }

  /**
   * Called after a provider refused a request; see `recovery.ts`.
   * @param ready loads the tokenizer
   */
  async recover(
    error: unknown,
    signal: AbortSignal | undefined,
    ready: () => Promise<void>,
  ): Promise<CompressionOutcome> {
    const { setup, state } = this;
    const stages = setup.stages.filter((stage) => !mayAskModel(stage, setup.kinds));
    const { recovered } = await import('./recovery.js');
    return recovered(error, {
      setup,
      state,
      signal,
      ready,
      compress: (goal) => this.#compress({ ...goal, stages, signal }),
      takeBack: (record) => this.#takeBack(record),
    });
  }

  #takeBack(record: string): void {
    // One that was built on another may be gone with it.
    if (this.state.conversation.records.some(({ id }) => id === record)) this.undo(record);
  }

  #goal({ strategy, targetTokens: given }: CompressOptions) {
    const { meter } = this.state;
    const targetTokens = given ?? Math.min(meter.target, Math.floor(meter.measure().tokens * byHandShare));
    if (strategy === undefined) return { stages: this.setup.stages, targetTokens };
    const one =
      typeof strategy === 'string'
        ? resolveStrategy(this.setup.container, strategy, 'strategy')
        : defineStrategy(strategy);
    return { stages: [one], targetTokens };
  }
}

/** An abort before the stages began gives the same outcome as one during them. */
export function outcomeOfAbort(error: unknown): CompressionOutcome {
  if (CtxError.isInstance(error) && error.code === 'aborted')
    return { status: 'failed', reason: 'aborted', error };
  throw error;
}
