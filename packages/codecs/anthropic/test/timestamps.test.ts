import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { deepFreeze } from '@ctx/testing';

test('a timestamp becomes the time of each message that a native one stands for, and comes back as it was', () => {
  const timestamp = '2026-01-31T02:50:00.000Z';
  const conversation = deepFreeze({
    system: 'be kind',
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }], timestamp: 5 },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'done' },
          { type: 'text', text: 'go on' },
        ],
        timestamp,
      },
    ],
  }) as unknown as AnthropicConversation;
  const messages = anthropicCodec.toMessages(conversation);
  expect(messages.map(({ role, createdAt }) => [role, createdAt])).toEqual([
    ['system', undefined],
    ['assistant', 5],
    ['tool', Date.parse(timestamp)],
    ['user', Date.parse(timestamp)],
  ]);
  expect(anthropicCodec.fromMessages(messages).messages[1]).toBe(conversation.messages[1]);
});
