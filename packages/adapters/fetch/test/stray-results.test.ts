import { anthropicCodec, converseCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Codec, Message, ToolResultPart } from '@ctx/core';
import { call, user, words } from '@ctx/testing';
import { codesOf, watchedFetch } from './watched-fetch.js';

interface Api {
  readonly url: string;
  /** Where the conversation is in a body. */
  readonly list?: string;
  readonly codec: unknown;
}

const apis: Record<string, Api> = {
  'Chat Completions': { url: 'api.openai.com/v1/chat/completions', codec: openaiCodec },
  Responses: { url: 'api.openai.com/v1/responses', list: 'input', codec: responsesCodec },
  Anthropic: { url: 'api.anthropic.com/v1/messages', codec: anthropicCodec },
  Converse: { url: 'bedrock-runtime.us-east-1.amazonaws.com/model/a.b/converse', codec: converseCodec },
  Google: {
    url: 'generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
    list: 'contents',
    codec: googleCodec,
  },
};
const listIn = (body: object, { list = 'messages' }: Api) => (body as Record<string, object[]>)[list] ?? [];

/** Each message as an agent writes it that knows nothing of the others, to Gemini without ids. */
function written(api: Api, said: readonly Message[]): object[] {
  return said.flatMap((one) => {
    const native = (api.codec as Codec<object>).fromMessages([one]);
    const list = Array.isArray(native) ? native : listIn(native, api);
    return api.list === 'contents' ? JSON.parse(JSON.stringify(list).replace(/"id":"\w*",/g, '')) : list;
  });
}

/** What is sent of a list in a small window: valid, much smaller, and without a warning. */
async function sentOf(api: Api, list: readonly object[]): Promise<string> {
  let sent = '';
  const { send, warnings } = watchedFetch({
    config: { contextWindow: 1_500 },
    send: async (_input, init) => {
      sent = String(init?.body);
      return new Response('{}');
    },
  });
  const body = JSON.stringify({ model: 'some-model', [api.list ?? 'messages']: list });
  await send(`https://${api.url}`, { method: 'POST', body, headers: { authorization: 'Bearer key' } });
  expect(sent.length).toBeLessThan(body.length * 0.6);
  expect(codesOf(warnings).filter((code) => code !== 'manager-warning')).toEqual([]);
  return sent;
}

const called = (id: string) => call(id, 'read', { path: id });
const answered = (toolCallId: string, output: string): Message => {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output }] };
};
const turns = (count: number, name: string, idOf = (at: number) => `${name}${at}`) =>
  Array.from({ length: count }, (_, at) => [
    called(idOf(at)),
    answered(idOf(at), words(60, `${name}${at}`)),
  ]).flat();

const task = user('Do it.');
const odd = answered('c', 'odd');
const strays: Record<string, readonly Message[]> = {
  'a result without its call': [task, ...turns(20, 'a'), odd, ...turns(2, 'b')],
  'a result at the beginning': [odd, task, ...turns(20, 'a')],
  'a result that is there twice': [task, ...turns(20, 'a'), answered('a19', words(60, 'a19'))],
  'a result before its call': [task, ...turns(20, 'a'), odd, called('c')],
  "a result later than the user's word": [task, ...turns(20, 'a'), called('c'), user('Wait.'), odd],
};

describe.each(Object.entries(apis))('to %s', (_name, api) => {
  test.each(Object.entries(strays))('%s is mended, and the conversation is compressed', async (_, said) => {
    const sent = JSON.parse(await sentOf(api, written(api, said)));
    const { toMessages, validate } = api.codec as Codec<unknown>;
    const native = api.url.startsWith('api.openai.com') ? listIn(sent, api) : sent;
    expect(validate(native)).toEqual([]);
    const results = toMessages(native).flatMap(
      ({ role, content }) => (role === 'tool' ? content : []) as readonly ToolResultPart[],
    );
    expect(results.length).toBeGreaterThan(0);
    // What the model has not read yet is there in any case.
    expect(JSON.stringify(said.slice(-3)).includes('odd')).toBe(JSON.stringify(results).includes('odd'));
  });
});

test.each(['Chat Completions', 'Responses'])('calls without ids (%s) are managed', async (name) => {
  const api = apis[name] as Api;
  const list = written(api, [task, ...turns(20, 'a', () => '')]);
  expect(await sentOf(api, list)).not.toContain('unnamed');
});

test.each<[string, object[]]>([
  [
    'the URL of an image alone',
    [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://x.y/z.png' }] }],
  ],
  ...[undefined, null, ''].map((given): [string, object[]] => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'list', arguments: given } }];
    const asked = { role: 'assistant', content: null, tool_calls };
    return [`a call with the arguments ${given}`, [asked, { role: 'tool', tool_call_id: 'a', content: 'r' }]];
  }),
])('%s is no reason to send everything', async (_, odd) => {
  const chat = apis['Chat Completions'] as Api;
  const list = [...written(chat, [task, ...turns(20, 'a')]), ...odd, ...written(chat, [user('Go on.')])];
  expect(await sentOf(chat, list)).toContain(JSON.stringify(odd).slice(1, -1));
});
