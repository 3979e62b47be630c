import type { ContextOverflowError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import { type RequestCost, requestCost } from '../budget/request-cost.js';
import type { Applied } from '../view/gate.js';
import { judgedIn, type Planned } from '../view/judgement.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { CompressionRequest } from './compression-request.js';
import { MetricsCounter, type MetricsState } from './metrics.js';
import { type CompressionOutcome, noProgress, outcomeOf, type Simulation, simulationOf } from './outcome.js';
import { overflowOf } from './overflow-breakdown.js';
import {
  addToTotals,
  type CompressionRecord,
  type CompressionTotals,
  noCompressions,
  recordOf,
  type Standing,
} from './record.js';
import { type Run, type RunResult, runOf, type Surroundings } from './run.js';

/** The state of the compressor as plain JSON, for a snapshot. Optional fields are missing in older snapshots. */
export interface CompressorState {
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  readonly metrics?: MetricsState | undefined;
  readonly stalled?: readonly (readonly [strategy: string, tokens: number])[] | undefined;
}

/** A judgement that was overtaken by a change is repeated; from this time on without a pause. */
const patientAttempts = 3;

/** What a compression begins with. */
interface Start {
  readonly id: string;
  readonly at: number;
  readonly standing: Standing;
  /** As counted here. */
  readonly targetTokens: number;
  readonly generation: number;
  readonly stalled: Map<string, number>;
}

interface Judged {
  readonly applied: Applied;
  readonly cost: RequestCost;
}

interface Done {
  readonly outcome: CompressionOutcome;
  readonly overflow: ContextOverflowError | undefined;
}

/** Runs the stages on the conversation, puts their edits in force and records the result. */
export class Compressor {
  totals: CompressionTotals = noCompressions;
  recordNumber = 0;
  readonly metrics = new MetricsCounter();
  /** Strategies that made no progress, each with the tokens of the smallest view since. */
  #stalled = new Map<string, number>();

  constructor(
    readonly meter: Meter,
    readonly surroundings: Surroundings,
  ) {}

  /** Forgets which stages stalled, because after a change from outside they may make progress. */
  forgetStalls(): void {
    // A new map, so that a running compression still writes to the old one.
    this.#stalled = new Map();
  }

  get state(): CompressorState {
    const { totals, recordNumber } = this;
    return { totals, recordNumber, metrics: this.metrics.state, stalled: [...this.#stalled] };
  }

  resume({ totals, recordNumber, metrics, stalled }: CompressorState): void {
    this.totals = totals;
    this.recordNumber = recordNumber;
    if (metrics !== undefined) this.metrics.resume(metrics);
    for (const [strategy, tokens] of stalled ?? []) this.#stalled.set(strategy, tokens);
  }

  /** @throws ContextOverflowError when the view is larger than the window after every stage */
  async compress(request: CompressionRequest): Promise<CompressionOutcome> {
    const { conversation, events, now } = this.surroundings;
    const { reason, targetTokens, signal } = request;
    const start: Start = {
      id: `compression-${this.recordNumber + 1}`,
      at: now(),
      standing: this.#standing(),
      targetTokens: this.meter.viewTokensFor(targetTokens) + this.meter.fixedTokens,
      generation: conversation.generation,
      stalled: this.#stalled,
    };
    const { revision } = conversation;
    events.emit('compression-start', { reason, tokens: start.standing.tokens, targetTokens });
    const run = this.#run(request, start.id, start.at);
    let done: Done;
    try {
      // Loaded with the first compression: a conversation that fits needs none.
      const { runPipeline } = await import('./pipeline.js');
      const planned = { ...(await runPipeline(run)), revision };
      done = await run.inSlices(this.#concluded(request, start, planned), signal);
    } catch (error) {
      events.emit('compression-fail', { error });
      return { status: 'failed', reason: 'aborted', error };
    }
    await run.inSlices(conversation.forgetOldestRecords());
    if (done.overflow !== undefined) throw done.overflow;
    return done.outcome;
  }

  /**
   * Judges the edits and puts them in force. The judgement pauses, and begins again if the conversation changes
   * meanwhile; a host that never stops changing it is not waited for.
   */
  *#concluded(request: CompressionRequest, start: Start, planned: RunResult & Planned): Steps<Done> {
    const { conversation } = this.surroundings;
    for (let attempt = 1; ; attempt += 1) {
      const { revision } = conversation;
      const judging = this.#judged(start, planned);
      const judged = attempt < patientAttempts ? yield* judging : finish(judging);
      if (conversation.revision === revision) return this.#commit(request, start, planned, judged);
    }
  }

  *#judged({ id }: Start, planned: Planned): Steps<Judged> {
    const { conversation, settings } = this.surroundings;
    const before = conversation.view.sent();
    const applied = yield* judgedIn(conversation, id, planned);
    yield;
    const fixedTokens = this.meter.toolTokens + settings.overhead.conversation;
    const after = applied.view.sent();
    return { applied, cost: requestCost({ before, after, fixedTokens }, settings.prices) };
  }

  /** Everything that follows from a judgement, at once. */
  #commit(request: CompressionRequest, start: Start, run: RunResult, { applied, cost }: Judged): Done {
    const { conversation, events, now, modelPause } = this.surroundings;
    const { id, stalled } = start;
    for (const { strategy, status } of run.stages)
      if (status !== 'progress' && !request.upkeep) stalled.set(strategy, run.view.tokens);
    // A view that has shrunk may grow again with what they can do something about.
    for (const [strategy, tokens] of stalled) stalled.set(strategy, Math.min(tokens, applied.view.tokens));
    // Messages appended meanwhile count as growth. What the host changed is not part of this compression.
    const before = conversation.generation === start.generation ? start.standing : this.#standing();
    const isChange = applied.accepted.length > 0;
    if (isChange) conversation.commit(applied.view);
    const after = this.#standing();
    const record = !isChange
      ? undefined
      : recordOf(before, after, {
          id,
          createdAt: start.at,
          durationMs: now() - start.at,
          reason: request.reason,
          run,
          committed: applied,
          targetTokens: start.targetTokens,
          cost,
          transcriptLength: conversation.transcript.length,
          beforeSend: request.upkeep || undefined,
        });
    if (record !== undefined) this.#add(record, request);
    if (!request.upkeep)
      this.metrics.add({
        record,
        stages: run.stages,
        strategies: request.stages,
        automatic: request.automatic ?? true,
        viewTokensBefore: before.view.tokens,
        usageBefore: before.tokens / this.meter.budget.contextWindow,
        usageAfter: after.tokens / this.meter.budget.contextWindow,
      });
    modelPause.add(run.stages, request.stages, before.view.tokens, now());
    const overflow = overflowOf(this.meter);
    const [refused] = applied.accepted.length === 0 ? applied.rejected : [];
    const missed = this.#missed(request, isChange);
    const outcome = outcomeOf({ ...run, reason: request.reason, record, refused, missed });
    if (record !== undefined) conversation.onEpoch('record', id);
    for (const one of applied.rejected) events.emit('edit-reject', { ...one, strategy: 'core' });
    if (record !== undefined)
      events.emit('compression-end', { record, ...(overflow && { error: overflow }) });
    else if (overflow !== undefined) events.emit('compression-fail', { error: overflow });
    else
      events.emit('compression-skip', {
        reason: refused !== undefined || outcome.status === 'unchanged' ? outcome.reason : noProgress,
      });
    return { outcome, overflow };
  }

  #add(record: CompressionRecord, { upkeep }: CompressionRequest): void {
    this.surroundings.conversation.addRecord(record);
    this.recordNumber += 1;
    this.meter.calibration.releaseAnchor();
    if (upkeep) return;
    this.totals = addToTotals(this.totals, record);
    this.meter.forgetOverpaid();
  }

  /** @throws CtxError `aborted` */
  simulate(
    stages: readonly CompressionStrategy[],
    targetTokens: number,
    signal?: AbortSignal,
  ): Promise<Simulation> {
    const request = { stages, targetTokens, reason: 'simulated', signal };
    return simulationOf(this.#run(request, 'simulated', this.surroundings.now()), this.meter.fixedTokens);
  }

  /** Why the target was missed; `undefined` if it was reached. Upkeep has done its part with any change. */
  #missed(
    { targetTokens, enoughTokens = targetTokens, targetMessages, upkeep }: CompressionRequest,
    isChange: boolean,
  ): string | undefined {
    if (upkeep === true && isChange) return undefined;
    const { tokens, entries } = this.meter.conversation.view;
    if (tokens > this.meter.viewTokensFor(enoughTokens)) return 'the target was not reached';
    if (targetMessages === undefined || entries.length <= targetMessages) return undefined;
    return `${entries.length} messages stay, but the target was ${targetMessages}`;
  }

  skip(reason: string): CompressionOutcome {
    this.surroundings.events.emit('compression-skip', { reason });
    return { status: 'unchanged', reason };
  }

  #standing(): Standing {
    const { meter } = this;
    const { view } = meter.conversation;
    return {
      tokens: meter.measure().tokens,
      countedTokens: meter.counted().tokens,
      level: meter.level,
      messages: view.entries.length,
      view,
    };
  }

  #run(request: CompressionRequest, record: string, now: number): Run {
    return runOf(request, this.meter, this.surroundings, {
      record,
      now,
      seed: this.surroundings.settings.seed + this.recordNumber,
      stalledAt: (strategy) => this.#stalled.get(strategy),
    });
  }
}
