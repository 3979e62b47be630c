import { testCodec, unique } from '@ctx/testing';
import type { AgentInputItem, ModelInputData } from '@openai/agents';
import fc from 'fast-check';
import { agentsCodec } from '../src/agents-codec.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const user = (content: unknown) => ({ type: 'message', role: 'user', content });
const said = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
  ...more,
});
const call = (callId: string, more: object = {}) => ({
  type: 'function_call',
  callId,
  name: 'read',
  arguments: `{"path":"${callId}.ts"}`,
  status: 'completed',
  ...more,
});
const result = (callId: string, output: unknown = `lines of ${callId}`) => ({
  type: 'function_call_result',
  callId,
  name: 'read',
  status: 'completed',
  output,
});
const thought = (id: string) => ({
  type: 'reasoning',
  id,
  content: [{ type: 'input_text', text: `thinking ${id}` }],
  providerData: { encrypted_content: unique },
});
const given = (...items: object[]): ModelInputData => ({ input: items as AgentInputItem[] });

testCodec<ModelInputData>({
  name: 'the Agents SDK',
  codec: agentsCodec,
  nativesOf: ({ input }) => input,
  /** The API reads an id only to find the reasoning that an item needs. */
  blocksOf: ({ input }) => input.flatMap(blocksOf),
  fixtures: {
    'calls with their results': given(
      { role: 'user', content: 'Read both files.' },
      said('I read them.', { id: 'm1', providerData: { phase: 'commentary' } }),
      call('a', { id: 'fc1', namespace: 'files' }),
      call('b'),
      result('a'),
      result('b', [{ type: 'input_text', text: 'lines of b' }]),
      said('Done.'),
    ),
    'a system message': given(
      { role: 'system', content: 'It is Monday.' },
      user('What day is it?'),
      said('Monday.'),
    ),
    reasoning: given(
      user('Why?'),
      thought('r1'),
      call('a', { id: 'fc1' }),
      result('a'),
      thought('r2'),
      said('So.', { id: 'm' }),
    ),
    'images and files': given(
      user([
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image: pixel, detail: 'low' },
        { type: 'input_image', image: { id: 'file-1' } },
        { type: 'input_file', file: { url: 'https://example.com/a.pdf' }, filename: 'a.pdf' },
        { type: 'input_file', file: { id: 'file-2' } },
        { type: 'audio', audio: 'UklGRg==', format: 'wav' },
      ]),
      said('A picture.'),
    ),
    'results of every form': given(
      user('Read.'),
      call('a'),
      result('a', { type: 'text', text: 'lines', providerData: { kept: 1 } }),
      call('b'),
      result('b', { type: 'image', image: { url: 'https://example.com/a.png' } }),
      call('c'),
      result('c', [
        { type: 'input_image', image: pixel },
        { type: 'input_text', text: 'a picture' },
      ]),
    ),
    'a shell, a patch and a computer': given(
      user('Fix it.'),
      { type: 'shell_call', callId: 's', action: { commands: ['ls'] }, status: 'completed' },
      {
        type: 'shell_call_output',
        callId: 's',
        output: [{ stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
      },
      {
        type: 'apply_patch_call',
        callId: 'p',
        status: 'completed',
        operation: { type: 'update_file', path: 'a.ts', diff: '-a\n+b' },
      },
      { type: 'apply_patch_call_output', callId: 'p', status: 'completed', output: 'patched' },
      { type: 'computer_call', callId: 'c', status: 'completed', action: { type: 'screenshot' } },
      { type: 'computer_call_result', callId: 'c', output: { type: 'computer_screenshot', data: pixel } },
    ),
    'what the provider runs, and what nobody knows': given(
      user('Search.'),
      {
        type: 'hosted_tool_call',
        id: 'w',
        name: 'web_search_call',
        status: 'completed',
        providerData: { type: 'web_search_call' },
      },
      said('Found.'),
      { type: 'tool_search_call', id: 't', arguments: { query: 'files' }, status: 'completed' },
      { type: 'unknown', providerData: { type: 'of tomorrow' } },
      { type: 'compaction', encrypted_content: 'sealed' },
      user('Go on.'),
    ),
  },
  refused: {
    'what is no conversation': { conversation: null, place: 'conversation' },
    'no list of items': { conversation: { input: {} }, place: 'input' },
    'what is no item': { conversation: { input: [null] }, place: 'input[0]' },
    'an item without a type': { conversation: { input: [{ callId: 'a' }] }, place: 'input[0].type' },
    'a call without a name': {
      conversation: { input: [{ type: 'function_call', callId: 'a', arguments: '{}' }] },
      place: 'input[0].name',
    },
  },
  conversations: fc
    .array(
      fc.oneof(
        fc.string({ minLength: 1 }).map((text) => (): object[] => [user(`${text} ${unique}`), said(unique)]),
        fc.boolean().map((isThought) => (id: string): object[] => [
          ...(isThought ? [thought(`r${id}`)] : []),
          call(`a${id}`, { id: `fc${id}` }),
          call(`b${id}`),
          result(`a${id}`, unique),
          result(`b${id}`, [{ type: 'input_text', text: unique }]),
        ]),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((rounds) => given(user(unique), ...rounds.flatMap((round, at) => round(String(at))))),
});

function blocksOf(item: AgentInputItem): unknown[] {
  if ('content' in item && item.type !== 'reasoning')
    return Array.isArray(item.content) ? item.content : [item.content];
  const { id: _id, ...rest } = item;
  return [JSON.stringify(rest)];
}

test('instructions are a system message that comes back', () => {
  const data = { instructions: 'Be careful.', ...given(user('Hi')) };
  const messages = agentsCodec.toMessages(data);
  expect(messages[0]).toMatchObject({ role: 'system', content: 'Be careful.' });
  expect(agentsCodec.fromMessages(messages)).toEqual(data);
  expect(agentsCodec.fromMessages(JSON.parse(JSON.stringify(messages)))).toEqual(data);
  expect(agentsCodec.losses(messages)).toEqual([]);
});

test('validate knows the rules of the Responses API', () => {
  expect(agentsCodec.validate(given(user('Hi'), call('a'))).map(({ rule }) => rule)).toEqual([
    'call-has-output',
  ]);
  expect(agentsCodec.validate(given(user('Hi'), call('a'), result('a')))).toEqual([]);
});
