import type { DependencyContainer } from '../base/di.js';
import { ContextOverflowError } from '../base/errors.js';
import { seededRandom } from '../base/random.js';
import { type SliceOptions, slicer } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import { requestCost } from '../budget/request-cost.js';
import type { Settings } from '../config/config.js';
import type { Conversation } from '../view/conversation.js';
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

const noProgress = 'no stage made progress';

interface Surroundings {
  readonly conversation: Conversation<CompressionRecord>;
  readonly settings: Settings;
  readonly container: DependencyContainer;
  readonly events: SafeEmitter;
  readonly now: () => number;
  readonly slices: SliceOptions | undefined;
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
    const { conversation, events, now, settings } = this.surroundings;
    const { reason, targetTokens } = request;
    const startedAt = now();
    const stalled = this.#stalled;
    const { revision, generation } = conversation;
    const atStart = this.#standing();
    const countedTarget = this.meter.viewTokensFor(targetTokens) + this.meter.fixedTokens;
    events.emit('compression-start', { reason, tokens: atStart.tokens, targetTokens });

    const id = `compression-${this.recordNumber + 1}`;
    let result: RunResult;
    try {
      result = await runPipeline(this.#run(request, id, startedAt));
    } catch (error) {
      events.emit('compression-fail', { error });
      return { status: 'failed', reason: 'aborted', error };
    }
    for (const { strategy, status } of result.stages) {
      if (status !== 'progress' && !request.upkeep) stalled.set(strategy, result.view.tokens);
    }

    // Messages appended meanwhile count as growth of the request. Changes made by the host are not part of this
    // compression.
    const shown = this.#standing();
    const before = conversation.generation === generation ? atStart : shown;
    const requestBefore = conversation.view.sent();
    const committed = conversation.commit(id, { ...result, revision });
    const after = this.#standing();
    const record =
      committed.accepted.length === 0
        ? undefined
        : recordOf(before, after, {
            id,
            createdAt: startedAt,
            durationMs: now() - startedAt,
            reason,
            run: result,
            committed,
            targetTokens: countedTarget,
            cost: requestCost(
              {
                before: requestBefore,
                after: committed.view.sent(),
                fixedTokens: this.meter.toolTokens + settings.overhead.conversation,
              },
              settings.prices,
            ),
            transcriptLength: conversation.transcript.length,
          });
    if (record !== undefined) {
      conversation.addRecord(record);
      this.recordNumber += 1;
      this.totals = addToTotals(this.totals, record);
      this.meter.calibration.releaseAnchor();
      if (!request.upkeep) this.meter.forgetOverpaid();
    }
    this.metrics.add({
      record,
      stages: result.stages,
      automatic: request.automatic ?? true,
      viewTokensBefore: before.view.tokens,
      usageBefore: before.tokens / this.meter.budget.contextWindow,
      usageAfter: after.tokens / this.meter.budget.contextWindow,
      summarizing: new Set(
        request.stages.filter(({ emits }) => emits.includes('summarize')).map(({ name }) => name),
      ),
    });
    const overflow = this.#overflow();
    const outcome = this.#outcome(request, record, result.stages);
    if (record !== undefined) conversation.onEpoch('record', id);
    for (const one of committed.rejected) events.emit('edit-reject', { ...one, strategy: 'core' });
    if (record !== undefined)
      events.emit('compression-end', { record, ...(overflow && { error: overflow }) });
    else if (overflow !== undefined) events.emit('compression-fail', { error: overflow });
    else
      events.emit('compression-skip', {
        reason: outcome.status === 'unchanged' ? outcome.reason : noProgress,
      });
    if (overflow !== undefined) throw overflow;
    return outcome;
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
  ): CompressionOutcome {
    const { view } = this.meter.conversation;
    const { targetMessages = Number.POSITIVE_INFINITY } = request;
    const isDown = view.tokens <= this.meter.viewTokensFor(request.targetTokens);
    const isDone = request.upkeep === true && record !== undefined;
    if (isDone || (isDown && view.entries.length <= targetMessages)) {
      if (record === undefined) return { status: 'unchanged', reason: 'already at the target' };
      return { status: 'compressed', reason: request.reason, record };
    }
    const missed = isDown
      ? `${view.entries.length} messages stay, but the target was ${targetMessages}`
      : 'the target was not reached';
    if (record !== undefined) return { status: 'insufficient', reason: missed, record };
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
      view: conversation.view.copy(),
      transcript: conversation.transcript.messages,
      level: meter.level,
      now,
      random: seededRandom(settings.seed + this.recordNumber),
      priorities: settings.priorities,
      rules: conversation.gateRules,
      count: conversation.count,
      tokensOfText: (text) => conversation.counter.text(text),
      record,
      container: surroundings.container,
      timeoutMs: settings.timeoutMs,
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

/** Joins the reasons why stages did nothing; empty if none gave a reason. */
function excusesOf(stages: readonly StageReport[]): string[] {
  const excuses = stages.flatMap(({ strategy, reason, error }) => {
    const why = error ?? reason;
    return why === undefined ? [] : [`${strategy}: ${why}`];
  });
  return excuses.length === 0 ? [] : [excuses.join('; ')];
}
