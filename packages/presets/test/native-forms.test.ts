import type { Message } from '@ctx/core';
import { arbitraryTranscript } from '@ctx/testing';
import fc from 'fast-check';
import { createContextManager } from '../src/index.js';

const append = (message: unknown) => createContextManager({ model: 'gpt-5' }).append(message as Message);

test.each<[string, unknown]>([
  [
    'openaiCodec',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ],
  ['openaiCodec', { role: 'assistant', content: 'I look', tool_calls: [] }],
  ['openaiCodec', { role: 'tool', tool_call_id: 'a', content: 'found' }],
  ['openaiCodec', { role: 'developer', content: 'Be brief.' }],
  [
    'openaiCodec',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
  ],
  ['responsesCodec', { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }],
  ['responsesCodec', { role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
  ['anthropicCodec', { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }],
  ['anthropicCodec', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] }],
  ['googleCodec', { role: 'user', parts: [{ text: 'hi' }] }],
  ['modelMessageCodec', { id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  ['langchainCodec', { _getType: () => 'human', content: 'hi' }],
])(
  'a message in a form that is read by %s is refused, and the error says by what it is read',
  (codec, message) => {
    expect(() => append(message)).toThrow(codec);
  },
);

test('no message of core is taken for another one', () => {
  fc.assert(
    fc.property(arbitraryTranscript, (messages) => {
      const manager = createContextManager({ model: 'gpt-5' });
      for (const message of messages) manager.append(message);
    }),
  );
});

test('what is no message at all is refused as such', () => {
  for (const value of [null, 17, 'hi', [], {}]) expect(() => append(value)).toThrow('form of a message');
});
