import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { deepFreeze } from '@ctx/testing';

const native = deepFreeze([
  { role: 'user', content: 'run it', timestamp: '2026-01-31T02:50:00.000Z' },
  {
    role: 'assistant',
    content: null,
    timestamp: 1_769_827_801_000,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'terminal-execute', arguments: '{}' } }],
  },
  {
    role: 'tool',
    tool_call_id: 'a',
    content: 'no such file',
    messageStatus: 'error',
    timestamp: 'yesterday',
  },
  { role: 'assistant', content: 'It failed.', timestamp: -1 },
]) as unknown as ChatMessage[];

test('a timestamp in ms or ISO 8601 becomes the time of the message, and any other value does not', () => {
  const times = openaiCodec.toMessages(native).map(({ createdAt }) => createdAt);
  expect(times).toEqual([Date.parse('2026-01-31T02:50:00.000Z'), 1_769_827_801_000, undefined, undefined]);
});

test('a message whose status is an error is a failed result', () => {
  const [, , result] = openaiCodec.toMessages(native);
  expect(result?.content).toMatchObject([{ type: 'tool-result', isError: true, output: 'no such file' }]);
});
