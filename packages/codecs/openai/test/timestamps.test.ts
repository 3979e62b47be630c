import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';

test('a timestamp in ms or ISO 8601 becomes the time of the message, and any other value does not', () => {
  const said = ['2026-01-31T02:50:00.000Z', 1_769_827_801_000, 'yesterday', -1];
  const native = said.map((timestamp) => ({ role: 'user', content: 'run it', timestamp }) as ChatMessage);
  const times = openaiCodec.toMessages(native).map(({ createdAt }) => createdAt);
  expect(times).toEqual([Date.parse('2026-01-31T02:50:00.000Z'), 1_769_827_801_000, undefined, undefined]);
});

test('a message whose status is an error is a failed result', () => {
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }];
  const failed = { role: 'tool', tool_call_id: 'a', content: 'no such file', messageStatus: 'error' };
  const native = [{ role: 'assistant', content: null, tool_calls }, failed] as ChatMessage[];
  const [, result] = openaiCodec.toMessages(native);
  expect(result?.content).toMatchObject([{ type: 'tool-result', isError: true, output: 'no such file' }]);
});
