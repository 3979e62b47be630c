import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { anyChat } from '@ctx/fuzz';
import { testCodec } from '@ctx/testing';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
const call = (id: string, name: string, json: string) => {
  return { id, type: 'function' as const, function: { name, arguments: json } };
};

/** Native messages may have fields that no type lists. */
const chat = (...messages: object[]) => messages as ChatMessage[];
const system = (content: unknown) => ({ role: 'system', content });
const user = (content: unknown, more = {}) => ({ role: 'user', content, ...more });
const assistant = (content: unknown, more = {}) => ({ role: 'assistant', content, ...more });
const result = (tool_call_id: string, content: unknown, more = {}) => {
  return { role: 'tool', tool_call_id, content, ...more };
};
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const ephemeral = { cache_control: { type: 'ephemeral' } };

const fixtures: Record<string, ChatMessage[]> = {
  'parallel calls, null content and unparsable arguments': chat(
    user('read both'),
    assistant(null, {
      tool_calls: [call('a', 'read', '{"path":"a"}'), call('b', 'read', '{"path": ')],
      x_unknown: { kept: true },
    }),
    result('a', 'A', { x_unknown: 2 }),
    result('b', [text('Error: bad arguments')]),
    assistant('done'),
  ),
  'reused ids, `__proto__` keys and lone surrogates': chat(
    user('\ud800'),
    assistant('', { tool_calls: [call('a', 'read', '{"__proto__":{"x":1}}')] }),
    result('a', ''),
    assistant('again', { tool_calls: [call('a', 'read', '{}')] }),
    result('a', 'x'.repeat(1_000_000)),
  ),
  'calls without ids, and two with the same': chat(
    user('read all'),
    assistant('', { tool_calls: [call('', 'read', '{"path":"a"}'), call('', 'read', '{"path":"b"}')] }),
    result('', 'A'),
    result('', 'B'),
    assistant(null, { tool_calls: [call('x', 'read', '{"path":"c"}'), call('x', 'list', '{"path":"d"}')] }),
    result('x', 'C'),
    result('x', 'D'),
    { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'read', arguments: '{}' } }] },
    { role: 'tool', content: 'E' },
  ),
  'messages without content': chat(
    system(''),
    user(''),
    user([]),
    user([text('')]),
    assistant(null),
    { role: 'assistant' },
    assistant('', { tool_calls: null }),
  ),
  'images, files, sound and unknown parts': chat(
    user([
      text('what is this?', ephemeral),
      { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' }, ...ephemeral },
      {
        type: 'file',
        file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a' },
        x_unknown: 1,
      },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      { type: 'hologram', x: 1 },
    ]),
    {
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'No.' },
        { type: 'text', text: 'But' },
      ],
    },
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    { role: 'assistant', content: 'Sorry', refusal: 'No.', annotations: [], tool_calls: [] },
  ),
  'arguments that are not an object': chat(
    user('go'),
    assistant('both', {
      tool_calls: [
        call('a', 'read', ''),
        call('b', 'read', '"text"'),
        call('c', 'read', 'null'),
        { ...call('d', 'read', '{ "a":1, "a" : 2.0 }'), index: 3 },
        call('__proto__', 'toString', '12345678901234567890'),
      ],
    }),
    ...['a', 'b', 'c', 'd', '__proto__'].map((id) => result(id, id, { name: 'read' })),
  ),
  'a result without a call': chat(result('x', 'who asked?', { name: 'read' }), user('hm')),
};

testCodec<ChatMessage[]>({
  name: 'openai',
  codec: openaiCodec,
  fixtures,
  nativesOf: (conversation) => conversation,
  conversations: anyChat,
  madeUpIds: /^unnamed-/,
  refused: {
    'a value that is not a list': at('messages', 'hi'),
    'an unknown role': at('messages[0].role', [{ role: 'robot', content: 'hi' }]),
    'a message that is null': at('messages[0]', [null]),
    'content that is a number': at('messages[0].content', [{ role: 'user', content: 5 }]),
    'a part that is a string': at('messages[0].content[0]', [{ role: 'user', content: ['x'] }]),
    'a part without a type': at('messages[0].content[0].type', chat({ role: 'user', content: [{}] })),
    'an image without a URL': at(
      'messages[0].content[0].image_url.url',
      chat({ role: 'user', content: [{ type: 'image_url', image_url: {} }] }),
    ),
    'a call without a name': at(
      'messages[0].tool_calls[0].function.name',
      chat({ role: 'assistant', tool_calls: [{ id: 'a', function: { arguments: '{}' } }] }),
    ),
    'arguments that are an object': at(
      'messages[0].tool_calls[0].function.arguments',
      chat({ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'a', arguments: {} } }] }),
    ),
    'a result without the id of its call': at('messages[0].tool_call_id', [{ role: 'tool', content: 'x' }]),
  },
});
