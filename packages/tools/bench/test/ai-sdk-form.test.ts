import { ContextManager, defineStrategy, type Message } from '@ctx/core';
import { wordCounter, words } from '@ctx/testing';
import { type ModelMessage, modelMessageSchema } from 'ai';

const output = {
  text: { type: 'text', value: words(100) },
  failed: { type: 'error-text', value: words(100) },
  json: { type: 'json', value: { found: words(100) } },
  list: {
    type: 'content',
    value: [
      { type: 'text', text: words(50) },
      { type: 'text', text: words(50) },
    ],
  },
} as const;

const names = Object.keys(output) as (keyof typeof output)[];
const messages: ModelMessage[] = [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: names.map((name) => ({ type: 'tool-call', toolCallId: name, toolName: 'read', input: {} })),
  },
  {
    role: 'tool',
    content: names.map((name) => ({
      type: 'tool-result',
      toolCallId: name,
      toolName: 'read',
      output: structuredClone(output[name]) as never,
    })),
  },
  { role: 'assistant', content: 'done' },
  { role: 'user', content: 'thanks' },
];

/** Cuts every result. */
const shorten = defineStrategy({
  name: 'shorten',
  emits: ['replace'],
  plan: ({ view }) => ({
    edits: view.flatMap(({ id, message }) =>
      message.role === 'tool'
        ? message.content.map((_result, part) => ({
            type: 'replace' as const,
            message: id,
            part,
            text: '[cleared]',
            reason: 'old',
          }))
        : [],
    ),
  }),
});

function issuesOf(list: readonly unknown[]): unknown[] {
  return list.flatMap((message) => modelMessageSchema.safeParse(message).error?.issues ?? []);
}

test('results that were cut keep the form that the AI SDK requires', async () => {
  expect(issuesOf(messages)).toEqual([]);
  const manager = new ContextManager({
    config: { contextWindow: 1_000_000, minMessagesToKeep: 1 },
    counter: wordCounter,
  });
  for (const message of messages) manager.append(message as Message);
  const { status } = await manager.compress({ strategy: shorten, targetTokens: 100 });
  expect(status).toBe('compressed');
  const view = manager.view();
  expect(JSON.stringify(view).split('[cleared]')).toHaveLength(names.length + 1);
  expect(issuesOf(view)).toEqual([]);
});
