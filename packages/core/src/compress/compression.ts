import { ContextOverflowError, type OverflowBreakdown } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import { type RequestCost, requestCost } from '../budget/request-cost.js';
import type { Applied } from '../view/gate.js';
import type { InvariantName } from '../view/invariants.js';
import { judgedIn, type Planned } from '../view/judgement.js';
import { protectionOf } from '../view/protection.js';
import type { CompressionRequest } from './compression-request.js';
import type { MetricsCounter } from './metrics.js';
import { type CompressionOutcome, noProgress, outcomeOf, type Simulation, simulationOf } from './outcome.js';
import { runPipeline } from './pipeline.js';
import { type CompressionRecord, recordOf, type Standing } from './record.js';
import { type Run, type RunResult, runOf, type Surroundings } from './run.js';

/** A judgement that was overtaken by a change is repeated; from this time on without a pause. */
const patientAttempts = 3;

/** What a compression begins with. */
export interface Start {
  readonly id: string;
  readonly at: number;
  readonly standing: Standing;
  /** As counted here. */
  readonly targetTokens: number;
  readonly generation: number;
  readonly stalled: Map<string, number>;
}

/** What a compression needs of what all of them have in common. */
interface Compressing {
  readonly meter: Meter;
  readonly surroundings: Surroundings;
  readonly metrics: MetricsCounter;
  readonly recordNumber: number;
  stalledAt(strategy: string): number | undefined;
  standing(): Standing;
  add(record: CompressionRecord, request: CompressionRequest): void;
}

interface Judged {
  readonly applied: Applied;
  readonly cost: RequestCost;
}

interface Done {
  readonly outcome: CompressionOutcome;
  readonly overflow: ContextOverflowError | undefined;
}

/**
 * Runs the stages on the conversation, puts their edits in force and records the result.
 * @throws ContextOverflowError when the view is larger than the window after every stage
 */
export async function compressed(
  compressor: Compressing,
  request: CompressionRequest,
  start: Start,
): Promise<CompressionOutcome> {
  const { conversation, events } = compressor.surroundings;
  const { revision } = conversation;
  const run = runIn(compressor, request, start.id, start.at);
  let done: Done;
  try {
    const planned = { ...(await stagesOf(run)), revision };
    done = await run.inSlices(concluded(compressor, request, start, planned), request.signal);
  } catch (error) {
    events.emit('compression-fail', { error });
    return { status: 'failed', reason: 'aborted', error };
  }
  if (done.overflow !== undefined) throw done.overflow;
  return done.outcome;
}

/** Runs the stages. Where they spare what must stay and leave too much, they run again and may cut it. */
async function stagesOf(run: Run): Promise<RunResult> {
  const result = await runPipeline(run);
  if (run.spares !== true || result.view.tokens <= run.windowTokensFor(result.view)) return result;
  const further = await runPipeline({ ...run, spares: false });
  return further.view.tokens < result.view.tokens ? further : result;
}

/** @throws CtxError `aborted` */
export function simulated(compressor: Compressing, request: CompressionRequest): Promise<Simulation> {
  const run = runIn(compressor, request, 'simulated', compressor.surroundings.now());
  return simulationOf(run, compressor.meter.fixedTokens);
}

function runIn(compressor: Compressing, request: CompressionRequest, record: string, now: number): Run {
  const { meter, surroundings, recordNumber } = compressor;
  return runOf(request, meter, surroundings, {
    record,
    now,
    seed: surroundings.settings.seed + recordNumber,
    stalledAt: (strategy) => compressor.stalledAt(strategy),
  });
}

/**
 * Judges the edits and puts them in force. The judgement pauses, and begins again if the conversation changes
 * meanwhile; a host that never stops changing it is not waited for.
 */
function* concluded(
  compressor: Compressing,
  request: CompressionRequest,
  start: Start,
  planned: RunResult & Planned,
): Steps<Done> {
  const { conversation } = compressor.surroundings;
  for (let attempt = 1; ; attempt += 1) {
    const { revision } = conversation;
    const judging = judged(compressor, start, planned);
    const result = attempt < patientAttempts ? yield* judging : finish(judging);
    if (conversation.revision === revision) return committed(compressor, request, start, planned, result);
  }
}

function* judged({ surroundings, meter }: Compressing, { id }: Start, planned: Planned): Steps<Judged> {
  const { conversation, settings } = surroundings;
  const before = conversation.view.sent();
  const applied = yield* judgedIn(conversation, id, planned);
  yield;
  const fixedTokens = meter.toolTokens + settings.overhead.conversation;
  const after = applied.view.sent();
  const isCold = meter.cold !== undefined;
  return { applied, cost: requestCost({ before, after, fixedTokens, isCold }, settings.prices) };
}

/** Everything that follows from a judgement, at once. */
function committed(
  compressor: Compressing,
  request: CompressionRequest,
  start: Start,
  run: RunResult,
  { applied, cost }: Judged,
): Done {
  const { meter } = compressor;
  const { conversation, events, now, modelPause } = compressor.surroundings;
  const { id, stalled } = start;
  for (const { strategy, status } of run.stages)
    if (status !== 'progress' && !request.upkeep) stalled.set(strategy, run.view.tokens);
  // A view that has shrunk may grow again with what they can do something about.
  for (const [strategy, tokens] of stalled) stalled.set(strategy, Math.min(tokens, applied.view.tokens));
  // Messages appended meanwhile count as growth. What the host changed is not part of this compression.
  const before = conversation.generation === start.generation ? start.standing : compressor.standing();
  const isChange = applied.accepted.length > 0;
  if (isChange) conversation.commit(applied.view);
  const after = compressor.standing();
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
  if (record !== undefined) compressor.add(record, request);
  if (!request.upkeep)
    compressor.metrics.add({
      record,
      stages: run.stages,
      strategies: request.stages,
      automatic: request.automatic ?? true,
      viewTokensBefore: before.view.tokens,
      usageBefore: before.tokens / meter.budget.contextWindow,
      usageAfter: after.tokens / meter.budget.contextWindow,
    });
  modelPause.add(run.stages, request.stages, before.view.tokens, now());
  const overflow = overflowOf(meter);
  const [refused] = applied.accepted.length === 0 ? applied.rejected : [];
  const missed = missedIn(compressor, request, isChange);
  const outcome = outcomeOf({ ...run, reason: request.reason, record, refused, missed });
  if (record !== undefined) conversation.onEpoch('record', id);
  for (const one of applied.rejected) events.emit('edit-reject', { ...one, strategy: 'core' });
  if (record !== undefined) events.emit('compression-end', { record, ...(overflow && { error: overflow }) });
  else if (overflow !== undefined) events.emit('compression-fail', { error: overflow });
  else
    events.emit('compression-skip', {
      reason: refused !== undefined || outcome.status === 'unchanged' ? outcome.reason : noProgress,
    });
  return { outcome, overflow };
}

/** Why the target was missed; `undefined` if it was reached. Upkeep has done its part with any change. */
function missedIn(
  { meter }: Compressing,
  { targetTokens, enoughTokens = targetTokens, targetMessages, upkeep }: CompressionRequest,
  isChange: boolean,
): string | undefined {
  if (upkeep === true && isChange) return undefined;
  const { tokens, entries } = meter.conversation.view;
  if (tokens > meter.viewTokensFor(enoughTokens)) return 'the target was not reached';
  if (targetMessages === undefined || entries.length <= targetMessages) return undefined;
  return `${entries.length} messages stay, but the target was ${targetMessages}`;
}

const partOf: Partial<Record<InvariantName, 'system' | 'pinned' | 'newestUser'>> = {
  'system-stays': 'system',
  'pinned-stays': 'pinned',
  'newest-user-stays': 'newestUser',
  'task-stays': 'newestUser',
};

/** The error of a request that is larger than the window; `undefined` if it is not. */
function overflowOf(meter: Meter): ContextOverflowError | undefined {
  const { contextWindow } = meter.budget;
  const tokens = meter.isExpected ? meter.counted().tokens : meter.measure().tokens;
  return tokens > contextWindow ? new ContextOverflowError(overflowBreakdown(meter)) : undefined;
}

/** Divides a request that does not fit into its parts. `overhead` is what the provider adds to the counted parts. */
function overflowBreakdown(meter: Meter): OverflowBreakdown {
  const { view, transcript, pins } = meter.conversation;
  const parts = { system: 0, tools: meter.toolTokens, pinned: 0, newestUser: 0, unread: 0, rest: 0 };
  for (const entry of view.entries) {
    const by = protectionOf(entry, { transcript, pins })?.by;
    parts[by === undefined ? 'rest' : (partOf[by] ?? 'unread')] += entry.tokens;
  }
  const total = meter.measure().tokens;
  const counted = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  return { ...parts, overhead: total - counted, total, limit: meter.budget.contextWindow };
}
