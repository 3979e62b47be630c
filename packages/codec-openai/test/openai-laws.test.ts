import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { testCodec } from '@ctx/testing';

const call = (id: string, name: string, json: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: json },
});

const fixtures: Record<string, ChatMessage[]> = {
  'plain text': [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'why?', name: 'ada' },
    { role: 'assistant', content: 'because' },
  ],
  'a developer and parts': [
    { role: 'developer', content: [{ type: 'text', text: 'be brief' }] } as ChatMessage,
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?', x_unknown: 1 },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
      ],
    } as ChatMessage,
  ],
  'parallel calls, null content and unparsable arguments': [
    { role: 'user', content: 'read both' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('a', 'read', '{"path":"a"}'), call('b', 'read', '{"path": ')],
      x_unknown: { kept: true },
    } as ChatMessage,
    { role: 'tool', tool_call_id: 'a', content: 'A', x_unknown: 2 } as ChatMessage,
    {
      role: 'tool',
      tool_call_id: 'b',
      content: [{ type: 'text', text: 'Error: bad arguments' }],
    } as ChatMessage,
    { role: 'assistant', content: 'done' },
  ],
  'ids that are used again, `__proto__` keys and lone surrogates': [
    { role: 'user', content: '\ud800' },
    { role: 'assistant', content: '', tool_calls: [call('a', 'read', '{"__proto__":{"x":1}}')] },
    { role: 'tool', tool_call_id: 'a', content: '' },
    { role: 'assistant', content: 'again', tool_calls: [call('a', 'read', '{}')] },
    { role: 'tool', tool_call_id: 'a', content: 'x'.repeat(1_000_000) },
  ],
  'a refusal and the old form of calls': [
    { role: 'user', content: 'do it' },
    { role: 'assistant', content: null, refusal: 'I would rather not' } as ChatMessage,
    { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{}' } } as ChatMessage,
    { role: 'function', name: 'run', content: 'ok' } as ChatMessage,
  ],
  'a message without content': [
    { role: 'user', content: '' },
    { role: 'assistant', content: null } as ChatMessage,
  ],
};

testCodec<ChatMessage[]>({
  name: 'openai',
  codec: openaiCodec,
  fixtures,
  nativesOf: (conversation) => conversation,
  refused: {
    'what is no list': { conversation: 'hi', place: 'messages' },
    'an unknown role': { conversation: [{ role: 'robot', content: 'hi' }], place: 'messages[0].role' },
    'a message that is null': { conversation: [null], place: 'messages[0]' },
    'a result without the id of its call': {
      conversation: [{ role: 'tool', content: 'x' }],
      place: 'messages[0].tool_call_id',
    },
  },
});
