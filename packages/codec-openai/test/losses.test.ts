import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { carriedLosses } from '@ctx/core';

test.each([
  ['{"n":12345678901234567890}', 1],
  ['{"n":1e999}', 1],
  ['{"n":1e-999}', 1],
  ['{"a":1,"a":2}', 1],
  ['{"n":9007199254740991,"a":0.1,"b":-2.50,"c":"1\\"e999"}', 0],
  ['{"a": ', 0],
])('arguments that parsing changes are carried: %s', (text, count) => {
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: text } };
  const [message] = openaiCodec.toMessages([{ role: 'assistant', tool_calls: [call] } as ChatMessage]);
  const lost = message === undefined ? [] : carriedLosses(message, 0, 'anthropic');
  expect(lost).toEqual(
    Array.from({ length: count }, () => ({
      index: 0,
      place: 'tool_calls[0].function.arguments',
      what: 'arguments',
    })),
  );
});
