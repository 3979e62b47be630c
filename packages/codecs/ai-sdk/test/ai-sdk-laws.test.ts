import {
  type AnyModelMessage,
  type AnyPromptMessage,
  modelMessageCodec,
  promptCodec,
  promptCodecFor,
} from '@ctx/codec-ai-sdk';
import { testCodec } from '@ctx/testing';
import type fc from 'fast-check';
import { anyBarePrompt, anyModelMessages, anyTaggedPrompt } from './any-conversation.js';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
/** Native messages may have fields that no type lists. */
const chat = (...messages: object[]) => messages as AnyModelMessage[];
const png = 'iVBORw0KGgo=';
const ephemeral = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
const call = (toolCallId: string, input: unknown, more: object = {}) => {
  return { type: 'tool-call', toolCallId, toolName: 'read', input, ...more };
};
const result = (toolCallId: string, output: object, more: object = {}) => {
  return { type: 'tool-result', toolCallId, toolName: 'read', output, ...more };
};
const text = (value: string) => ({ type: 'text', value });

const shared: Record<string, AnyModelMessage[]> = {
  'calls with every output that says one thing': chat(
    { role: 'user', content: [{ type: 'text', text: 'read them' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } },
        {
          type: 'reasoning',
          text: '',
          providerOptions: { openai: { itemId: 'rs', reasoningEncryptedContent: 'ZW5j' } },
        },
        { type: 'text', text: 'I will', ...ephemeral },
        call('a', { path: 'a' }, ephemeral),
        call('b', { path: 'b' }),
        call('c', 'no object'),
        call('d', null),
        call('__proto__', { ['__proto__']: 1 }),
      ],
      ...ephemeral,
    },
    {
      role: 'tool',
      content: [result('a', text('A'), ephemeral), result('b', { type: 'json', value: { b: [1] } })],
    },
    {
      role: 'tool',
      content: [result('c', { type: 'error-text', value: 'no' }, { x_unknown: 1 })],
      ...ephemeral,
    },
    {
      role: 'tool',
      content: [
        result('d', { type: 'error-json', value: { code: 5 }, ...ephemeral }),
        result('__proto__', { type: 'execution-denied', reason: 'not now' }),
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ),
  'calls without ids, and two with the same': chat(
    { role: 'user', content: [{ type: 'text', text: 'read all' }] },
    { role: 'assistant', content: [call('', { path: 'a' }), call('', { path: 'b' })] },
    { role: 'tool', content: [result('', text('A')), result('', text('B'))] },
    { role: 'assistant', content: [call('x', { path: 'c' }), call('x', { path: 'd' })] },
    { role: 'tool', content: [result('x', text('C'))] },
    { role: 'tool', content: [result('x', text('D'))] },
    { role: 'assistant', content: [call('', { path: 'e' })] },
    { role: 'tool', content: [result('', text('E'))] },
  ),
  'reused ids and lone surrogates': chat(
    { role: 'user', content: [{ type: 'text', text: '\ud800' }] },
    { role: 'assistant', content: [call('a', {})] },
    { role: 'tool', content: [result('a', text(''))] },
    { role: 'assistant', content: [call('a', {})] },
    { role: 'tool', content: [result('a', text('x'.repeat(1_000_000)))] },
  ),
  'a result without a call': chat(
    { role: 'tool', content: [result('a', text('who asked?'))] },
    { role: 'user', content: [{ type: 'text', text: 'hm' }] },
  ),
};

/** Bytes are text in what `structuredClone` and JSON make of them, so that they have tests of their own. */
const messageFixtures: Record<string, AnyModelMessage[]> = {
  ...shared,
  'messages without content': chat(
    { role: 'system', content: '' },
    { role: 'user', content: '' },
    { role: 'user', content: [] },
    { role: 'user', content: [{ type: 'text', text: '' }] },
    { role: 'assistant', content: '' },
  ),
  'images, files and unknown parts': chat(
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?', ...ephemeral },
        { type: 'image', image: png, mediaType: 'image/png', ...ephemeral },
        { type: 'image', image: `data:image/png;base64,${png}` },
        { type: 'image', image: 'https://example.org/a.png', x_unknown: 1 },
        { type: 'image', image: { openai: 'file-1' } },
        { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf', ...ephemeral },
        { type: 'file', data: { type: 'data', data: 'JVBERi0=' }, mediaType: 'application/pdf' },
        { type: 'file', data: { type: 'text', text: 'a document' }, mediaType: 'text/plain', ...ephemeral },
        {
          type: 'file',
          data: { type: 'reference', reference: { openai: 'f' } },
          mediaType: 'application/pdf',
        },
        { type: 'file', data: png, mediaType: 'image/png', filename: 'a.png' },
        { type: 'hologram', x: 1 },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'file', data: png, mediaType: 'image/png' },
        { type: 'reasoning-file', data: { type: 'data', data: png }, mediaType: 'image/png' },
        { type: 'custom', kind: 'openai.compaction', ...ephemeral },
        { type: 'text', text: 'a picture' },
      ],
    },
  ),
};

const promptFixtures = (...files: object[]): Record<string, AnyPromptMessage[]> => ({
  ...(shared as Record<string, AnyPromptMessage[]>),
  'a system prompt and files': [
    { role: 'system', content: 'be kind', ...ephemeral },
    { role: 'user', content: [{ type: 'text', text: 'what is this?' }, ...files] },
    { role: 'assistant', content: [{ type: 'text', text: 'a picture' }] },
  ] as AnyPromptMessage[],
});

const refused = {
  'a value that is not a list': at('messages', 'hi'),
  'an unknown role': at('messages[0].role', [{ role: 'robot', content: 'hi' }]),
  'a message that is null': at('messages[0]', [null]),
  'content that is a number': at('messages[0].content', [{ role: 'user', content: 5 }]),
  'a system message of parts': at('messages[0].content', [{ role: 'system', content: [] }]),
  'a tool message of text': at('messages[0].content', [{ role: 'tool', content: 'x' }]),
  'a tool message without a result, alone': at('messages[0].content', [{ role: 'tool', content: [] }]),
  'a part that is a string': at('messages[0].content[0]', [{ role: 'user', content: ['x'] }]),
  'a part without a type': at('messages[0].content[0].type', [{ role: 'user', content: [{}] }]),
  'a call without a name': at('messages[0].content[0].toolName', [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', input: {} }] },
  ]),
  'an output that is a bare text': at('messages[0].content[0].output', [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'a', output: 'x' }] },
  ]),
  'content of an output that is no list': at('messages[0].content[0].output.value', [
    { role: 'tool', content: [result('a', { type: 'content', value: 'x' })] },
  ]),
};

/** Pairs of role and part. */
const blocksOf = (conversation: readonly (AnyModelMessage | AnyPromptMessage)[]): unknown[] =>
  conversation.flatMap(({ role, content }): unknown[] =>
    typeof content === 'string' ? [[role, content]] : content.map((part) => [role, part]),
  );

const forms = { madeUpIds: /^unnamed-/, refused, keptFields: ['providerOptions', 'x_unknown'], blocksOf };

testCodec<AnyModelMessage[]>({
  ...forms,
  name: 'ai-sdk',
  codec: modelMessageCodec,
  fixtures: messageFixtures,
  nativesOf: (conversation) => conversation,
  conversations: anyModelMessages as unknown as fc.Arbitrary<AnyModelMessage[]>,
});

const pdf = { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf', ...ephemeral };
const bare = [pdf, { type: 'file', data: png, mediaType: 'image/png' }];
const tagged = [
  { ...pdf, data: { type: 'data', data: 'JVBERi0=' } },
  { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/*', x_unknown: 1 },
  { type: 'file', data: { type: 'text', text: 'a document' }, mediaType: 'text/plain' },
];

testCodec<AnyPromptMessage[]>({
  ...forms,
  name: 'ai-sdk prompts v3',
  codec: promptCodec,
  fixtures: promptFixtures(...bare),
  nativesOf: (conversation) => conversation,
  conversations: anyBarePrompt as unknown as fc.Arbitrary<AnyPromptMessage[]>,
});

testCodec<AnyPromptMessage[]>({
  ...forms,
  name: 'ai-sdk prompts v4',
  codec: promptCodecFor('v4'),
  fixtures: promptFixtures(...tagged),
  nativesOf: (conversation) => conversation,
  conversations: anyTaggedPrompt as unknown as fc.Arbitrary<AnyPromptMessage[]>,
});
