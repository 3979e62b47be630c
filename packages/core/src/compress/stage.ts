import { type Deadline, startDeadline, throwIfAborted } from '../base/deadline.js';
import type { DependencyContainer } from '../base/di.js';
import { preview } from '../base/errors.js';
import { plainCopy } from '../base/json.js';
import type { Steps } from '../base/slices.js';
import type { Edit, ResolvedEdit, SummarizeEdit } from '../view/edit.js';
import { editCopy, isResolved } from '../view/edits/index.js';
import { type Applied, applyEdits, type GateRules, judgeMerge, type RejectedEdit } from '../view/gate.js';
import type { ResolveContext } from '../view/resolver.js';
import type { CompressionStrategy, Plan } from '../view/strategy.js';
import type { View } from '../view/view.js';
import { plainNotes, planContext, planCopy } from './plan-context.js';
import type { StageReport } from './record.js';
import type { Run } from './run.js';

/** What the stages of a run have made of its view. */
export interface Made {
  view: View;
  readonly edits: ResolvedEdit[];
  readonly rejected: RejectedEdit[];
  /** Edits that need something outside that was not there or failed. */
  readonly unresolved: Edit[];
  readonly stages: StageReport[];
  /** What the edits were allowed beyond the usual rules: in a crowded window, or for the last resort. */
  rules: Partial<GateRules>;
}

/** How often a strategy may plan in one stage. */
const maxPlans = 10;

/** One stage of a run: a strategy plans, and what it proposes is resolved through ports, judged and applied. */
export class Stage {
  readonly #run: Run;
  readonly #deadline: Deadline;
  readonly #failures: unknown[] = [];
  /** What the ports say of the edits that they resolved. */
  readonly #resolutions: Readonly<Record<string, unknown>>[] = [];
  #edits = 0;
  #said: Partial<Plan> = {};

  /** @param more what its edits are allowed beyond the usual rules */
  constructor(
    readonly strategy: CompressionStrategy,
    readonly made: Made,
    run: Run,
    readonly more: Partial<GateRules>,
  ) {
    this.#run = { ...run, rules: { ...run.rules, ...more } };
    this.#deadline = startDeadline(run);
  }

  /**
   * Runs it, and adds its report to what the run has made. If it fails, what it has applied until then stays.
   * @param after the stage that it is a fallback for
   * @throws CtxError `aborted` when the caller's signal aborts
   */
  async report(after: string | undefined): Promise<StageReport> {
    const { events, signal } = this.#run;
    const { name: strategy } = this.strategy;
    if (after !== undefined) events?.emit('fallback-use', { strategy, after });
    try {
      await this.#work();
    } catch (error) {
      throwIfAborted(signal);
      events?.emit('compression-fail', { strategy, error });
      this.#failures.unshift(error);
    } finally {
      this.#deadline.end();
    }
    const { made, more } = this;
    if (this.#edits > 0) made.rules = { ...more, mayShorten: made.rules.mayShorten || more.mayShorten };
    const report = this.#reportOf(after !== undefined);
    made.stages.push(report);
    return report;
  }

  #reportOf(isFallback: boolean): StageReport {
    const { chosen, reason, notes } = this.#said;
    const edits = this.#edits;
    const hasFailed = this.#failures.length > 0;
    // A copy, because a port that was abandoned may still add notes.
    const resolutions = [...this.#resolutions];
    return {
      strategy: this.strategy.name,
      chosen,
      notes: resolutions.length === 0 ? notes : { ...notes, resolutions },
      status: edits > 0 ? 'progress' : hasFailed ? 'failed' : 'no-progress',
      edits,
      tokensAfter: this.made.view.tokens,
      ...(edits === 0 && reason !== undefined && { reason }),
      ...(hasFailed && { error: errorText(this.#failures[0]) }),
      ...(isFallback && { fallback: true }),
    };
  }

  async #work(): Promise<void> {
    let state: Plan['state'];
    for (let planned = 0; planned < maxPlans; planned += 1) {
      const plan = await this.#plan(state);
      await this.#apply(plan);
      this.#said = {
        ...this.#said,
        ...plan,
        ...(plan.notes && { notes: { ...this.#said.notes, ...plan.notes } }),
      };
      state = plan.state;
      const { targetTokens } = this.#run;
      if (
        state === undefined ||
        this.made.view.tokens <= Math.min(targetTokens, plan.targetTokens ?? targetTokens)
      )
        return;
    }
  }

  async #plan(state: Plan['state']): Promise<Plan> {
    const { strategy, made } = this;
    const { signal } = this.#deadline;
    const { inSlices, events } = this.#run;
    const context = await inSlices(planContext(made.view, this.#run, signal), signal);
    const returned: unknown = await this.#deadline.run(() =>
      strategy.plan({ ...context, ...(state !== undefined && { state }) }),
    );
    const plan = planCopy(returned, strategy.name);
    if (plan.edits.length > 0)
      events?.emit('strategy-select', { strategy: strategy.name, chosen: plan.chosen });
    return plan;
  }

  async #apply(plan: Plan): Promise<void> {
    const { made } = this;
    const { inSlices, signal } = this.#run;
    const { view, accepted, rejected } = await inSlices(this.#applied(await this.#proposed(plan)), signal);
    for (const one of rejected) this.#reject(one);
    made.view = view;
    made.edits.push(...accepted);
    this.#edits += accepted.length;
  }

  *#applied(edits: readonly Edit[]): Steps<Applied> {
    const { rules, conversation, record } = this.#run;
    // Counted here, a long text is known when the gate judges its edit.
    for (const { text } of edits as readonly { readonly text?: unknown }[]) {
      if (typeof text !== 'string') continue;
      yield;
      yield* conversation.counter.textInSteps(text);
    }
    const numbered = { record, offset: this.made.edits.length };
    return yield* applyEdits(this.made.view, edits, rules, conversation.count, numbered);
  }

  /** The edits of a plan that are allowed, resolved. */
  async #proposed(plan: Plan): Promise<readonly Edit[]> {
    const { inSlices, ports, rules, signal: caller, events } = this.#run;
    const { signal } = this.#deadline;
    const allowed = await inSlices(this.#allowed(plan.edits), signal);
    const open = allowed.filter((edit) => !isResolved(edit, rules.kinds));
    if (open.length === 0 || ports === undefined) {
      this.made.unresolved.push(...open);
      return allowed.filter((edit) => !open.includes(edit));
    }
    const { resolveEdits } = await ports.load();
    const context = this.#resolveContext(ports.container);
    const { edits, failures, skipped } = await resolveEdits(open, allowed, context, this.#deadline, caller);
    for (const failure of failures) {
      events?.emit('compression-fail', { strategy: this.strategy.name, ...failure });
      this.#failures.push(failure.error);
    }
    this.made.unresolved.push(...failures.map(({ edit }) => edit), ...skipped);
    if (plan.finish === undefined || edits.length === 0) return edits;
    const finished = await this.#deadline.run(async () => plan.finish?.(edits as ResolvedEdit[]) ?? []);
    return inSlices(this.#allowed(finished), signal);
  }

  *#allowed(proposed: readonly unknown[]): Steps<Edit[]> {
    const { rules, conversation, instructions } = this.#run;
    const { name, emits } = this.strategy;
    const allowed: Edit[] = [];
    for (const one of proposed) {
      yield;
      const edit = editCopy(one, rules.kinds);
      const reject = (invariant: RejectedEdit['invariant'], detail: string) =>
        this.#reject({ edit: plainCopy(edit ?? one), invariant, detail });
      if (edit === undefined) reject('targets-exist', 'not an edit of the documented form in plain JSON');
      else if (!emits.includes(edit.type))
        reject('declared-edits', `"${name}" does not declare ${edit.type}`);
      else if (edit.type !== 'summarize') allowed.push(edit);
      else {
        const refused = judgeMerge(edit as SummarizeEdit, this.made.view, rules, conversation.count);
        if (refused) reject(refused.invariant, refused.detail);
        else allowed.push(instructions === undefined ? edit : { instructions, ...edit });
      }
    }
    return allowed;
  }

  #reject(edit: RejectedEdit): void {
    this.made.rejected.push(edit);
    this.#run.events?.emit('edit-reject', { ...edit, strategy: this.strategy.name });
  }

  #resolveContext(container: DependencyContainer): Omit<ResolveContext, 'signal'> {
    const { conversation, rules, contextWindow, automatic, inSlices } = this.#run;
    const { count, counter } = conversation;
    const entries = new Map(this.made.view.entries.map((entry) => [entry.id, entry]));
    const entriesOf = (ids: readonly string[]) => ids.flatMap((id) => entries.get(id) ?? []);
    return {
      container,
      contextWindow,
      automatic,
      inSlices,
      handles: rules.handles,
      tokensOf: (message) => count(message).tokens,
      tokensOfText: (text) => counter.text(text),
      tokensInSteps: (text) => counter.textInSteps(text),
      messagesOf: (ids) => entriesOf(ids).map(({ message }) => message),
      originalsOf: (ids) =>
        entriesOf(ids)
          .flatMap(({ origins }) => origins.messages.flatMap(({ id }) => rules.transcript.get(id) ?? []))
          .map(({ index, message }) => ({ number: index + 1, message })),
      note: (notes) => this.#resolutions.push(plainNotes(notes)),
    };
  }
}

function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return preview(error);
  }
}
