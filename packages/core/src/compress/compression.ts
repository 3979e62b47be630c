import { ContextOverflowError } from '../base/errors.js';
import { finish, type Steps } from '../base/slices.js';
import type { Meter } from '../budget/meter.js';
import { type RequestCost, requestCost } from '../budget/request-cost.js';
import type { Applied, RejectedEdit } from '../view/gate.js';
import type { InvariantName } from '../view/invariants.js';
import { judgedIn, type Planned } from '../view/judgement.js';
import { protectionOf } from '../view/protection.js';
import type { Compressor } from './compressor.js';
import { type RunResult, runPipeline } from './pipeline.js';
import type { CompressionOutcome, CompressionRecord, Simulation } from './record.js';
import { type CompressionRequest, type Run, runOf } from './run.js';

/** Judging is repeated if the conversation changes meanwhile; from this attempt on it does not pause. */
const patientAttempts = 3;
/** A record keeps at most this many rejected edits. The event `edit-reject` reports every one. */
const maxRejected = 100;

interface Start {
  readonly request: CompressionRequest;
  readonly run: Run;
  readonly before: ReturnType<typeof standingOf>;
  readonly targetTokens: number;
  readonly generation: number;
  readonly stalled: Map<string, number>;
}

interface Judged {
  readonly applied: Applied;
  readonly cost: RequestCost;
}

/**
 * Runs the stages on the conversation, puts their edits in force and records the result.
 * @throws ContextOverflowError when the view is larger than the window after every stage
 */
export async function compressed(
  compressor: Compressor,
  request: CompressionRequest,
): Promise<CompressionOutcome> {
  const { meter, recordNumber, stalled } = compressor;
  const { conversation, events } = compressor.surroundings;
  const { reason, targetTokens } = request;
  const { generation, revision } = conversation;
  const run = runOf(request, compressor, `compression-${recordNumber + 1}`);
  const start: Start = {
    request,
    run,
    before: standingOf(meter),
    targetTokens: run.targetTokens + meter.fixedTokens,
    generation,
    stalled,
  };
  events.emit('compression-start', { reason, tokens: meter.measure().tokens, targetTokens });
  let done: CompressionOutcome;
  try {
    const planned = { ...(await stagesOf(run)), revision };
    done = await run.inSlices(concluded(compressor, start, planned), request.signal);
  } catch (error) {
    events.emit('compression-fail', { error });
    return { status: 'failed', reason: 'aborted', error };
  }
  if (done.error !== undefined) throw done.error;
  return done;
}

/** Runs the stages. Where they spare what must stay and leave too much, they run again and may cut it. */
async function stagesOf(run: Run): Promise<RunResult> {
  const result = await runPipeline(run);
  if (run.spares !== true || result.view.tokens <= run.windowTokensFor(result.view)) return result;
  const further = await runPipeline({ ...run, spares: false });
  return further.view.tokens < result.view.tokens ? further : result;
}

/**
 * Runs the stages without ports and events, and puts nothing in force.
 * @throws CtxError `aborted`
 */
export async function simulated(
  compressor: Compressor,
  request: Omit<CompressionRequest, 'reason'>,
): Promise<Simulation> {
  const { fixedTokens } = compressor.meter;
  const run = runOf({ ...request, reason: 'simulated' }, compressor, 'simulated');
  const [tokensBefore, messagesBefore] = [run.view.tokens + fixedTokens, run.view.entries.length];
  const result = await runPipeline({ ...run, ports: undefined, events: undefined });
  const { view, edits, rejected, unresolved, stages } = result;
  const [tokensAfter, messagesAfter] = [view.tokens + fixedTokens, view.entries.length];
  return { tokensBefore, tokensAfter, messagesBefore, messagesAfter, edits, rejected, unresolved, stages };
}

/** Judges the edits in slices and puts them in force; judges again if the conversation changed meanwhile. */
function* concluded(
  compressor: Compressor,
  start: Start,
  planned: RunResult & Planned,
): Steps<CompressionOutcome> {
  const { conversation } = compressor.surroundings;
  for (let attempt = 1; ; attempt += 1) {
    const { revision } = conversation;
    const judging = judged(compressor, start, planned);
    const result = attempt < patientAttempts ? yield* judging : finish(judging);
    if (conversation.revision === revision) return committed(compressor, start, planned, result);
  }
}

function* judged({ surroundings, meter }: Compressor, { run }: Start, planned: Planned): Steps<Judged> {
  const { conversation, settings } = surroundings;
  const before = conversation.view.sent();
  const applied = yield* judgedIn(conversation, run.record, planned);
  yield;
  const fixedTokens = meter.toolTokens + settings.overhead.conversation;
  const after = applied.view.sent();
  const isCold = meter.cold !== undefined;
  return { applied, cost: requestCost({ before, after, fixedTokens, isCold }, settings.prices) };
}

/** Everything that follows from a judgement, at once. The outcome has an error if the view does not fit the window. */
function committed(
  compressor: Compressor,
  start: Start,
  done: RunResult,
  result: Judged,
): CompressionOutcome {
  const { meter } = compressor;
  const { conversation, events, now, modelPause } = compressor.surroundings;
  const { request, run, stalled } = start;
  const { applied } = result;
  for (const { strategy, status } of done.stages)
    if (status !== 'progress' && !request.upkeep) stalled.set(strategy, done.view.tokens);
  // A view that has shrunk may grow again with what they can do something about.
  for (const [strategy, tokens] of stalled) stalled.set(strategy, Math.min(tokens, applied.view.tokens));
  const { paysWithin = Number.POSITIVE_INFINITY } = request;
  const pays = (result.cost.breakEvenRequests ?? Number.POSITIVE_INFINITY) <= paysWithin;
  if (applied.accepted.length > 0 && !pays && overflowOf(meter) === undefined) {
    meter.overpaid.forget();
    return compressor.skip('what can leave does not save what rewriting the rest costs');
  }
  // Messages appended meanwhile count as growth. What the host changed is not part of this compression.
  const before = conversation.generation === start.generation ? start.before : standingOf(meter);
  const isChange = applied.accepted.length > 0;
  if (isChange) conversation.commit(applied.view);
  const record = isChange
    ? conversation.copies.of(recordOf(compressor, start, done, result, before))
    : undefined;
  if (record !== undefined) compressor.add(record);
  modelPause.add(done.stages, request.stages, before.view.tokens, now());
  const error = overflowOf(meter);
  const [refused] = isChange ? [] : applied.rejected;
  const outcome = outcomeOf(compressor, request, done, record, refused);
  if (record !== undefined) conversation.onEpoch('record', run.record);
  for (const one of applied.rejected) events.emit('edit-reject', { ...one, strategy: 'core' });
  if (record !== undefined) events.emit('compression-end', { record, ...(error && { error }) });
  else if (error !== undefined) events.emit('compression-fail', { error });
  else
    events.emit('compression-skip', {
      reason: refused !== undefined || outcome.status === 'unchanged' ? outcome.reason : noProgress,
    });
  return error === undefined ? outcome : { ...outcome, error };
}

function standingOf(meter: Meter) {
  return { tokens: meter.counted().tokens, level: meter.level, view: meter.conversation.view.still() };
}

function recordOf(
  { meter, surroundings: { conversation, now } }: Compressor,
  { request, run, targetTokens }: Start,
  { stages, rejected, relaxed }: RunResult,
  { applied, cost }: Judged,
  before: Start['before'],
): CompressionRecord {
  const { tokens } = meter.counted();
  const progress = stages.filter(({ status }) => status === 'progress');
  const ratio = tokens / before.tokens;
  const staying = new Set(applied.view.entries.map(({ id }) => id));
  return {
    id: run.record,
    createdAt: run.now,
    durationMs: now() - run.now,
    reason: request.reason,
    level: before.level,
    strategy: progress.map(({ strategy }) => strategy).join(' + '),
    chosen: progress.find(({ chosen }) => chosen !== undefined)?.chosen,
    stages,
    edits: applied.accepted,
    rejected: [...rejected, ...applied.rejected].slice(0, maxRejected),
    // Messages inside a merged one had left earlier.
    removed: before.view.entries.flatMap(({ id, origins }) =>
      origins.isOnly(id) && !staying.has(id) ? id : [],
    ),
    tokensBefore: before.tokens,
    tokensAfter: tokens,
    targetTokens,
    messagesBefore: before.view.entries.length,
    messagesAfter: applied.view.entries.length,
    ratio,
    reduction: 1 - ratio,
    cost,
    relaxed,
    ...(request.upkeep && { beforeSend: true }),
    transcriptLength: conversation.transcript.length,
  };
}

const noProgress = 'no stage made progress';

/** What became of a compression. `refused` is the first of its edits, if none of them was put in force. */
function outcomeOf(
  { meter }: Compressor,
  { reason, targetTokens, enoughTokens = targetTokens, upkeep }: CompressionRequest,
  { stages }: RunResult,
  record: CompressionRecord | undefined,
  refused: RejectedEdit | undefined,
): CompressionOutcome {
  const isMissed = meter.conversation.view.tokens > meter.viewTokensFor(enoughTokens);
  // Upkeep has done its part with any change.
  if (record !== undefined && isMissed && upkeep !== true)
    return { status: 'insufficient', reason: 'the target was not reached', record };
  if (record !== undefined) return { status: 'compressed', reason, record };
  const outdated = refused && `the conversation changed while it was compressed: ${refused.detail}`;
  if (!isMissed) return { status: 'unchanged', reason: outdated ?? 'already at the target' };
  const excuses = stages.flatMap(({ strategy, reason: excuse, error = excuse }) =>
    error === undefined ? [] : [`${strategy}: ${error}`],
  );
  const idle = excuses.length === 0 ? noProgress : `${noProgress}: ${excuses.join('; ')}`;
  return { status: 'insufficient', reason: outdated ?? idle, stages };
}

const partOf: Partial<Record<InvariantName, 'system' | 'pinned' | 'newestUser'>> = {
  'system-stays': 'system',
  'pinned-stays': 'pinned',
  'newest-user-stays': 'newestUser',
  'task-stays': 'newestUser',
};

/** The error of a request that is larger than the window, with its parts; `undefined` if it is not. */
function overflowOf(meter: Meter): ContextOverflowError | undefined {
  const { contextWindow: limit } = meter.budget;
  if ((meter.isExpected ? meter.counted() : meter.measure()).tokens <= limit) return undefined;
  const { view, transcript, pins } = meter.conversation;
  const parts = { system: 0, tools: meter.toolTokens, pinned: 0, newestUser: 0, unread: 0, rest: 0 };
  for (const entry of view.entries) {
    const by = protectionOf(entry, { transcript, pins })?.by;
    parts[by === undefined ? 'rest' : (partOf[by] ?? 'unread')] += entry.tokens;
  }
  const total = meter.measure().tokens;
  const counted = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  // What the provider adds to the counted parts.
  return new ContextOverflowError({ ...parts, overhead: total - counted, total, limit });
}
