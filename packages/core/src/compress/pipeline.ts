import { startDeadline, throwIfAborted } from '../base/deadline.js';
import { preview } from '../base/errors.js';
import type { Steps } from '../base/slices.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import {
  type Applied,
  applyInSteps,
  crowdedRules,
  type GateRules,
  lastResortRules,
  type RejectedEdit,
} from '../view/gate.js';
import { isCrowded } from '../view/protection.js';
import type { CompressionStrategy, Plan } from '../view/strategy.js';
import type { View } from '../view/view.js';
import { planContext, planCopy } from './plan-context.js';
import { resolvePlan, type StageRun } from './proposed-edits.js';
import type { StageReport } from './record.js';
import type { Run, RunResult } from './run.js';

interface Made {
  view: View;
  readonly edits: ResolvedEdit[];
  readonly rejected: RejectedEdit[];
  readonly unresolved: Edit[];
  readonly stages: StageReport[];
  /** What the edits were allowed beyond the usual rules. */
  rules: Partial<GateRules>;
}

/** How large a view may be depends on its calls, so the last resort may have to run again. */
const lastAttempts = 2;

/**
 * Runs the stages in order until the target is met. If the view is still larger than the window, the last resort runs.
 * A failing stage is reported, and the next one runs.
 * @throws CtxError `aborted` when the caller's signal aborts; nothing has been committed then
 */
export async function runPipeline(run: Run): Promise<RunResult> {
  const { encodedStage, ownStages } = await import('./own-stages.js');
  const own = await run.inSlices(ownStages(run.view, run.recallTool), run.signal);
  const made: Made = { view: run.view, edits: [], rejected: [], unresolved: [], stages: [], rules: {} };
  const crowded = run.spares !== true && isCrowded(run.view, run.rules, run.windowTokensFor);
  /** The newest stage that failed or missed the target. */
  let fellShort: string | undefined;
  let hasChosen = false;
  let writes = false;
  const keptIn = ({ entries }: View) =>
    entries.filter((one) => isNote(one) || (writes && one.message.role === 'user'));
  let best: { readonly view: View; readonly edits: number; readonly stages: number } | undefined;
  for (const strategy of [...own, ...run.stages]) {
    // Those behind one that chose what stays must not improve on it.
    if (made.view.tokens <= (hasChosen ? Math.max(run.targetTokens, run.enoughTokens) : run.targetTokens))
      continue;
    const { name, partial = false, emits } = strategy;
    const reason = run.passOver?.(strategy, made.view);
    const refused = made.rejected.length;
    let report: StageReport | undefined;
    if (reason !== undefined) run.events?.emit('compression-skip', { strategy: name, reason });
    else {
      const mayRemoveNotes = fellShort !== undefined && hasChosen && emits.includes('drop');
      if (
        mayRemoveNotes &&
        made.view.tokens <= run.windowTokensFor(made.view) &&
        keptIn(made.view).length > 0
      )
        best ??= { view: made.view, edits: made.edits.length, stages: made.stages.length };
      const more = crowded || strategy === encodedStage ? crowdedRules : {};
      report = await runStage(strategy, made, run, more, fellShort);
    }
    const hasFailed = report?.error !== undefined;
    if (!partial || hasFailed) fellShort = name;
    if (!partial && !hasFailed) {
      hasChosen = true;
      const isWriter = emits.includes('merge') || emits.includes('summarize');
      writes ||= isWriter && reason === undefined && made.rejected.length === refused;
    }
  }
  if (best && !mayReplace(made.view, keptIn(best.view), run.enoughTokens)) {
    made.view = best.view;
    made.edits.length = best.edits;
    made.stages.push(...made.stages.splice(best.stages).map((one) => unused(one, made.view.tokens)));
  }
  fellShort ??= made.stages.at(-1)?.strategy;
  for (let attempt = 0; attempt < lastAttempts; attempt += 1) {
    if (made.view.tokens <= run.windowTokensFor(made.view)) break;
    const { lastResort } = await import('./last-resort.js');
    const more = { ...lastResortRules, mayShorten: run.spares !== true };
    await runStage(lastResort, made, run, more, attempt === 0 ? fellShort : undefined);
  }
  throwIfAborted(run.signal);
  const isLast = made.stages.some(({ strategy, edits }) => strategy === 'last-resort' && edits > 0);
  const relaxed = isLast ? 'last-resort' : made.rules.mayShorten ? 'crowded' : undefined;
  return { ...made, relaxed };
}

/**
 * Excerpts and summaries that fit the window are worth more than the room that is missing, and so is what the user said and the stage that wrote
 * them has kept.
 */
function mayReplace(next: View, kept: View['entries'], enoughTokens: number): boolean {
  const left = new Set(next.entries.map(({ id }) => id));
  return next.tokens <= enoughTokens && kept.every(({ id }) => left.has(id));
}

function isNote({ id, origins }: View['entries'][number]): boolean {
  return !origins.isOnly(id);
}

function unused(report: StageReport, tokensAfter: number): StageReport {
  if (report.edits === 0) return report;
  const reason =
    'It would remove what the other stages wrote or free too little, and what is there fits the window';
  const status = report.error === undefined ? 'no-progress' : 'failed';
  return { ...report, status, edits: 0, tokensAfter, reason };
}

/** How often a strategy may plan in one stage. */
const maxPlans = 10;

/**
 * @param more what its edits are allowed beyond the usual rules
 * @param after the stage that it is a fallback for
 */
async function runStage(
  strategy: CompressionStrategy,
  made: Made,
  run: Run,
  more: Partial<GateRules>,
  after: string | undefined,
): Promise<StageReport> {
  if (after !== undefined) run.events?.emit('fallback-use', { strategy: strategy.name, after });
  const deadline = startDeadline(run);
  const rules = { ...run.rules, ...more };
  const stage: StageRun = { ...run, rules, deadline, resolutions: { notes: [], failures: [] } };
  let edits = 0;
  let said: Partial<Plan> = {};
  const report = (failures: readonly unknown[]) => {
    const { chosen, reason, notes } = said;
    // A copy, because a port that was abandoned may still add notes.
    const resolutions = [...stage.resolutions.notes];
    const done: StageReport = {
      strategy: strategy.name,
      chosen,
      notes: resolutions.length === 0 ? notes : { ...notes, resolutions },
      status: edits > 0 ? 'progress' : failures.length === 0 ? 'no-progress' : 'failed',
      edits,
      tokensAfter: made.view.tokens,
      ...(edits === 0 && reason !== undefined && { reason }),
      ...(failures.length > 0 && { error: errorText(failures[0]) }),
      ...(after !== undefined && { fallback: true }),
    };
    made.stages.push(done);
    if (edits > 0) made.rules = { ...more, mayShorten: made.rules.mayShorten || more.mayShorten };
    return done;
  };
  try {
    let plan: Plan | undefined;
    for (let planned = 0; planned < maxPlans; planned += 1) {
      plan = await planStage(strategy, made.view, stage, plan?.state);
      edits += await applyPlan(plan, strategy, made, stage);
      said = { ...said, ...plan, ...(plan.notes && { notes: { ...said.notes, ...plan.notes } }) };
      const target = Math.min(run.targetTokens, plan.targetTokens ?? run.targetTokens);
      if (plan.state === undefined || made.view.tokens <= target) break;
    }
    return report(stage.resolutions.failures);
  } catch (error) {
    throwIfAborted(run.signal);
    run.events?.emit('compression-fail', { strategy: strategy.name, error });
    return report([error]);
  } finally {
    deadline.end();
  }
}

async function planStage(
  strategy: CompressionStrategy,
  view: View,
  run: StageRun,
  state: Plan['state'],
): Promise<Plan> {
  const { deadline, events } = run;
  const context = await run.inSlices(planContext(view, run, deadline.signal), deadline.signal);
  const returned: unknown = await deadline.run(() =>
    strategy.plan({ ...context, ...(state !== undefined && { state }) }),
  );
  const plan = planCopy(returned, strategy.name);
  if (plan.edits.length > 0)
    events?.emit('strategy-select', { strategy: strategy.name, chosen: plan.chosen });
  return plan;
}

async function applyPlan(
  plan: Plan,
  strategy: CompressionStrategy,
  made: Made,
  run: StageRun,
): Promise<number> {
  const proposed = await resolvePlan(plan, strategy, made.view, run);
  const applied = await run.inSlices(applyAll(made, proposed.edits, run), run.signal);
  const refused = [...proposed.rejected, ...applied.rejected];
  for (const one of refused) run.events?.emit('edit-reject', { ...one, strategy: strategy.name });
  made.view = applied.view;
  made.edits.push(...applied.accepted);
  made.rejected.push(...refused);
  made.unresolved.push(...proposed.unresolved);
  return applied.accepted.length;
}

function* applyAll(
  { view, edits: { length: offset } }: Made,
  edits: readonly Edit[],
  { rules, conversation: { count, counter }, record }: Run,
): Steps<Applied> {
  // Counted here, a long text is known when the gate judges its edit.
  for (const { text } of edits as readonly { readonly text?: unknown }[]) {
    if (typeof text !== 'string') continue;
    yield;
    yield* counter.textInSteps(text);
  }
  return yield* applyInSteps(view, edits, rules, count, { record, offset });
}

function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return preview(error);
  }
}
