import type { Deadline } from '../base/deadline.js';
import { plainCopy } from '../base/json.js';
import type { Edit, ResolvedEdit, SummarizeEdit } from '../view/edit.js';
import { editCopy, isResolved } from '../view/edits/index.js';
import { judgeMerge, type RejectedEdit } from '../view/gate.js';
import type { CompressionStrategy, Plan } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { CountMessage } from '../view/view-entry.js';
import { plainNotes } from './plan-context.js';
import type { Run } from './run.js';

/** Notes from the ports about resolved edits, and errors of edits that could not be resolved. */
interface Resolutions {
  readonly notes: Readonly<Record<string, unknown>>[];
  readonly failures: unknown[];
}

export type StageRun = Run & { readonly resolutions: Resolutions; readonly deadline: Deadline };

interface Proposed {
  readonly edits: readonly Edit[];
  readonly rejected: readonly RejectedEdit[];
  readonly unresolved: readonly Edit[];
}

export async function resolvePlan(
  plan: Plan,
  strategy: CompressionStrategy,
  view: View,
  run: StageRun,
): Promise<Proposed> {
  const { kinds } = run.rules;
  const { allowed, rejected } = await run.inSlices(sorted(plan, strategy, view, run), run.deadline.signal);
  const open = allowed.filter((edit) => !isResolved(edit, kinds));
  const { ports } = run;
  if (open.length === 0 || ports === undefined)
    return { edits: allowed.filter((edit) => !open.includes(edit)), rejected, unresolved: open };
  const entries = new Map(view.entries.map((entry) => [entry.id, entry]));
  const entriesOf = (ids: readonly string[]) =>
    ids.map((id) => entries.get(id)).filter((entry) => entry !== undefined);
  const { count, counter } = run.conversation;
  const context = {
    container: ports.container,
    kinds,
    contextWindow: run.contextWindow,
    automatic: run.automatic,
    tokensOf: (message: Parameters<CountMessage>[0]) => count(message).tokens,
    tokensOfText: (text: string) => counter.text(text),
    tokensInSteps: (text: string) => counter.textInSteps(text),
    messagesOf: (ids: readonly string[]) => entriesOf(ids).map(({ message }) => message),
    originalsOf: (ids: readonly string[]) =>
      entriesOf(ids)
        .flatMap(({ origins }) => origins.messages.flatMap(({ id }) => run.rules.transcript.get(id) ?? []))
        .map(({ index, message }) => ({ number: index + 1, message })),
    inSlices: run.inSlices,
    handles: run.rules.handles,
    note: (notes: Readonly<Record<string, unknown>>) => run.resolutions.notes.push(plainNotes(notes)),
  };
  const { resolveEdits } = await ports.load();
  const { edits, failures, skipped } = await resolveEdits(allowed, context, run);
  for (const failure of failures) {
    run.events?.emit('compression-fail', { strategy: strategy.name, ...failure });
    run.resolutions.failures.push(failure.error);
  }
  const unresolved = [...failures.map(({ edit }) => edit), ...skipped];
  if (plan.finish === undefined || edits.length === 0) return { edits, rejected, unresolved };
  const finished = {
    edits: await run.deadline.run(async () => plan.finish?.(edits as ResolvedEdit[]) ?? []),
  };
  const again = await run.inSlices(sorted(finished, strategy, view, run), run.deadline.signal);
  return { edits: again.allowed, rejected: [...rejected, ...again.rejected], unresolved };
}

function* sorted(plan: Plan, { name, emits }: CompressionStrategy, view: View, run: StageRun) {
  const { rules, conversation } = run;
  const allowed: Edit[] = [];
  const rejected: RejectedEdit[] = [];
  for (const proposed of plan.edits as readonly unknown[]) {
    yield;
    const edit = editCopy(proposed, rules.kinds);
    const reject = (invariant: RejectedEdit['invariant'], detail: string) =>
      rejected.push({ edit: plainCopy(edit ?? proposed), invariant, detail });
    if (edit === undefined) reject('targets-exist', 'not an edit of the documented form in plain JSON');
    else if (!emits.includes(edit.type)) reject('declared-edits', `"${name}" does not declare ${edit.type}`);
    else {
      const isSummary = edit.type === 'summarize';
      const refused = isSummary && judgeMerge(edit as SummarizeEdit, view, rules, conversation.count);
      if (refused) reject(refused.invariant, refused.detail);
      else allowed.push(withInstructions(edit, run.instructions));
    }
  }
  return { allowed, rejected };
}

function withInstructions(edit: Edit, instructions: string | undefined): Edit {
  if (edit.type !== 'summarize' || instructions === undefined) return edit;
  return { instructions, ...edit };
}
