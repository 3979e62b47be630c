import { isResolved } from '../view/edits/index.js';
import { applyEdits } from '../view/gate.js';
import { assignPriorities } from '../view/priority.js';
import { protectionOf } from '../view/protection.js';
import type { PlanContext, ViewMessage } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { Run } from './run.js';

/**
 * The context that a strategy sees for a view.
 * @param signal stops the work that the strategy does in slices
 */
export function planContext(view: View, run: Run, signal: AbortSignal): PlanContext {
  const { targetTokens, windowTokens, contextWindow, level, now, random } = run;
  return {
    view: viewMessages(view, run),
    transcript: [...run.transcript],
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
    simulate(edits) {
      const resolved = edits.filter((edit) => isResolved(edit, run.rules.kinds));
      const after = applyEdits(view, resolved, run.rules, run.count, { record: run.record }).view;
      return { tokens: after.tokens, messages: after.entries.length };
    },
  };
}

/** The messages of a view as strategies see them. */
export function viewMessages(view: View, { priorities, rules }: Run): ViewMessage[] {
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
