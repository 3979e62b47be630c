import { langchainCodec } from '@ctx/codec-langchain';
import { testCodec } from '@ctx/testing';
import type { BaseMessage } from '@langchain/core/messages';
import type fc from 'fast-check';
import { anyLangChain } from './any-conversation.js';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
/** The laws copy and freeze their fixtures, so that these are the fields of messages; objects of the classes have tests of their own. */
const chat = (...messages: object[]) => messages as BaseMessage[];
const ephemeral = { cache_control: { type: 'ephemeral' } };
const png = 'iVBORw0KGgo=';
const call = (id: string, args: unknown = { path: 'a' }) => ({ id, name: 'read', args, type: 'tool_call' });
const block = (id: string, input: unknown = { path: 'a' }) => ({ id, name: 'read', input, type: 'tool_use' });

const point = { cachePoint: { type: 'default' } };

const fixtures: Record<string, BaseMessage[]> = {
  'cache points of Bedrock': chat(
    { type: 'system', content: [{ type: 'text', text: 'be kind' }, point] },
    { type: 'human', content: [{ type: 'text', text: 'why?' }, point, { type: 'text', text: 'Say it.' }] },
    { type: 'ai', content: '', tool_calls: [call('c1')] },
    { type: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'A' }, point] },
  ),
  'blocks of every kind': chat(
    { type: 'system', content: [{ type: 'text', text: 'be brief', ...ephemeral }] },
    {
      type: 'human',
      content: [
        { type: 'text', text: 'what is this?', x_unknown: 1 },
        { type: 'image', url: 'https://example.org/a.png', ...ephemeral },
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'image', source_type: 'base64', data: png, mime_type: 'image/png' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png }, ...ephemeral },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'low' } },
        { type: 'image_url', image_url: 'https://example.org/a.png' },
        { type: 'file', data: 'JVBERi0=', mimeType: 'application/pdf', metadata: { filename: 'a.pdf' } },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
        { type: 'text-plain', text: 'a document', title: 'a' },
        { type: 'file', source_type: 'text', text: 'another', ...ephemeral },
        { type: 'file', fileId: 'f' },
        { type: 'hologram', x: 1 },
      ],
    },
    {
      type: 'ai',
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'c2ln' },
        { type: 'text', text: 'a picture', ...ephemeral },
        { type: 'server_tool_call', id: 's', name: 'search', args: {} },
        { type: 'server_tool_call_result', toolCallId: 's', status: 'success', output: {} },
      ],
    },
  ),
  'calls and results': chat(
    { type: 'human', content: 'read both' },
    {
      type: 'ai',
      content: '',
      tool_calls: [call('a'), call('b', { ['__proto__']: 1 }), { ...call('c'), x_unknown: 1 }],
    },
    { type: 'tool', tool_call_id: 'a', name: 'read', content: 'A', artifact: { rows: [1] } },
    { type: 'tool', tool_call_id: 'b', content: 'no such file', status: 'error' },
    {
      type: 'tool',
      tool_call_id: 'c',
      content: [
        { type: 'text', text: 'here', ...ephemeral },
        { type: 'image', data: png, mimeType: 'image/png' },
      ],
    },
    { type: 'ai', content: [{ type: 'text', text: 'again' }], tool_calls: [call('a')] },
    { type: 'tool', tool_call_id: 'a', content: 'x'.repeat(1_000_000) },
  ),
  'calls without ids, and two with the same': chat(
    { type: 'human', content: 'read all' },
    { type: 'ai', content: '', tool_calls: [call(''), call('', { path: 'b' })] },
    { type: 'tool', tool_call_id: '', name: 'read', content: 'A' },
    { type: 'tool', tool_call_id: '', name: 'read', content: 'B' },
    { type: 'ai', content: '', tool_calls: [call('x'), call('x', { path: 'd' })] },
    { type: 'tool', tool_call_id: 'x', name: 'read', content: 'C' },
    { type: 'tool', tool_call_id: 'x', name: 'read', content: 'D' },
    { type: 'ai', content: '', tool_calls: [call('', { path: 'e' })] },
    { type: 'tool', tool_call_id: '', name: 'read', content: 'E' },
  ),
  'calls without ids in blocks': chat(
    { type: 'human', content: 'read all' },
    { type: 'ai', content: [block(''), block('', { path: 'b' })], tool_calls: [] },
    { type: 'tool', tool_call_id: '', name: 'read', content: 'A' },
    { type: 'tool', tool_call_id: '', name: 'read', content: 'B' },
  ),
  'calls that could not be read': chat(
    { type: 'human', content: 'do it' },
    {
      type: 'ai',
      content: '',
      invalid_tool_calls: [{ id: 'a', name: 'run', args: '{"a":', error: 'no JSON' }],
    },
  ),
  'messages without content': chat(
    { type: 'system', content: '' },
    { type: 'human', content: '' },
    { type: 'human', content: [] },
    { type: 'human', content: [{ type: 'text', text: '' }] },
    { type: 'ai', content: '', tool_calls: [] },
    { type: 'ai', content: '\ud800' },
  ),
  'a result without a call': chat(
    { type: 'tool', tool_call_id: 'x', content: 'who asked?' },
    { type: 'human', content: 'hm' },
  ),
};

testCodec<BaseMessage[]>({
  name: 'langchain',
  codec: langchainCodec,
  fixtures,
  nativesOf: (conversation) => conversation,
  madeUpIds: /^unnamed-/,
  blocksOf: (conversation) =>
    conversation.flatMap(({ type, content }): unknown[] =>
      typeof content === 'string' ? [[type, content]] : content.map((block) => [type, block]),
    ),
  conversations: anyLangChain as unknown as fc.Arbitrary<BaseMessage[]>,
  refused: {
    'a value that is not a list': at('messages', 'hi'),
    'an unknown type': at('messages[0].type', [{ type: 'robot', content: 'hi' }]),
    'an order to remove a message': at('messages[0].type', [{ type: 'remove', id: 'h1', content: [] }]),
    'a message that is null': at('messages[0]', [null]),
    'a text': at('messages[0]', ['hi']),
    'content that is a number': at('messages[0].content', [{ type: 'human', content: 5 }]),
    'a block that is a string': at('messages[0].content[0]', [{ type: 'human', content: ['x'] }]),
    'a block without a type': at('messages[0].content[0].type', [{ type: 'human', content: [{}] }]),
    'a call without an id': at('messages[0].tool_calls[0].id', [
      { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {} }] },
    ]),
    'a result without the id of its call': at('messages[0].tool_call_id', [{ type: 'tool', content: 'x' }]),
  },
});
