import { type Message, type Part, partsOf } from '@ctx/core';

interface RunOptions {
  /** Ids that a codec makes up count as one: they may differ when what it made is read again. */
  readonly madeUpIds?: RegExp;
}

/** What each run of messages of one role says; a provider may put neighbours together. */
export function runsOf(messages: readonly Message[], { madeUpIds }: RunOptions): Part[][] {
  const runs: { readonly role: string; readonly parts: Part[] }[] = [];
  for (const message of messages) {
    const parts = partsOf(message).map((part) =>
      'toolCallId' in part && madeUpIds?.test(part.toolCallId) ? { ...part, toolCallId: 'made up' } : part,
    );
    const last = runs.at(-1);
    if (last?.role === message.role) last.parts.push(...parts);
    else runs.push({ role: message.role, parts });
  }
  return runs.map(({ parts }) => parts);
}
