import { type GoogleConversation, googleCodec } from '@ctx/codec-google';
import { anyContents } from '@ctx/fuzz';
import { testCodec } from '@ctx/testing';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
const conversation = (contents: unknown[], systemInstruction?: unknown) =>
  ({ ...(systemInstruction !== undefined && { systemInstruction }), contents }) as GoogleConversation;
const user = (...parts: unknown[]) => ({ role: 'user', parts: parts.map(textOr) });
const model = (...parts: unknown[]) => ({ role: 'model', parts: parts.map(textOr) });
const textOr = (part: unknown) => (typeof part === 'string' ? { text: part } : part);
const call = (name: string, args: unknown = {}, more = {}) => ({ functionCall: { name, args }, ...more });
const answer = (name: string, response: unknown, more = {}) => ({
  functionResponse: { name, response, ...more },
});
const signed = { thoughtSignature: 'c2ln' };
const png = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };

const fixtures: Record<string, GoogleConversation> = {
  'a system instruction that is a content': conversation([user('why?')], {
    role: 'system',
    parts: [{ text: 'be kind' }, { text: 'be brief', x_unknown: 1 }, png],
  }),
  'thoughts, and signatures on texts and calls': conversation([
    user('go'),
    model(
      { text: 'first a', thought: true, ...signed },
      { text: '', thought: true, ...signed },
      { text: 'reading', ...signed, x_unknown: 1 },
      call('read', { path: 'a' }, signed),
      call('read', { path: 'b' }),
    ),
    user(answer('read', { output: 'A' }), answer('read', { output: 'B' })),
    model('done', { text: '', ...signed }),
    user('thanks'),
  ]),
  'calls with ids, answered in another order': conversation([
    user('go'),
    model({ functionCall: { id: '1', name: 'read', args: {} } }, { functionCall: { id: '2', name: 'read' } }),
    user(
      { functionResponse: { id: '2', name: 'read', response: { output: 'two' } } },
      { functionResponse: { id: '1', name: 'read', response: { output: 'one' } } },
    ),
    model('both read'),
  ]),
  'responses of the role function, and a content without a role': conversation([
    { parts: [{ text: 'go' }] },
    model(call('read')),
    { role: 'function', parts: [answer('read', { output: 'A' })], x_unknown: 1 },
    model('done'),
  ]),
  'responses and the user’s words in one content': conversation([
    user('read both'),
    model(call('read', { path: 'a' }), call('grep')),
    user(answer('read', { output: 'A' }), 'stop after this', answer('grep', { output: 'B' })),
    model('stopped'),
  ]),
  'media and files': conversation([
    user(
      { ...png, x_unknown: 1 },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=', displayName: 'spec.pdf' } },
      { inlineData: { mimeType: 'video/mp4', data: 'AAAA' }, videoMetadata: { fps: 1 } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://example.org/a.png' } },
      { fileData: { mimeType: 'text/plain', fileUri: 'gs://b/a.txt', displayName: 'a' } },
      { fileData: { fileUri: 'gs://b/unknown' } },
      'what is this?',
    ),
    model({ ...png, ...signed }, 'a cat'),
  ]),
  'contents that say nothing': conversation([
    user(''),
    { role: 'model' },
    { role: 'user', parts: [] },
    model({ text: '', ...signed }),
    model(''),
  ]),
  'parts at the wrong place': conversation([
    user('go', call('x'), { text: 'a user thinks', thought: true }),
    model(call('a'), answer('x', { output: 'from nobody' })),
    user(answer('b', { output: 'B' })),
    user({ text: 'two kinds', ...png }),
  ]),
  'long texts, `__proto__` keys and broken surrogates': conversation([
    user('x'.repeat(1_000_000)),
    model(call('read', JSON.parse('{"__proto__":{"x":1}}'))),
    user(answer('read', JSON.parse('{"__proto__":{"x":1},"text":"\\udc00"}'))),
  ]),
  'calls without ids, of which those of one name are answered before another': conversation([
    user('go'),
    model(call('read'), call('grep'), call('read')),
    user(
      answer('read', { output: 'first' }),
      answer('read', { output: 'second' }),
      answer('grep', { output: 'found' }),
    ),
    model(call('read')),
    user(answer('read', { output: 'third' })),
  ]),
  'an empty conversation': conversation([]),
};

testCodec<GoogleConversation>({
  name: 'google',
  codec: googleCodec,
  fixtures,
  conversations: anyContents,
  nativesOf: ({ systemInstruction, contents }) => [
    ...(systemInstruction === undefined ? [] : [systemInstruction]),
    ...contents,
  ],
  blocksOf: ({ systemInstruction, contents }) => [
    ['system', systemInstruction],
    ...contents.flatMap(({ role, parts }): unknown[] => (parts ?? []).map((part) => [role, part])),
  ],
  keptFields: ['thoughtSignature', 'x_unknown'],
  madeUpIds: /^unnamed_/,
  refused: {
    'a value that is not a conversation': at('conversation', 'hi'),
    'contents that are not a list': at('contents', { contents: 'hi' }),
    'a content that is null': at('contents[0]', conversation([null])),
    'a role that is no role': at('contents[0].role', conversation([{ role: 'assistant', parts: [] }])),
    'parts that are not a list': at('contents[0].parts', conversation([{ role: 'user', parts: 'hi' }])),
    'a part that is a string': at('contents[0].parts[0]', conversation([{ role: 'user', parts: ['hi'] }])),
    'a text that is a number': at(
      'contents[0].parts[0].text',
      conversation([{ role: 'user', parts: [{ text: 1 }] }]),
    ),
    'a call without a name': at(
      'contents[0].parts[0].functionCall.name',
      conversation([model({ functionCall: { args: {} } })]),
    ),
    'a response without a name': at(
      'contents[0].parts[0].functionResponse.name',
      conversation([user({ functionResponse: { response: {} } })]),
    ),
    'parts of a response that are not a list': at(
      'contents[0].parts[0].functionResponse.parts',
      conversation([user(answer('a', {}, { parts: {} }))]),
    ),
    'a system instruction that is a number': at('systemInstruction', conversation([], 1)),
  },
});
