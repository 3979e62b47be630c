import { CtxError, preview } from '../base/errors.js';
import type { FrozenCopies } from '../base/frozen-copies.js';
import { plainCopy } from '../base/json.js';
import { isFields } from '../base/native.js';
import { finish, itemsPerStep, type Steps } from '../base/slices.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit } from '../view/edit.js';
import { isResolved } from '../view/edits/index.js';
import { applyEdits } from '../view/gate.js';
import { assignPriority } from '../view/priority.js';
import { protectionOf } from '../view/protection.js';
import type { Plan, PlanContext, SimulatedSize, ViewMessage } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { Run } from './run.js';

/** The context that a strategy sees for a view. The signal stops the work that it does in slices. */
export function* planContext(view: View, run: Run, signal: AbortSignal): Steps<PlanContext> {
  const { targetTokens, contextWindow, level, now, random } = run;
  return {
    view: yield* viewMessages(view, run),
    transcript: yield* frozen(run.transcript, run.conversation.copies),
    currentTokens: view.tokens,
    targetTokens,
    maxTokens: run.windowTokensFor(view),
    contextWindow,
    minMessagesToKeep: run.minMessagesToKeep,
    level,
    now,
    random,
    inSlices: (steps) => run.inSlices(steps, signal),
    tokensOf: (text) => run.conversation.counter.text(text),
    countInSteps: (text) => run.conversation.counter.textInSteps(text),
    simulate: (edits) => finish(simulated(edits, view, run)),
    simulateInSteps: (edits) => simulated(edits, view, run),
  };
}

function* simulated(edits: readonly Edit[], view: View, run: Run): Steps<SimulatedSize> {
  const { rules, conversation, record } = run;
  const resolved = edits.filter((edit) => isResolved(edit, rules.kinds));
  const applied = yield* applyEdits(view, resolved, rules, conversation.count, { record });
  const { tokens, sentTokens, entries } = applied.view;
  return { tokens, sentTokens, messages: entries.length };
}

function* viewMessages({ entries }: View, { priorities, rules, conversation }: Run): Steps<ViewMessage[]> {
  const messages: ViewMessage[] = [];
  for (const entry of entries) {
    const { id, message, tokens, exchange, origins } = entry;
    const index = messages.length;
    if (index % itemsPerStep === 0) yield;
    const protection = protectionOf(entry, rules);
    messages.push({
      id,
      index,
      position: origins.lowest,
      message: conversation.copies.of(message),
      createdAt: origins.isOnly(id) ? rules.transcript.at(origins.lowest)?.createdAt : undefined,
      tokens,
      priority: assignPriority({ message, tokens, index, count: entries.length }, priorities),
      pinned: protection !== undefined,
      protectedBy: protection?.by,
      verbatim: protection?.keeps === 'text',
      exchange,
    });
  }
  return messages;
}

/** The messages of a transcript as strategies see them: a new list of frozen copies. */
function* frozen(transcript: readonly TranscriptMessage[], copies: FrozenCopies): Steps<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = [];
  for (const one of transcript) {
    if (messages.length % itemsPerStep === 0) yield;
    messages.push(Object.freeze({ ...one, message: copies.of(one.message) }));
  }
  return messages;
}

/** Leaves room for an explanation of every line in a large excerpt, in characters. */
const maxNotesCharacters = 10_000_000;

/** More than a sentence or two, in characters; every record repeats what a strategy says of its plan. */
const maxSaidCharacters = 1000;

/**
 * Copies what a strategy returned, reading each field once, so that a record can be written whatever it was. Its edits are
 * copied when they are judged. The state stays as it is, because no record holds it.
 * @throws CtxError `plan-invalid`
 */
export function planCopy(returned: unknown, strategy: string): Plan {
  if (!isFields(returned)) throw invalidPlan(strategy, 'returned no plan', 'plan', returned);
  const { edits, chosen, reason, notes, state, finish, targetTokens } = returned as Partial<
    Record<keyof Plan, unknown>
  >;
  if (!Array.isArray(edits)) throw invalidPlan(strategy, 'returned no plan', 'plan.edits', returned);
  if (targetTokens !== undefined && typeof targetTokens !== 'number')
    throw invalidPlan(strategy, 'returned a target that is not a number', 'plan.targetTokens', targetTokens);
  return {
    edits: [...edits],
    ...(chosen !== undefined && { chosen: said(chosen) }),
    ...(reason !== undefined && { reason: said(reason) }),
    ...(notes !== undefined && { notes: plainNotes(notes) }),
    ...(state !== undefined && { state: state as NonNullable<Plan['state']> }),
    ...(typeof finish === 'function' && { finish: finish as NonNullable<Plan['finish']> }),
    ...(targetTokens !== undefined && { targetTokens }),
  };
}

export function plainNotes(notes: unknown): Readonly<Record<string, unknown>> {
  const copy = plainCopy(notes, maxNotesCharacters);
  return isFields(copy) ? copy : { text: copy };
}

function said(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxSaidCharacters) : preview(value);
}

function invalidPlan(strategy: string, problem: string, place: string, value: unknown): CtxError {
  return new CtxError({
    code: 'plan-invalid',
    problem: `Strategy "${strategy}" ${problem}`,
    place,
    value: preview(value),
    remedy: 'A plan is { edits: [...] }, with edits such as { type: "drop", messages: [id], reason: "…" }.',
  });
}
