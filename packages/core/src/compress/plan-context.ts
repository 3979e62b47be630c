import type { FrozenCopies } from '../base/frozen-copies.js';
import { finish, itemsPerStep, type Steps } from '../base/slices.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Edit } from '../view/edit.js';
import { isResolved } from '../view/edits/index.js';
import { applyInSteps } from '../view/gate.js';
import { assignPriority } from '../view/priority.js';
import { protectionOf } from '../view/protection.js';
import type { PlanContext, SimulatedSize, ViewMessage } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { Run } from './run.js';

/**
 * The context that a strategy sees for a view.
 * @param signal stops the work that the strategy does in slices
 */
export function* planContext(view: View, run: Run, signal: AbortSignal): Steps<PlanContext> {
  const { targetTokens, windowTokens, contextWindow, level, now, random } = run;
  return {
    view: yield* viewMessages(view, run),
    transcript: yield* frozen(run.transcript, run.copies),
    chapters: [...run.chapters],
    currentTokens: view.tokens,
    targetTokens,
    maxTokens: windowTokens,
    contextWindow,
    minMessagesToKeep: run.minMessagesToKeep,
    level,
    now,
    random,
    inSlices: (steps) => run.inSlices(steps, signal),
    tokensOf: (text) => run.tokensOfText(text),
    countInSteps: (text) => run.countInSteps(text),
    simulate: (edits) => finish(simulated(edits, view, run)),
    simulateInSteps: (edits) => simulated(edits, view, run),
  };
}

function* simulated(edits: readonly Edit[], view: View, run: Run): Steps<SimulatedSize> {
  const { rules, count, record } = run;
  const resolved = edits.filter((edit) => isResolved(edit, rules.kinds));
  const { tokens, sentTokens, entries } = (yield* applyInSteps(view, resolved, rules, count, { record }))
    .view;
  return { tokens, sentTokens, messages: entries.length };
}

/** The messages of a view as strategies see them. */
function* viewMessages({ entries }: View, { priorities, rules, copies }: Run): Steps<ViewMessage[]> {
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
      message: copies.of(message),
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
export function* frozen(
  transcript: readonly TranscriptMessage[],
  copies: FrozenCopies,
): Steps<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = [];
  for (const one of transcript) {
    if (messages.length % itemsPerStep === 0) yield;
    messages.push(copies.holding(one));
  }
  return messages;
}
