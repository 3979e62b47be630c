import type { DependencyContainer } from '../base/di.js';
import { ContextOverflowError } from '../base/errors.js';
import { seededRandom } from '../base/random.js';
import { finish, type SliceOptions, type Steps, slicer } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import { type RequestCost, requestCost } from '../budget/request-cost.js';
import type { Settings } from '../config/config.js';
import type { Conversation, Planned } from '../view/conversation.js';
import type { Applied, RejectedEdit } from '../view/gate.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { SafeEmitter } from './events.js';
import { MetricsCounter, type MetricsState } from './metrics.js';
import type { CompressionOutcome, Simulation } from './outcome.js';
import { overflowBreakdown } from './overflow-breakdown.js';
import { runPipeline } from './pipeline.js';
import {
  addToTotals,
  type CompressionRecord,
  type CompressionTotals,
  noCompressions,
  type StageReport,
} from './record.js';
import { recordOf, type Standing } from './record-of.js';
import type { Run, RunResult } from './run.js';

export interface CompressionRequest {
  readonly stages: readonly CompressionStrategy[];
  /** Tokens to get the request down to, in the provider's measure. */
  readonly targetTokens: number;
  /** Messages to get the view down to, if their number matters. */
  readonly targetMessages?: number | undefined;
  readonly reason: string;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * False if someone asked for it by hand.
   * @default true
   */
  readonly automatic?: boolean;
  /** Skips stages that made no progress on a view that has not grown since. */
  readonly skipStalled?: boolean;
  /** Goes as far as possible, whatever the target. The cost of reading more than the target continues to add up. */
  readonly upkeep?: boolean;
}

/** The state of the compressor as plain JSON, for a snapshot. Optional fields are missing in older snapshots. */
export interface CompressorState {
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  readonly metrics?: MetricsState | undefined;
  readonly stalled?: readonly (readonly [strategy: string, tokens: number])[] | undefined;
}

/** A judgement that was overtaken by a change is repeated; from this time on without a pause. */
const patientAttempts = 3;
const noProgress = 'no stage made progress';

interface Surroundings {
  readonly conversation: Conversation<CompressionRecord>;
  readonly settings: Settings;
  readonly container: DependencyContainer;
  readonly events: SafeEmitter;
  readonly now: () => number;
  readonly slices: SliceOptions | undefined;
}

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
  /** Strategies that made no progress, each with the tokens of that view. */
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
      const planned = { ...(await runPipeline(run)), revision };
      done = await run.inSlices(this.#concluded(request, start, planned), signal);
    } catch (error) {
      events.emit('compression-fail', { error });
      return { status: 'failed', reason: 'aborted', error };
    }
    await run.inSlices(conversation.groupOldRecords());
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
    const applied = yield* conversation.judged(id, planned);
    yield;
    const fixedTokens = this.meter.toolTokens + settings.overhead.conversation;
    return {
      applied,
      cost: requestCost({ before, after: applied.view.sent(), fixedTokens }, settings.prices),
    };
  }

  /** Everything that follows from a judgement, at once. */
  #commit(request: CompressionRequest, start: Start, run: RunResult, { applied, cost }: Judged): Done {
    const { conversation, events, now } = this.surroundings;
    const { id, stalled } = start;
    for (const { strategy, status } of run.stages) {
      if (status !== 'progress' && !request.upkeep) stalled.set(strategy, run.view.tokens);
    }
    // Messages appended meanwhile count as growth of the request. Changes made by the host are not part of this
    // compression.
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
        });
    if (record !== undefined) this.#add(record, request);
    this.metrics.add({
      record,
      stages: run.stages,
      automatic: request.automatic ?? true,
      viewTokensBefore: before.view.tokens,
      usageBefore: before.tokens / this.meter.budget.contextWindow,
      usageAfter: after.tokens / this.meter.budget.contextWindow,
      summarizing: new Set(
        request.stages.filter(({ emits }) => emits.includes('summarize')).map(({ name }) => name),
      ),
    });
    const overflow = this.#overflow();
    const [refused] = applied.accepted.length === 0 ? applied.rejected : [];
    const outcome = this.#outcome(request, record, run.stages, refused);
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
    this.totals = addToTotals(this.totals, record);
    this.meter.calibration.releaseAnchor();
    if (!upkeep) this.meter.forgetOverpaid();
  }

  /** @throws CtxError `aborted` */
  async simulate(
    stages: readonly CompressionStrategy[],
    targetTokens: number,
    signal?: AbortSignal,
  ): Promise<Simulation> {
    const run = this.#run(
      { stages, targetTokens, reason: 'simulated', signal },
      'simulated',
      this.surroundings.now(),
    );
    const { view } = run;
    const [tokensBefore, messagesBefore] = [view.tokens, view.entries.length];
    const { fixedTokens } = this.meter;
    const result = await runPipeline({ ...run, container: undefined, events: undefined });
    return {
      tokensBefore: tokensBefore + fixedTokens,
      tokensAfter: result.view.tokens + fixedTokens,
      messagesBefore,
      messagesAfter: result.view.entries.length,
      edits: result.edits,
      rejected: result.rejected,
      unresolved: result.unresolved,
      stages: result.stages,
    };
  }

  #overflow(): ContextOverflowError | undefined {
    const { tokens, contextWindow } = this.meter.measure();
    return tokens > contextWindow ? new ContextOverflowError(overflowBreakdown(this.meter)) : undefined;
  }

  #outcome(
    request: CompressionRequest,
    record: CompressionRecord | undefined,
    stages: readonly StageReport[],
    refused: RejectedEdit | undefined,
  ): CompressionOutcome {
    const { view } = this.meter.conversation;
    const { targetMessages = Number.POSITIVE_INFINITY } = request;
    const isDown = view.tokens <= this.meter.viewTokensFor(request.targetTokens);
    const isDone = request.upkeep === true && record !== undefined;
    if (isDone || (isDown && view.entries.length <= targetMessages)) {
      if (record === undefined)
        return {
          status: 'unchanged',
          reason: refused === undefined ? 'already at the target' : outdated(refused),
        };
      return { status: 'compressed', reason: request.reason, record };
    }
    const missed = isDown
      ? `${view.entries.length} messages stay, but the target was ${targetMessages}`
      : 'the target was not reached';
    if (record !== undefined) return { status: 'insufficient', reason: missed, record };
    if (refused !== undefined) return { status: 'insufficient', reason: outdated(refused), stages };
    return { status: 'insufficient', reason: [noProgress, ...excusesOf(stages)].join(': '), stages };
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
    const { meter, surroundings } = this;
    const { conversation } = meter;
    const { settings } = surroundings;
    return {
      ...request,
      targetTokens: meter.viewTokensFor(request.targetTokens),
      windowTokens: meter.viewTokensWithin(meter.budget.contextWindow),
      windowTokensFor: (view) => meter.viewTokensWithin(meter.budget.contextWindow, view),
      minMessagesToKeep: settings.minMessagesToKeep,
      contextWindow: meter.budget.contextWindow,
      automatic: request.automatic ?? true,
      view: conversation.view.still(),
      transcript: conversation.readable,
      level: meter.level,
      now,
      random: seededRandom(settings.seed + this.recordNumber),
      priorities: settings.priorities,
      rules: conversation.gateRules,
      count: conversation.count,
      tokensOfText: (text) => conversation.counter.text(text),
      countInSteps: (text) => conversation.counter.textInSteps(text),
      record,
      container: surroundings.container,
      timeoutMs: settings.timeoutMs,
      recallTool: settings.recallTool,
      inSlices: slicer(surroundings.slices),
      events: surroundings.events,
      passOver: ({ name }, view) => {
        const stalledAt = request.skipStalled === true ? this.#stalled.get(name) : undefined;
        if (stalledAt === undefined || view.tokens > stalledAt) return undefined;
        return 'it made no progress, and the view has not grown since';
      },
    };
  }
}

/** Why nothing of a compression was put in force although its stages made progress. */
function outdated({ detail }: RejectedEdit): string {
  return `the conversation changed while it was compressed: ${detail}`;
}

/** Joins the reasons why stages did nothing; empty if none gave a reason. */
function excusesOf(stages: readonly StageReport[]): string[] {
  const excuses = stages.flatMap(({ strategy, reason, error }) => {
    const why = error ?? reason;
    return why === undefined ? [] : [`${strategy}: ${why}`];
  });
  return excuses.length === 0 ? [] : [excuses.join('; ')];
}
