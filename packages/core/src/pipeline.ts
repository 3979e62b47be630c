import { isCrowded } from './crowded.js';
import { type Deadline, startDeadline } from './deadline.js';
import type { DependencyContainer } from './di.js';
import { type Edit, isResolved, type ResolvedEdit, type SummarizeEdit } from './edit.js';
import { CtxError, preview } from './errors.js';
import type { SafeEmitter } from './events.js';
import {
  applyEdits,
  crowdedRules,
  type GateRules,
  isEdit,
  judgeMerge,
  lastResortRules,
  type RejectedEdit,
} from './gate.js';
import { lastResort } from './last-resort.js';
import type { CompressionLevel } from './level.js';
import { assignPriorities, type PriorityPreset } from './priority.js';
import { protectionOf } from './protection.js';
import type { StageReport } from './record.js';
import { resolveEdits } from './resolve.js';
import type { CompressionStrategy, Plan, PlanContext, ViewMessage } from './strategy.js';
import type { TranscriptMessage } from './transcript.js';
import type { View } from './view.js';
import type { CountMessage } from './view-entry.js';

/** What a run of the stages works with. All token figures are as counted here, of the view's messages. */
export interface Run {
  readonly view: View;
  readonly transcript: readonly TranscriptMessage[];
  readonly stages: readonly CompressionStrategy[];
  readonly targetTokens: number;
  /** Messages to get down to, where their number matters. */
  readonly targetMessages?: number | undefined;
  readonly maxTokens: number;
  /** The same for a view that may be made up otherwise: what a provider adds for each call goes with the calls. */
  maxTokensFor(view: View): number;
  readonly minMessagesToKeep: number;
  readonly level: CompressionLevel;
  readonly now: number;
  readonly random: () => number;
  readonly priorities: PriorityPreset;
  readonly rules: GateRules;
  readonly count: CountMessage;
  tokensOf(text: string): number;
  readonly record: string;
  /** Where unresolved edits find their ports; without it they are left unresolved. */
  readonly container?: DependencyContainer | undefined;
  /** The window in the provider's measure. */
  readonly contextWindow: number;
  /** False where somebody asked for it by hand. */
  readonly automatic: boolean;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Why a stage is to be passed over, if it is. */
  passOver?(strategy: CompressionStrategy, view: View): string | undefined;
  readonly events?: SafeEmitter | undefined;
}

export interface RunResult {
  readonly view: View;
  readonly edits: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
  readonly unresolved: readonly Edit[];
  readonly stages: readonly StageReport[];
  /** What may be done besides what is allowed otherwise: in a crowded window, or by the last resort. */
  readonly rules: ((rules: GateRules) => GateRules) | undefined;
}

/**
 * Runs the stages in order until the target is met, and the last resort where the view is larger than the window even
 * so. A stage that fails is reported, and the next one runs.
 * @throws CtxError `aborted` when the caller's signal aborts; nothing has been committed then
 */
export async function runPipeline(run: Run): Promise<RunResult> {
  const made: Made = { view: run.view, edits: [], rejected: [], unresolved: [] };
  const stages: StageReport[] = [];
  const crowded = isCrowded(run.view, run.rules, run.maxTokens);
  let fellShort: string | undefined;
  const planned: readonly CompressionStrategy[] = [...run.stages, lastResort, lastResort];
  for (const strategy of planned) {
    const isLast = strategy === lastResort;
    const maxTokens = isLast ? run.maxTokensFor(made.view) : run.maxTokens;
    if (made.view.tokens <= (isLast ? maxTokens : tokensWanted(made.view, run))) continue;
    const { name, partial = false } = strategy;
    const reason = run.passOver?.(strategy, made.view);
    if (reason !== undefined) {
      run.events?.emit('compression-skip', { strategy: name, reason });
      if (!partial) fellShort = name;
      continue;
    }
    const before = stages[stages.length - 1]?.strategy;
    const after = before === lastResort.name ? undefined : (fellShort ?? (isLast ? before : undefined));
    if (after !== undefined) run.events?.emit('fallback-use', { strategy: name, after });
    const rules = isLast ? lastResortRules(run.rules) : crowded ? crowdedRules(run.rules) : run.rules;
    const targetMessages = isLast ? undefined : run.targetMessages;
    for (const report of await runUntilMet(strategy, made, { ...run, rules, maxTokens, targetMessages })) {
      stages.push(after === undefined ? report : { ...report, fallback: true });
      if (report.error !== undefined || !partial) fellShort = name;
    }
  }
  const resorted = stages.some(({ strategy, edits }) => strategy === lastResort.name && edits > 0);
  return { ...made, stages, rules: resorted ? lastResortRules : crowded ? crowdedRules : undefined };
}

/** What the stages have come to so far. */
interface Made {
  view: View;
  readonly edits: ResolvedEdit[];
  readonly rejected: RejectedEdit[];
  readonly unresolved: Edit[];
}

/** How often a strategy may ask to plan once more. */
const maxPlans = 10;

/**
 * A stage runs once, but where the number of messages matters: strategies get down to tokens, so one that took messages out and
 * not enough of them is asked for more.
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

/** The tokens to get down to; fewer than the target where so many messages have to leave besides, by their mean size. */
function tokensWanted(view: View, run: Run): number {
  const { targetTokens, targetMessages = Number.POSITIVE_INFINITY } = run;
  if (view.entries.length <= targetMessages) return targetTokens;
  const free = viewMessages(view, run).filter(({ pinned }) => !pinned);
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
    notes: resolutions.notes.length === 0 ? notes : { ...notes, resolutions: resolutions.notes },
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
    if (run.signal?.aborted) throw error;
    run.events?.emit('compression-fail', { strategy: name, error });
    return report({ error: errorText(error) });
  } finally {
    deadline.end();
  }
}

/** What the ports said of the edits they resolved, and why they could not resolve others. */
interface Resolutions {
  readonly notes: Readonly<Record<string, unknown>>[];
  readonly failures: unknown[];
}

type StageRun = Run & { readonly resolutions: Resolutions; readonly deadline: Deadline };

/** Returns how many edits were applied. */
async function applyPlan(
  plan: Plan,
  strategy: CompressionStrategy,
  made: Made,
  run: StageRun,
): Promise<number> {
  const proposed = await resolvePlan(plan, strategy, made.view, run);
  const applied = applyEdits(made.view, proposed.edits, run.rules, run.count, {
    record: run.record,
    offset: made.edits.length,
  });
  const refused = [...proposed.rejected, ...applied.rejected];
  for (const one of refused) run.events?.emit('edit-reject', { ...one, strategy: strategy.name });
  made.view = applied.view;
  made.edits.push(...applied.accepted);
  made.rejected.push(...refused);
  made.unresolved.push(...proposed.unresolved);
  return applied.accepted.length;
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
  const context = { ...planContext(view, run), ...(state !== undefined && { state }) };
  const plan = await run.deadline.run(() => strategy.plan(context));
  if (typeof plan === 'object' && plan !== null && Array.isArray(plan.edits)) return plan;
  throw new CtxError({
    code: 'plan-invalid',
    problem: `Strategy "${strategy.name}" returned no plan`,
    place: 'plan.edits',
    value: preview(plan),
    remedy: 'A plan is { edits: [...] }. See docs/writing-a-strategy.md.',
  });
}

function planContext(view: View, run: Run): PlanContext {
  const { targetTokens, maxTokens, contextWindow, level, now, random } = run;
  return {
    view: viewMessages(view, run),
    transcript: [...run.transcript],
    currentTokens: view.tokens,
    targetTokens,
    maxTokens,
    contextWindow,
    minMessagesToKeep: run.minMessagesToKeep,
    level,
    now,
    random,
    tokensOf: (text) => run.tokensOf(text),
    simulate(edits) {
      const resolved = edits.filter((edit) => isResolved(edit));
      const after = applyEdits(view, resolved, run.rules, run.count, { record: run.record }).view;
      return { tokens: after.tokens, messages: after.entries.length };
    },
  };
}

function viewMessages(view: View, { priorities, rules }: Run): ViewMessage[] {
  const assigned = assignPriorities(view.entries, priorities);
  return view.entries.map((entry, index) => {
    const protection = protectionOf(entry, rules);
    return {
      id: entry.id,
      index,
      message: entry.message,
      createdAt: rules.transcript.get(entry.id)?.createdAt,
      tokens: entry.tokens,
      priority: assigned[index] as ViewMessage['priority'],
      pinned: protection !== undefined,
      protectedBy: protection?.by,
      verbatim: protection?.keeps === 'text',
      exchange: entry.exchange,
    };
  });
}

interface Proposed {
  readonly edits: readonly Edit[];
  readonly rejected: readonly RejectedEdit[];
  readonly unresolved: readonly Edit[];
}

/** Sorts out what the strategy may not emit, and has the rest resolved. */
async function resolvePlan(
  plan: Plan,
  strategy: CompressionStrategy,
  view: View,
  run: StageRun,
): Promise<Proposed> {
  const rejected: RejectedEdit[] = [];
  const allowed: Edit[] = [];
  for (const edit of plan.edits as readonly unknown[]) {
    if (!isEdit(edit))
      rejected.push({ edit, invariant: 'targets-exist', detail: 'not an edit of the documented form' });
    else if (strategy.emits.includes(edit.type)) {
      const refused = edit.type === 'summarize' ? judgeMerge(edit as SummarizeEdit, view, run) : undefined;
      if (refused === undefined) allowed.push(withInstructions(edit, run.instructions));
      else rejected.push(refused);
    } else
      rejected.push({
        edit,
        invariant: 'declared-edits',
        detail: `"${strategy.name}" does not declare ${edit.type}`,
      });
  }
  if (run.container === undefined) {
    return {
      edits: allowed.filter(isResolved),
      rejected,
      unresolved: allowed.filter((edit) => !isResolved(edit)),
    };
  }
  const entries = new Map(view.entries.map((entry) => [entry.id, entry]));
  const entriesOf = (ids: readonly string[]) =>
    ids.map((id) => entries.get(id)).filter((entry) => entry !== undefined);
  const context = {
    container: run.container,
    contextWindow: run.contextWindow,
    automatic: run.automatic,
    tokensOf: (message: Parameters<CountMessage>[0]) => run.count(message).tokens,
    tokensOfText: (text: string) => run.tokensOf(text),
    messagesOf: (ids: readonly string[]) => entriesOf(ids).map(({ message }) => message),
    originalsOf: (ids: readonly string[]) =>
      entriesOf(ids)
        .flatMap(({ origins }) => origins)
        .map((origin) => run.rules.transcript.get(origin))
        .filter((original) => original !== undefined)
        .map(({ index, message }) => ({ number: index + 1, message })),
    note: (notes: Readonly<Record<string, unknown>>) => run.resolutions.notes.push(notes),
  };
  const { edits, failures } = await resolveEdits(allowed, context, run);
  for (const failure of failures) {
    run.events?.emit('compression-fail', { strategy: strategy.name, ...failure });
    run.resolutions.failures.push(failure.error);
  }
  return { edits, rejected, unresolved: failures.map(({ edit }) => edit) };
}

function withInstructions(edit: Edit, instructions: string | undefined): Edit {
  if (edit.type !== 'summarize' || instructions === undefined) return edit;
  return { instructions, ...edit };
}
