import { throwIfAborted } from '../base/deadline.js';
import { crowdedRules, lastResortRules } from '../view/gate.js';
import { isCrowded } from '../view/protection.js';
import type { View } from '../view/view.js';
import type { CompressionRecord, StageReport } from './record.js';
import type { Run } from './run.js';
import { type Made, Stage } from './stage.js';

export interface RunResult extends Readonly<Made> {
  readonly relaxed: CompressionRecord['relaxed'];
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
  const own = ownStages(run.recallTool);
  const made: Made = { view: run.view, edits: [], rejected: [], unresolved: [], stages: [], rules: {} };
  const crowded = run.spares !== true && isCrowded(run.view, run.rules, run.windowTokensFor);
  /** The newest stage that failed or missed the target. */
  let fellShort: string | undefined;
  let hasChosen = false;
  let writes = false;
  const keptIn = ({ entries }: View) =>
    entries.filter(({ id, origins, message }) => !origins.isOnly(id) || (writes && message.role === 'user'));
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
      report = await new Stage(strategy, made, run, more).report(fellShort);
      if (own.includes(strategy) && report.status === 'no-progress') made.stages.pop();
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
    await new Stage(lastResort, made, run, more).report(attempt === 0 ? fellShort : undefined);
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

function unused(report: StageReport, tokensAfter: number): StageReport {
  if (report.edits === 0) return report;
  const reason =
    'It would remove what the other stages wrote or free too little, and what is there fits the window';
  const status = report.error === undefined ? 'no-progress' : 'failed';
  return { ...report, status, edits: 0, tokensAfter, reason };
}
