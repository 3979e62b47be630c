import { type ContextManager, CtxError, errorCodes, type Message } from '@ctx/core';

/** Passes something that no host should pass. Each must be rejected with an explanation. */
export function badCall(manager: ContextManager, which: number): unknown {
  const values: unknown[] = [
    null,
    undefined,
    7,
    'text',
    {},
    [],
    { role: 'user' },
    { role: 'user', content: '' },
    { role: 'robot', content: 'x' },
    { role: 'tool', content: [] },
    { role: 'assistant', content: [{ type: 'tool-call' }] },
    { role: 'user', content: 'x', id: 'ctx:1' },
  ];
  const value = values[which % values.length];
  const calls: (() => unknown)[] = [
    () => manager.append(value as Message),
    () => manager.pin(value as string),
    () => manager.undo(value as string),
    () => manager.rewindTo(value as string),
    () => manager.on(value as 'level-change', () => {}),
    () => manager.reportUsage({ inputTokens: value as number }),
  ];
  return (calls[Math.floor(which / values.length) % calls.length] as () => unknown)();
}

/** The problem of a thrown value; undefined if it is a proper error. */
export function errorProblem(error: unknown): string | undefined {
  if (!CtxError.isInstance(error))
    return `${error instanceof Error ? error.stack : String(error)} is no error of ctx`;
  if (!errorCodes.includes(error.code)) return `${error.code} is no known code`;
  return error.remedy === '' || error.message === '' ? `${error.code} says nothing` : undefined;
}
