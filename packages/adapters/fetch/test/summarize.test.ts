import {
  type ModelServer,
  type ModelServerOptions,
  type ReceivedRequest,
  startAnthropicServer,
  startBedrockServer,
  startGeminiServer,
  startOllamaServer,
  startOpenAiServer,
} from '@ctx/servers';
import { words } from '@ctx/testing';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { closedAfter } from './server.js';
import { watchedFetch } from './watched-fetch.js';

const summary = 'The files 0 to 59 were looked at, and none of them was at fault. Next: file 60.';
/** Whether a request asks for a summary. */
const asksForOne = (json: unknown) =>
  `${JSON.stringify(json)}`.includes('You sum up the work of an assistant');

const turns = Array.from({ length: 60 }, (_, turn) => [
  ['user', `Look at file${turn}.ts, whatever it says.`],
  ['assistant', `I looked at file${turn}.ts. ${words(60, `line${turn}`)}`],
]).flat() as [string, string][];
const said = [...turns, ['user', 'And now?']] as const;
const ofRoles = (assistant: string, partsOf: (text: string) => object) =>
  said.map(([role, text]) => ({ role: role === 'user' ? role : assistant, ...partsOf(text) }));

interface Api {
  readonly start: (options: ModelServerOptions) => Promise<ModelServer>;
  readonly path: string;
  /** The path at which the summary is asked for. */
  readonly summaryPath?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}
const bearer = { authorization: 'Bearer key-of-ann' };
const system = { role: 'system', content: 'Be brief.' };
const chat = ofRoles('assistant', (content) => ({ content }));
const anthropic = { 'x-api-key': 'key-of-ann', 'anthropic-version': '2023-06-01' };
const inParts = ofRoles('model', (text) => ({ parts: [{ text }] }));
const apis: Readonly<Record<string, Api>> = {
  'chat completions': {
    start: startOpenAiServer,
    path: '/v1/chat/completions',
    headers: bearer,
    body: { model: 'gpt-5', stream: true, messages: [system, ...chat] },
  },
  responses: {
    start: startOpenAiServer,
    path: '/v1/responses',
    headers: bearer,
    body: { model: 'gpt-5', stream: true, store: false, instructions: 'Be brief.', input: chat },
  },
  anthropic: {
    start: startAnthropicServer,
    path: '/v1/messages',
    headers: anthropic,
    body: { model: 'claude-haiku-4-5', stream: true, max_tokens: 100, system: 'Be brief.', messages: chat },
  },
  gemini: {
    start: startGeminiServer,
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    summaryPath: '/v1beta/models/gemini-2.5-flash:generateContent',
    headers: { 'x-goog-api-key': 'key-of-ann' },
    body: { systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: inParts },
  },
  ollama: {
    start: startOllamaServer,
    path: '/api/chat',
    headers: {},
    body: { model: 'qwen3', options: { num_ctx: 30_000 }, messages: [system, ...chat] },
  },
  bedrock: {
    start: startBedrockServer,
    path: '/model/anthropic.claude-haiku-4-5-20251001-v1:0/converse',
    headers: bearer,
    body: {
      system: [{ text: 'Be brief.' }],
      messages: ofRoles('assistant', (text) => ({ content: [{ text }] })),
    },
  },
};

/** A conversation over its target, sent to a strict server that answers a request for a summary as it is told. */
async function sent(
  { start, path, headers, body }: Api,
  answer: string,
  options: ContextFetchOptions = {},
  faults: ModelServerOptions['faults'] = {},
) {
  const script: ModelServerOptions['script'] = ({ prompt }) => ({
    text: asksForOne(prompt) ? answer : 'ok',
    calls: [],
  });
  const server = await closedAfter(start({ faults, script }));
  const config = { contextWindow: 30_000, reserve: 0, trigger: { tokens: 5000 }, target: { tokens: 3000 } };
  const { send, managers, warnings } = watchedFetch({ summarize: true, config, ...options });
  const post = async (more: object = {}) => {
    const response = await send(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, ...more }),
    });
    return [response.status, await response.text()] as const;
  };
  return { server, managers, warnings, post };
}

const hiddenIn = (requests: readonly ReceivedRequest[]) => requests.filter(({ json }) => asksForOne(json));
const textOf = ({ json }: ReceivedRequest) => JSON.stringify(json);
const chatApi = apis['chat completions'] as Api;

describe.each(Object.entries(apis))('by %s', (_name, api) => {
  test('a request over the target leads to one hidden call, and the view holds summary and excerpt within it', async () => {
    const { server, managers, warnings, post } = await sent(api, summary);
    const [status, text] = await post();
    expect([status, server.problems, warnings]).toEqual([200, [], []]);
    expect(text).toContain('ok');
    const [hidden, real] = server.requests;
    expect(server.requests.map(({ json }) => asksForOne(json))).toEqual([true, false]);
    expect(hidden?.path).toBe(api.summaryPath ?? api.path);
    expect(textOf(hidden as ReceivedRequest)).toContain('Be brief.');
    expect(textOf(hidden as ReceivedRequest)).toContain('I looked at file0.ts.');
    for (const part of [summary, '[Excerpt of what was said before', 'And now?'])
      expect(textOf(real as ReceivedRequest)).toContain(part);
    expect(managers[0]?.stats().countedTokens).toBeLessThanOrEqual(3000);
  });
});

test('another model at the same endpoint is asked by its name', async () => {
  const { server, post } = await sent(chatApi, summary, { summarize: 'gpt-5-mini' });
  await post();
  expect(server.requests.map(({ json }) => json?.model)).toEqual(['gpt-5-mini', 'gpt-5']);
  const gemini = apis.gemini as Api;
  const other = await sent(gemini, summary, { summarize: 'gemini-2.5-flash-lite' });
  await other.post();
  expect(other.server.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash-lite:generateContent');
});

test('a function is asked in place of the provider', async () => {
  const asked: string[] = [];
  const summarize = async (prompt: string) => {
    asked.push(prompt);
    return summary;
  };
  const { server, post } = await sent(chatApi, '', { summarize });
  await post();
  expect([asked.length, server.requests.length]).toEqual([1, 1]);
  expect(textOf(server.requests[0] as ReceivedRequest)).toContain(summary);
});

test.each<[string, string, ModelServerOptions['faults'], string]>([
  ['answers nothing of use', "I'm sorry, I can't do that.", {}, 'summary-failed'],
  ['is not to be reached', summary, { 1: { type: 'status', status: 503 } }, 'model-failed'],
])(
  'the request is sent with the excerpt alone, and a warning says so once, if the model %s',
  async (_what, answer, faults, code) => {
    const { server, warnings, post } = await sent(chatApi, answer, {}, faults);
    expect((await post())[0]).toBe(200);
    const real = textOf(server.requests.at(-1) as ReceivedRequest);
    expect(real).toContain('[Excerpt of what was said before');
    expect(real).not.toContain('Conversation Summary');
    expect(warnings).toEqual([
      { code: 'summary-failed', message: expect.stringContaining(`could not be used (${code})`) },
    ]);
  },
);

test('nobody is asked in a dry run, if told not to, or for a request that only counts', async () => {
  const dry = await sent(chatApi, summary, { dryRun: true });
  await dry.post();
  const off = await sent(chatApi, summary, { summarize: false });
  await off.post();
  const counting = await sent({ ...(apis.anthropic as Api), path: '/v1/messages/count_tokens' }, summary);
  await counting.post({ stream: undefined, max_tokens: undefined });
  expect(hiddenIn([...dry.server.requests, ...off.server.requests, ...counting.server.requests])).toEqual([]);
});

test.each(['', 3, {}])('summarize: %j is refused', (summarize) => {
  expect(() => contextFetch({ summarize } as never)).toThrow(
    /summarize: This names no model that could summarise/,
  );
});
