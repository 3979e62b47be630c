import { anthropicCodec, converseCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Codec, ToolResultPart } from '@ctx/core';
import { words } from '@ctx/testing';
import { contextFetch } from '../src/index.js';

/** What an agent has in the history of one turn: a call, its result, or something that the user says. */
type Said = { readonly call: string } | { readonly result: string; readonly text: string } | string;

type Body = Readonly<Record<string, unknown>>;

interface Api {
  readonly url: string;
  readonly list: string;
  readonly codec: Codec<never>;
  /** The conversation in a body. */
  nativeIn(body: Body): unknown;
  entry(said: Said): object;
}

const user = (text: string) => ({ role: 'user', content: text });
const messages = (said: Said, call: (id: string) => object, result: (id: string, text: string) => object) =>
  typeof said === 'string' ? user(said) : 'call' in said ? call(said.call) : result(said.result, said.text);

const apis: Record<string, Api> = {
  'Chat Completions': {
    url: 'https://api.openai.com/v1/chat/completions',
    list: 'messages',
    codec: openaiCodec as Codec<never>,
    nativeIn: ({ messages: list }) => list,
    entry: (said) =>
      messages(
        said,
        (id) => ({
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
        }),
        (id, content) => ({ role: 'tool', tool_call_id: id, content }),
      ),
  },
  Responses: {
    url: 'https://api.openai.com/v1/responses',
    list: 'input',
    codec: responsesCodec as Codec<never>,
    nativeIn: ({ input }) => input,
    entry: (said) =>
      messages(
        said,
        (id) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' }),
        (id, output) => ({ type: 'function_call_output', call_id: id, output }),
      ),
  },
  Anthropic: {
    url: 'https://api.anthropic.com/v1/messages',
    list: 'messages',
    codec: anthropicCodec as Codec<never>,
    nativeIn: ({ messages: list }) => ({ messages: list }),
    entry: (said) =>
      messages(
        said,
        (id) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] }),
        (id, text) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }),
      ),
  },
  Converse: {
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/some.model/converse',
    list: 'messages',
    codec: converseCodec as Codec<never>,
    nativeIn: ({ messages: list }) => ({ messages: list }),
    entry: (said) =>
      typeof said === 'string'
        ? { role: 'user', content: [{ text: said }] }
        : 'call' in said
          ? { role: 'assistant', content: [{ toolUse: { toolUseId: said.call, name: 'read', input: {} } }] }
          : {
              role: 'user',
              content: [{ toolResult: { toolUseId: said.result, content: [{ text: said.text }] } }],
            },
  },
  Google: {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
    list: 'contents',
    codec: googleCodec as Codec<never>,
    nativeIn: ({ contents }) => ({ contents }),
    entry: (said) =>
      typeof said === 'string'
        ? { role: 'user', parts: [{ text: said }] }
        : 'call' in said
          ? { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: said.call } } }] }
          : {
              role: 'user',
              parts: [{ functionResponse: { name: 'read', response: { output: said.text } } }],
            },
  },
};

const turns = (count: number, name: string): Said[] =>
  Array.from({ length: count }, (_, at): Said[] => [
    { call: `${name}${at}` },
    { result: `${name}${at}`, text: words(60, `${name}${at}`) },
  ]).flat();

const strays: Record<string, Said[]> = {
  'a result without its call': [
    'Do it.',
    ...turns(20, 'a'),
    { result: 'gone', text: 'odd' },
    ...turns(2, 'b'),
  ],
  'a result at the beginning': [{ result: 'gone', text: 'odd' }, 'Do it.', ...turns(20, 'a')],
  'a result that is there twice': ['Do it.', ...turns(20, 'a'), { result: 'a19', text: words(60, 'a19') }],
  'a result before its call': ['Do it.', ...turns(20, 'a'), { result: 'c', text: 'odd' }, { call: 'c' }],
  "a result later than the user's word": [
    'Do it.',
    ...turns(20, 'a'),
    { call: 'c' },
    'Wait.',
    { result: 'c', text: 'odd' },
  ],
};

const cases = Object.entries(apis).flatMap(([name, api]) =>
  Object.entries(strays).map(([stray, said]) => [stray, name, said, api] as const),
);

test.each(cases)(
  '%s (%s) is mended in what is sent, and the conversation is compressed',
  async (_, __, said, api) => {
    const warnings: string[] = [];
    let sent: Body = {};
    const fetch = contextFetch({
      config: { contextWindow: 1_500 },
      onWarning: ({ code }) => warnings.push(code),
      send: async (_input, init) => {
        sent = JSON.parse(String(init?.body));
        return new Response('{}');
      },
    });
    const list = said.map((one) => api.entry(one));
    const body = JSON.stringify({ model: 'some-model', [api.list]: list });
    await fetch(api.url, { method: 'POST', body, headers: { authorization: 'Bearer key' } });
    const native = api.nativeIn(sent) as never;
    expect(api.codec.validate(native)).toEqual([]);
    expect(JSON.stringify(sent).length).toBeLessThan(body.length * 0.6);
    expect(warnings.filter((code) => code !== 'manager-warning')).toEqual([]);
    const results = api.codec
      .toMessages(native)
      .flatMap(({ role, content }) => (role === 'tool' ? content : []) as readonly ToolResultPart[]);
    expect(results.length).toBeGreaterThan(0);
    // What the model has not read yet is there in any case.
    expect(said.slice(-3).some((one) => typeof one === 'object' && 'text' in one && one.text === 'odd')).toBe(
      JSON.stringify(results).includes('odd'),
    );
  },
);

/** A small window, with the body that was sent last and the codes of all warnings. */
function watched() {
  const seen = { sent: '', warnings: [] as string[] };
  const fetch = contextFetch({
    config: { contextWindow: 1_500 },
    onWarning: ({ code }) => seen.warnings.push(code),
    send: async (_input, init) => {
      seen.sent = String(init?.body);
      return new Response('{}');
    },
  });
  return { fetch, seen };
}

test.each(['Chat Completions', 'Responses'])('calls without ids (%s) are managed', async (name) => {
  const { url, list, entry } = apis[name] as Api;
  const { fetch, seen } = watched();
  const said = turns(20, 'a').map((one) =>
    typeof one === 'string' ? one : 'call' in one ? { call: '' } : { ...one, result: '' },
  );
  const body = JSON.stringify({ model: 'some-model', [list]: ['Do it.', ...said].map(entry) });
  await fetch(url, { method: 'POST', body, headers: { authorization: 'Bearer key' } });
  expect(seen.sent.length).toBeLessThan(body.length * 0.6);
  expect(seen.sent).not.toContain('unnamed');
  expect(seen.warnings.filter((code) => code !== 'manager-warning')).toEqual([]);
});

test.each<[string, object[]]>([
  [
    'the URL of an image alone',
    [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://x.y/z.png' }] }],
  ],
  ...[undefined, null, ''].map((given): [string, object[]] => [
    `a call with the arguments ${given}`,
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'list', arguments: given } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
    ],
  ]),
])('%s is no reason to send everything', async (_, odd) => {
  const { url, entry } = apis['Chat Completions'] as Api;
  const { fetch, seen } = watched();
  const messages = [...['Do it.', ...turns(20, 'a')].map(entry), ...odd, { role: 'user', content: 'Go on.' }];
  const body = JSON.stringify({ model: 'some-model', messages });
  await fetch(url, { method: 'POST', body });
  expect(seen.sent.length).toBeLessThan(body.length * 0.6);
  expect(seen.sent).toContain(JSON.stringify(odd).slice(1, -1));
  expect(seen.warnings.filter((code) => code !== 'manager-warning')).toEqual([]);
});
