import { startDeadline, throwIfAborted } from '../base/deadline.js';
import { preview } from '../base/errors.js';
import type { Steps } from '../base/slices.js';
import { toolCallsOf } from '../transcript/message.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import {
  type Applied,
  applyInSteps,
  crowdedRules,
  type GateRules,
  lastResortRules,
  type RejectedEdit,
} from '../view/gate.js';
import { isCrowded, protectionOf } from '../view/protection.js';
import type { CompressionStrategy, Plan } from '../view/strategy.js';
import type { View } from '../view/view.js';
import { type KeptNotes, mayRemoveNotes, takeBack } from './kept-notes.js';
import { planContext, planCopy } from './plan-context.js';
import { type Resolutions, resolvePlan, type StageRun } from './proposed-edits.js';
import type { StageReport } from './record.js';
import type { Run, RunResult } from './run.js';

/** The name of what core does itself. */
const lastResort = 'last-resort' as const;

/**
 * Runs the stages in order until the target is met. If the view is still larger than the window, the last resort runs.
 * A failing stage is reported, and the next one runs.
 * @throws CtxError `aborted` when the caller's signal aborts; nothing has been committed then
 */
export async function runPipeline(run: Run): Promise<RunResult> {
  const made: Made = { view: run.view, edits: [], rejected: [], unresolved: [] };
  const stages: StageReport[] = [];
  const crowded = run.spares !== true && isCrowded(run.view, run.rules, run.windowTokensFor);
  let fellShort: string | undefined;
  let hasChosen = false;
  let notes: KeptNotes | undefined;
  const encoded = await encodedStages(run);
  const first = await recalledStages(run);
  for (const planned of [...first, ...encoded, ...run.stages, lastResort, lastResort] as const) {
    const isLastResort = planned === lastResort;
    const windowTokens = isLastResort ? run.windowTokensFor(made.view) : run.windowTokens;
    const isEnough = hasChosen && made.view.tokens <= run.enoughTokens && hasFewMessages(made.view, run);
    if (isEnough && !isLastResort) continue;
    if (made.view.tokens <= (isLastResort ? windowTokens : tokensWanted(made.view, run))) continue;
    // Loaded when the stages leave too much.
    const strategy: CompressionStrategy =
      planned === lastResort ? (await import('./last-resort.js')).lastResort : planned;
    const { name, partial = false } = strategy;
    // A stage that stalled is skipped until the view grows. The last resort runs on every view that does not fit.
    const reason = isLastResort ? undefined : run.passOver?.(strategy, made.view);
    if (reason !== undefined) {
      run.events?.emit('compression-skip', { strategy: name, reason });
      if (!partial) {
        fellShort = name;
        hasChosen = true;
      }
      continue;
    }
    const before = stages[stages.length - 1]?.strategy;
    const after = before === lastResort ? undefined : (fellShort ?? (isLastResort ? before : undefined));
    if (after !== undefined) run.events?.emit('fallback-use', { strategy: name, after });
    if (
      after !== undefined &&
      hasChosen &&
      !isLastResort &&
      mayRemoveNotes(strategy, made.view, windowTokens)
    )
      notes ??= { view: made.view, edits: made.edits.length, stages: stages.length };
    const isRelaxed = crowded || encoded.includes(strategy);
    const usual = isRelaxed ? crowdedRules(run.rules) : run.rules;
    const rules = isLastResort ? keepingTexts(lastResortRules, run.spares)(run.rules) : usual;
    const targetMessages = isLastResort ? undefined : run.targetMessages;
    const stage = { ...run, rules, windowTokens, targetMessages };
    for (const report of await runUntilMet(strategy, made, stage)) {
      stages.push(after === undefined ? report : { ...report, fallback: true });
      if (report.error !== undefined || !partial) fellShort = name;
      if (!partial && report.error === undefined) hasChosen = true;
    }
  }
  throwIfAborted(run.signal);
  // Notes are worth more than the room that is missing.
  if (notes && run.targetMessages === undefined) takeBack(notes, made, stages, run.enoughTokens);
  return { ...made, stages, ...relaxationOf(run, stages, crowded, encoded) };
}

/** What was allowed beyond the usual rules. */
function relaxationOf(
  { spares }: Run,
  stages: readonly StageReport[],
  crowded: boolean,
  encoded: readonly CompressionStrategy[],
): Pick<RunResult, 'rules' | 'relaxed'> {
  const isUsed = (name: string) => stages.some(({ strategy, edits }) => strategy === name && edits > 0);
  const isShortened = crowded || encoded.some(({ name }) => isUsed(name));
  if (isUsed(lastResort))
    return { rules: keepingTexts(lastResortRules, spares === true && !isShortened), relaxed: 'last-resort' };
  return isShortened ? { rules: crowdedRules, relaxed: 'crowded' } : { rules: undefined, relaxed: undefined };
}

/** Rules under which nothing of what must stay may be shortened after all. */
function keepingTexts(
  rules: (rules: GateRules) => GateRules,
  spares = false,
): (rules: GateRules) => GateRules {
  return spares ? (given) => ({ ...rules(given), mayShorten: false }) : rules;
}

function hasFewMessages({ entries }: View, { targetMessages }: Run): boolean {
  return targetMessages === undefined || entries.length <= targetMessages;
}

/** Loaded when there is something to recall. */
async function recalledStages({ view, recallTool: tool }: Run): Promise<CompressionStrategy[]> {
  const isRecalled = view.entries.some(({ message }) =>
    toolCallsOf(message).some(({ toolName }) => toolName === tool),
  );
  return tool === undefined || !isRecalled ? [] : [(await import('./encoded-stage.js')).recalledStage(tool)];
}

/** Loaded where there is base64. */
async function encodedStages({ view, inSlices, signal }: Run): Promise<CompressionStrategy[]> {
  const { encodedStage, hasEncoded } = await import('./encoded-stage.js');
  return (await inSlices(hasEncoded(view.entries), signal)) ? [encodedStage] : [];
}

/** The results of the stages so far. */
interface Made {
  view: View;
  readonly edits: ResolvedEdit[];
  readonly rejected: RejectedEdit[];
  readonly unresolved: Edit[];
}

/** How often a strategy may plan in one stage. */
const maxPlans = 10;

/**
 * Runs a stage once. If the number of messages matters, runs it again while it removes messages but not enough of them,
 * because strategies aim at tokens.
 */
async function runUntilMet(strategy: CompressionStrategy, made: Made, run: Run): Promise<StageReport[]> {
  const reports: StageReport[] = [];
  for (let asked = 0; asked < maxPlans; asked += 1) {
    const { length } = made.view.entries;
    reports.push(await runStage(strategy, made, { ...run, targetTokens: tokensWanted(made.view, run) }));
    const messages = made.view.entries.length;
    if (run.targetMessages === undefined || messages <= run.targetMessages || messages >= length) break;
  }
  return reports;
}

/**
 * The tokens to get down to. If messages must leave too, this is less than the target, estimated from their mean size.
 */
function tokensWanted(view: View, run: Run): number {
  const { targetTokens, targetMessages = Number.POSITIVE_INFINITY } = run;
  if (view.entries.length <= targetMessages) return targetTokens;
  const free = view.entries.filter((entry) => protectionOf(entry, run.rules) === undefined);
  const leaving = Math.min(free.length, view.entries.length - targetMessages);
  const mean = free.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, free.length);
  return Math.min(targetTokens, Math.max(0, Math.floor(view.tokens - leaving * mean)));
}

async function runStage(strategy: CompressionStrategy, made: Made, run: Run): Promise<StageReport> {
  const { name } = strategy;
  const resolutions: Resolutions = { notes: [], failures: [] };
  const deadline = startDeadline(run);
  const stage: StageRun = { ...run, resolutions, deadline };
  let edits = 0;
  let chosen: string | undefined;
  let reason: string | undefined;
  let notes: Plan['notes'];
  const report = (failure: Pick<StageReport, 'error'> = {}): StageReport => ({
    strategy: name,
    chosen,
    // A copy, because a port that was abandoned may still add notes.
    notes: resolutions.notes.length === 0 ? notes : { ...notes, resolutions: [...resolutions.notes] },
    status: edits > 0 ? 'progress' : failure.error === undefined ? 'no-progress' : 'failed',
    edits,
    tokensAfter: made.view.tokens,
    ...(edits === 0 && reason !== undefined && { reason }),
    ...failure,
  });
  try {
    let plan: Plan | undefined;
    for (let planned = 0; planned < maxPlans; planned += 1) {
      plan = await planStage(strategy, made.view, stage, plan?.state);
      if (plan.edits.length > 0) run.events?.emit('strategy-select', { strategy: name, chosen: plan.chosen });
      edits += await applyPlan(plan, strategy, made, stage);
      chosen = plan.chosen ?? chosen;
      reason = plan.reason ?? reason;
      notes = plan.notes === undefined ? notes : { ...notes, ...plan.notes };
      const target = Math.min(run.targetTokens, plan.targetTokens ?? run.targetTokens);
      if (plan.state === undefined || made.view.tokens <= target) break;
    }
    const [failure] = resolutions.failures;
    return report(failure === undefined ? {} : { error: errorText(failure) });
  } catch (error) {
    throwIfAborted(run.signal);
    run.events?.emit('compression-fail', { strategy: name, error });
    return report({ error: errorText(error) });
  } finally {
    deadline.end();
  }
}

/** Returns how many edits were applied. */
async function applyPlan(
  plan: Plan,
  strategy: CompressionStrategy,
  made: Made,
  run: StageRun,
): Promise<number> {
  const proposed = await resolvePlan(plan, strategy, made.view, run);
  const numbered = { record: run.record, offset: made.edits.length };
  const applied = await run.inSlices(applyAll(made.view, proposed.edits, run, numbered), run.signal);
  const refused = [...proposed.rejected, ...applied.rejected];
  for (const one of refused) run.events?.emit('edit-reject', { ...one, strategy: strategy.name });
  made.view = applied.view;
  made.edits.push(...applied.accepted);
  made.rejected.push(...refused);
  made.unresolved.push(...proposed.unresolved);
  return applied.accepted.length;
}

function* applyAll(
  view: View,
  edits: readonly Edit[],
  { rules, count, countInSteps }: Run,
  numbered: { readonly record: string; readonly offset: number },
): Steps<Applied> {
  // Counted here, a long text is known when the gate judges its edit.
  for (const { text } of edits as readonly { readonly text?: unknown }[]) {
    if (typeof text !== 'string') continue;
    yield;
    yield* countInSteps(text);
  }
  return yield* applyInSteps(view, edits, rules, count, numbered);
}

function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return preview(error);
  }
}

async function planStage(
  strategy: CompressionStrategy,
  view: View,
  run: StageRun,
  state: Plan['state'],
): Promise<Plan> {
  const { deadline } = run;
  const context = await run.inSlices(planContext(view, run, deadline.signal), deadline.signal);
  const returned: unknown = await deadline.run(() =>
    strategy.plan({ ...context, ...(state !== undefined && { state }) }),
  );
  return planCopy(returned, strategy.name);
}
