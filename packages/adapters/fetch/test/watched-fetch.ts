import type { Warning } from '@ctx/conversation';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';

/** A `contextFetch` for a small window, with the managers that it makes and the warnings that it gives. */
export function watchedFetch(options: ContextFetchOptions = {}) {
  const managers: ContextManager[] = [];
  const warnings: Warning[] = [];
  const send = contextFetch({
    config: { contextWindow: 4_000 },
    onManager: (manager) => managers.push(manager),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { send, managers, warnings };
}

export const codesOf = (warnings: readonly Warning[]) => warnings.map(({ code }) => code);

/** A history of so many questions with their answers, and a last question. */
export const longHistory = (turns: number, name = 'file') => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Look at ${name}${turn}.ts` },
    { role: 'assistant', content: words(60, `${name}${turn}`) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
