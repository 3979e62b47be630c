import { anthropicCodec } from '@ctx/codec-anthropic';
import { compressMessages, defineStrategy } from '@ctx/core';

const call = { type: 'server_tool_use', id: 's', name: 'code_execution', input: {} } as const;
const answer = { type: 'code_execution_tool_result', tool_use_id: 's', content: {} };
const use = { type: 'tool_use', id: 'a', name: 'read', input: {} } as const;
const text = (value: string) => ({ type: 'text' as const, text: value });
const go = { role: 'user' as const, content: 'build the next one' };

const dropAll = defineStrategy({
  name: 'drop-all',
  emits: ['drop'],
  plan: ({ view }) => ({
    edits: [...new Set(view.map(({ exchange }) => exchange))].map((exchange) => ({
      type: 'drop' as const,
      messages: view.filter((entry) => entry.exchange === exchange).map(({ id }) => id),
      reason: 'all',
    })),
  }),
});

test('a call of the server and its result in another message leave together or not at all', async () => {
  const native = {
    messages: [
      go,
      { role: 'assistant' as const, content: [call, use] },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: 'a', content: 'A' }] },
      { role: 'assistant' as const, content: [answer, text('so')] },
      go,
      {
        role: 'assistant' as const,
        content: [{ ...call, id: 't' }, { ...answer, tool_use_id: 't' }, text('and so')],
      },
      go,
    ],
  };
  const { messages } = await compressMessages(anthropicCodec.toMessages(native), {
    strategy: dropAll,
    targetTokens: 0,
    config: { minMessagesToKeep: 1 },
  });
  const sent = anthropicCodec.fromMessages(messages);
  expect(sent.messages).toEqual([...native.messages.slice(1, 4), go]);
  expect(anthropicCodec.validate([go, ...sent.messages])).toEqual([]);
});

test('in one message they stay together, and the message is not pinned', () => {
  const content = [call, answer, use, text('so')];
  const [message] = anthropicCodec.toMessages({ messages: [{ role: 'assistant', content }] });
  expect(message?.pinned).toBeUndefined();
  expect(message?.content).toMatchObject([
    { type: 'opaque' },
    { type: 'opaque' },
    { type: 'tool-call' },
    { type: 'text' },
  ]);
});

const reference = { type: 'tool_reference', tool_name: 'read' };

test.each<[string, 'user' | 'assistant', object, boolean]>([
  [
    'found by a search of the server',
    'assistant',
    {
      type: 'tool_search_tool_result',
      tool_use_id: 's',
      content: { type: 'tool_search_tool_search_result', tool_references: [reference] },
    },
    true,
  ],
  [
    'not found by it',
    'assistant',
    {
      type: 'tool_search_tool_result',
      tool_use_id: 's',
      content: { type: 'tool_search_tool_result_error', error_code: 'unavailable' },
    },
    false,
  ],
  [
    'found by a search of the client',
    'user',
    { type: 'tool_result', tool_use_id: 'a', content: [reference] },
    true,
  ],
  [
    'listed by an MCP server',
    'assistant',
    { type: 'mcp_tool_listing', mcp_server_name: 'one', tools: [] },
    true,
  ],
])('tools that were %s stay: the model would not know them any more', (_, role, block, stays) => {
  const content = role === 'user' ? [block] : [call, block].slice('tool_use_id' in block ? 0 : 1);
  const [message] = anthropicCodec.toMessages({ messages: [{ role, content } as never] });
  expect(message?.pinned ?? false).toBe(stays);
});
