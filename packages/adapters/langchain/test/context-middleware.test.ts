import type { Warning } from '@ctx/conversation';
import type { ContextManager, Usage } from '@ctx/core';
import { VirtualTime, words } from '@ctx/testing';
import { ContextOverflowError } from '@langchain/core/errors';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent, createMiddleware, FakeToolCallingModel } from 'langchain';
import type { ContextMiddlewareOptions } from '../src/context-middleware.js';
import { contextMiddleware } from '../src/index.js';
import type { ModelCall } from '../src/model-call.js';

type Given = Partial<Omit<ModelCall, 'runtime'>> & { runtime?: object };

/** The middleware, called as an agent calls it, with a model that answers as the test says. */
function setUp(options: ContextMiddlewareOptions = {}) {
  const managers: [string, ContextManager][] = [];
  const warnings: Warning[] = [];
  const { wrapModelCall } = contextMiddleware({
    config: { contextWindow: 4_000 },
    onManager: (manager, key) => managers.push([key, manager]),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const sent: ModelCall[] = [];
  const call = async (
    given: Given,
    reply: (request: ModelCall, number: number) => unknown = () => new AIMessage('ok'),
  ) => {
    const request = {
      model: { model: 'gpt-4.1' },
      tools: [],
      systemMessage: new SystemMessage(''),
      systemPrompt: '',
      runtime: {},
      ...given,
    } as unknown as ModelCall;
    if (wrapModelCall === undefined) throw new Error('The middleware wraps no call.');
    const handler = (next: unknown) => {
      sent.push(next as ModelCall);
      return reply(next as ModelCall, sent.length) as AIMessage;
    };
    return { request, answer: await wrapModelCall(request, handler) };
  };
  return { call, sent, managers, warnings };
}

const turns = (count: number, name = 'file'): BaseMessage[] => [
  ...Array.from({ length: count }, (_, turn) => [
    new HumanMessage(`Look at ${name}${turn}.ts`),
    new AIMessage(words(60, `${name}${turn}`)),
  ]).flat(),
  new HumanMessage('And now?'),
];
const answerWith = (inputTokens: number) =>
  Object.assign(new AIMessage('ok'), {
    usage_metadata: { input_tokens: inputTokens, output_tokens: 5, total_tokens: inputTokens + 5 },
  });
const rateLimit = Object.assign(new Error('Rate limit reached'), { status: 429 });

describe('a call', () => {
  test('in which nothing has to leave is the very same object', async () => {
    const { call, sent } = setUp();
    const { request } = await call({ messages: turns(2), systemMessage: new SystemMessage('Be brief.') });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBe(request);
  });

  const hour = { type: 'ephemeral', ttl: '1h' };
  const halfDay = { prompt_cache_options: { ttl: '12h' } };
  test.each<[string, object, object | undefined, number]>([
    ['asked for an hour', { model: 'claude-opus-5-5' }, { cache_control: hour }, 60],
    ['set to an hour', { model: 'gpt-5', promptCacheRetention: 'in_memory' }, undefined, 60],
    ['set to 12 hours', { model: 'gpt-6-sol', modelKwargs: halfDay }, undefined, 720],
  ])('is made smaller once the cache has expired: %s', async (_, model, modelSettings, life) => {
    const contextWindow = 'promptCacheRetention' in model || life > 60 ? 8_000 : 12_000;
    const time = new VirtualTime();
    const { call, managers } = setUp({ config: { contextWindow }, now: time.now });
    const send = (count: number) =>
      call({ model, messages: turns(count), ...(modelSettings && { modelSettings }) } as Given);
    const reasons = () => managers.at(-1)?.[1].history.map(({ reason }) => reason);
    await send(55);
    time.pass(life * 60_000);
    await send(56);
    expect(reasons()).toEqual([]);
    time.pass(life * 60_000 + 1);
    await send(57);
    expect(reasons()).toEqual(['the cache had expired']);
  });

  test('that is too long is shortened; what is left are the objects that came, and the system message is counted', async () => {
    const systemMessage = new SystemMessage(words(400, 'rule'));
    const counted = async (system: SystemMessage) => {
      const { call, sent, managers } = setUp();
      const messages = turns(60);
      await call({ messages, systemMessage: system });
      const [next] = sent;
      expect(next?.systemMessage).toBe(system);
      expect(next?.messages.length).toBeLessThan(messages.length);
      expect(next?.messages.at(-1)).toBe(messages.at(-1));
      expect(next?.messages.some((message) => message.getType() === 'system')).toBe(false);
      const said = (next?.messages ?? []).map((message) => message.text).join('');
      return { kept: said.length, stats: managers[0]?.[1].budget() };
    };
    const [without, withSystem] = [await counted(new SystemMessage('')), await counted(systemMessage)];
    expect(withSystem.kept).toBeLessThan(without.kept);
    expect(withSystem.stats?.systemTokens).toBeGreaterThan(400);
  });

  test('counts the tools, also for a model that cannot say who it is', async () => {
    const { call, managers } = setUp();
    const getLsParams = () => {
      throw new Error('not now');
    };
    const read = { name: 'read', description: 'word '.repeat(500), parameters: {} };
    const tools = [{ type: 'function', function: read }];
    await call({ messages: turns(1), model: { getLsParams } as never, tools });
    expect(managers[0]?.[1].stats().currentTokens).toBeGreaterThan(500);
  });

  test('keeps all fields of a shortened message', async () => {
    const { call, sent } = setUp();
    const asked = new AIMessage({
      content: [{ type: 'text', text: 'I read it.' }],
      tool_calls: [{ id: 'c1', name: 'read', args: { path: 'a.ts' } }],
      additional_kwargs: { mine: 1 },
      response_metadata: { finish_reason: 'tool_calls' },
    });
    const artifact = { rows: [1, 2, 3] };
    const content = words(6_000, 'line');
    const read = new ToolMessage({ content, tool_call_id: 'c1', name: 'read', artifact });
    await call({ messages: [...turns(1), asked, read] });
    const messages = sent[0]?.messages ?? [];
    const result = messages.find(ToolMessage.isInstance);
    expect(result?.text.length).toBeLessThan(read.text.length);
    expect(result?.artifact).toBe(artifact);
    expect(result).toMatchObject({ name: 'read', tool_call_id: 'c1' });
    expect(messages).toContain(asked);
    expect(read.text).toBe(words(6_000, 'line'));
  });

  test('belongs to what `conversation` says, else to its thread, else to what it goes on from', async () => {
    const named = setUp({ conversation: ({ state }) => (state as { owner?: string } | undefined)?.owner });
    const configurable = { thread_id: 'thread 7' };
    await named.call({ messages: turns(1), state: { owner: 'ann' } as never, runtime: { configurable } });
    await named.call({ messages: turns(1), runtime: { configurable } });
    await named.call({ messages: turns(1) });
    await named.call({ messages: turns(2) });
    await named.call({ messages: turns(2), runtime: { configurable } });
    const keys = named.managers.map(([key]) => key);
    expect(keys).toEqual(['ann', 'thread 7', expect.stringMatching(/^[0-9a-f]{32}-/)]);
  });

  test.each([
    ['an unknown model', { model: 'my-model', profile: { maxInputTokens: 50_000 } }, {}, 50_000],
    ['a model without a name', { profile: { maxInputTokens: 60_000 } }, {}, 60_000],
    ['a known model', { model: 'gpt-4.1', profile: { maxInputTokens: 50_000 } }, {}, 1_047_576],
    [
      'a window of the user',
      { model: 'my-model', profile: { maxInputTokens: 50_000 } },
      { contextWindow: 9_000 },
      9_000,
    ],
    ['a window that is none', { model: 'my-model', profile: { maxInputTokens: 0 } }, {}, 128_000],
    [
      'a model that is given as a text',
      { _defaultConfig: { model: 'gpt-4.1', modelProvider: 'openai' } },
      {},
      1_047_576,
    ],
  ])(
    'has the window of the model’s profile where nothing else is known: %s',
    async (_, model, config, expected) => {
      const { call, managers } = setUp({ config });
      await call({ messages: turns(1), model: model as never });
      expect(managers[0]?.[1].stats().maxTokens).toBe(expected);
    },
  );

  test('teaches the manager what the provider counted, also in a structured answer', async () => {
    for (const answer of [answerWith(321), { structuredResponse: {}, messages: [answerWith(321)] }]) {
      const { call, managers } = setUp();
      expect((await call({ messages: turns(2) }, () => answer)).answer).toBe(answer);
      expect(managers[0]?.[1].stats().currentTokens).toBe(321);
    }
  });
});

test('a model that is given to summarise writes the summary in one call, and it is sent with an excerpt', async () => {
  const summary = 'The files were looked at, and none was at fault. Next: the last one.';
  const other = new FakeListChatModel({ responses: [summary] });
  const asked = jest.spyOn(other, '_generate');
  const { call, sent, warnings } = setUp({
    config: { contextWindow: 30_000, reserve: 0, trigger: { tokens: 3000 }, target: { tokens: 2000 } },
    summarize: other,
  });
  await call({ messages: turns(60) });
  expect([asked.mock.calls.length, warnings]).toEqual([1, []]);
  expect(JSON.stringify(asked.mock.calls[0]?.[0])).toContain('You sum up the work of an assistant');
  const said = (sent[0]?.messages ?? []).map((message) => message.text).join();
  expect([said.includes(summary), said.includes('[Excerpt of what was said')]).toEqual([true, true]);
});

test('what Anthropic says of its cache is reported with the usage', async () => {
  const usages: Usage[] = [];
  const { call } = setUp({
    onManager: (manager) => manager.on('usage-report', ({ usage }) => usages.push(usage)),
  });
  const response_metadata = {
    usage: { input_tokens: 1 },
    diagnostics: { cache_miss_reason: { type: 'tools_changed' } },
  };
  const answer = Object.assign(answerWith(321), { response_metadata });
  await call({ messages: turns(2) }, () => answer);
  expect(usages).toMatchObject([{ inputTokens: 321, cacheMiss: 'tools_changed' }]);
});

describe('an overflow', () => {
  const openai = Object.assign(new Error("This model's maximum context length is 2000 tokens."), {
    status: 400,
  });
  test.each([
    ['of the provider', openai],
    ['of LangChain, whatever it says', new ContextOverflowError('zu lang')],
  ])('%s is sent again, smaller', async (_, error) => {
    const { call, sent } = setUp();
    const { request, answer } = await call({ messages: turns(20) }, (_request, number) => {
      if (number === 1) throw error;
      return new AIMessage('recovered');
    });
    expect(AIMessage.isInstance(answer) && answer.text).toBe('recovered');
    expect(sent).toHaveLength(2);
    expect(sent[0]?.messages).toHaveLength(request.messages.length);
    expect(sent[1]?.messages.length).toBeLessThan(request.messages.length);
    expect(request.messages).toHaveLength(41);
  });

  test('that passes through another middleware is recovered', async () => {
    const sent: number[] = [];
    const overflowing = createMiddleware({
      name: 'Overflowing',
      wrapModelCall: (request, handler) => {
        sent.push(request.messages.length);
        if (sent.length === 1) throw new ContextOverflowError('zu lang');
        return handler(request);
      },
    });
    const model = new FakeToolCallingModel({ toolCalls: [] });
    const other = createMiddleware({ name: 'Other', wrapModelCall: (request, handler) => handler(request) });
    const agent = createAgent({ model, tools: [], middleware: [contextMiddleware(), other, overflowing] });
    const { messages } = await agent.invoke({ messages: turns(20) });
    expect(messages).toHaveLength(42);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBeLessThan(sent[0] ?? 0);
  });

  test('that stays brings the provider’s own error in the end, and other errors at once', async () => {
    for (const [error, most] of [
      [openai, 4],
      [rateLimit, 1],
    ] as const) {
      const { call, sent } = setUp();
      const failing = call({ messages: turns(5) }, () => {
        throw error;
      });
      await expect(failing).rejects.toBe(error);
      expect(sent.length).toBeLessThanOrEqual(most);
    }
  });
});

describe('a failure of ctx', () => {
  test('loses no request and is told once', async () => {
    const { call, sent, warnings } = setUp();
    const fields = { content: 'nobody asked', tool_call_id: undefined as never, name: 'read' };
    const nameless = new ToolMessage(fields);
    for (let time = 0; time < 2; time += 1) {
      const { request, answer } = await call({ messages: [new HumanMessage('Hi'), nameless] });
      expect(AIMessage.isInstance(answer) && answer.text).toBe('ok');
      expect(sent.at(-1)).toBe(request);
    }
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('nobody asked');
  });
});

test.each([null, 0, 'x'])('options that are %j are refused with a clear error', (options) => {
  expect(() => contextMiddleware(options as never)).toThrow('The options must be an object');
});
