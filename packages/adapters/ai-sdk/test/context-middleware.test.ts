import { contextMiddleware } from '@ctx/ai-sdk';
import type { Warning } from '@ctx/conversation';
import type { ContextManager, Usage } from '@ctx/core';
import { VirtualTime } from '@ctx/testing';
import type { ContextMiddlewareOptions } from '../src/context-middleware.js';
import { longPrompt, tooLong } from './histories.js';
import { type Answer, type Call, type Model, type Part, partsOf, type Sdk, sdks, streamOf } from './sdks.js';

const text = (value: string) => [{ type: 'text', text: value }];

function setUp(
  sdk: Sdk,
  answers: Partial<Model>,
  options: ContextMiddlewareOptions = {},
  id?: { provider: string; modelId: string },
) {
  const managers: ContextManager[] = [];
  const warnings: Warning[] = [];
  const middleware = contextMiddleware({
    config: { contextWindow: 4_000 },
    onManager: (manager) => managers.push(manager),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const model = sdk.ai.wrapLanguageModel({ model: sdk.model(answers, id), middleware });
  return { model, managers, warnings };
}

/** Answers each call in turn, and the last way from then on. */
function answering(...answers: ((call: Call) => Answer | Error)[]) {
  const calls: Call[] = [];
  const doGenerate = async (call: Call) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)]?.(call);
    calls.push(call);
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, doGenerate };
}

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('in %s', (_name, sdk) => {
  const ok = (tokens = 50): Answer => {
    return { content: text('ok'), warnings: [], ...sdk.finished('stop', tokens) };
  };

  /** A model that answers each call in turn, or always with a word. */
  function answered(...answers: Parameters<typeof answering>) {
    const { calls, doGenerate } = answering(...(answers.length > 0 ? answers : [() => ok()]));
    return { calls, ...setUp(sdk, { doGenerate }) };
  }

  describe('a call', () => {
    test.each<[string, object, string[]]>([
      ['on a thread', { anthropic: { thread: { type: 'create' } } }, ['message-thread']],
      ['on a stored response', { openai: { previousResponseId: 'resp_1' } }, ['conversation-stored']],
      ['in a stored conversation', { openai: { conversation: 'conv_1' } }, ['conversation-stored']],
      ['that asks for a summary of Anthropic’s', { anthropic: { compaction: { type: 'summarize' } } }, []],
      ['that asks for a summary of OpenAI’s', { openai: { compactionTrigger: true } }, []],
      [
        'that Anthropic compacts',
        { anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } },
        ['provider-compacts'],
      ],
      [
        'that OpenAI compacts',
        { openai: { contextManagement: [{ type: 'compaction', compactThreshold: 1_000 }] } },
        ['provider-compacts'],
      ],
    ])('%s passes whole', async (_, providerOptions, expected) => {
      const { calls, model, warnings } = answered();
      const call = { prompt: longPrompt(40), providerOptions };
      await model.doGenerate(call);
      await model.doGenerate(call);
      expect(calls.map(({ prompt }) => prompt)).toEqual([call.prompt, call.prompt]);
      expect(warnings.map(({ code }) => code)).toEqual(expected);
    });

    test('in which nothing has to leave passes with the same objects, and so does its answer', async () => {
      const answer = ok();
      const { calls, model } = answered(() => answer);
      const call = {
        prompt: longPrompt(2),
        temperature: 0.5,
        abortSignal: new AbortController().signal,
        headers: { 'x-a': '1' },
        providerOptions: { openai: { store: false }, anthropic: undefined as never },
        tools: [{ type: 'function', name: 'a', inputSchema: {} }],
      };
      expect(await model.doGenerate(call)).toBe(answer);
      const [sent] = calls;
      expect(sent).toEqual(call);
      expect(sent?.prompt.every((message, at) => message === call.prompt[at])).toBe(true);
      expect([sent?.abortSignal === call.abortSignal, sent?.tools === call.tools]).toEqual([true, true]);
    });

    const hour = { cacheControl: { type: 'ephemeral', ttl: '1h' } };
    const halfDay = { promptCacheOptions: { ttl: '12h' } };
    test.each<[string, string, string, object, number]>([
      ['Claude, asked for an hour', 'anthropic.messages', 'claude-opus-5-5', { anthropic: hour }, 60],
      ['GPT-6, asked for 12 hours', 'openai.responses', 'gpt-6-sol', { openai: halfDay }, 720],
    ])(
      'is made smaller once the cache has expired: %s',
      async (_, provider, modelId, providerOptions, life) => {
        const time = new VirtualTime();
        const { doGenerate } = answering(() => ok());
        const contextWindow = modelId.startsWith('claude') ? 12_000 : 8_000;
        const options = { config: { contextWindow }, now: time.now };
        const { model, managers } = setUp(sdk, { doGenerate }, options, { provider, modelId });
        const send = (turns: number) =>
          model.doGenerate({ prompt: longPrompt(turns), providerOptions } as Call);
        const reasons = () => managers.at(-1)?.history.map(({ reason }) => reason);
        await send(55);
        time.pass(life * 60_000);
        await send(56);
        expect(reasons()).toEqual([]);
        time.pass(life * 60_000 + 1);
        await send(57);
        expect(reasons()).toEqual(['the cache had expired']);
      },
    );

    test('that is too long is sent shorter, and what is left leaves as it came', async () => {
      const { calls, model, managers, warnings } = answered();
      const prompt = longPrompt(80);
      const before = JSON.stringify(prompt);
      await model.doGenerate({ prompt });
      const sent = calls[0]?.prompt ?? [];
      expect(JSON.stringify(sent).length).toBeLessThan(16_000);
      expect(sent.filter((message) => prompt.includes(message)).length).toBeGreaterThan(3);
      expect([sent[0], sent.at(-1)]).toEqual([prompt[0], prompt.at(-1)]);
      expect(JSON.stringify(prompt)).toBe(before);
      expect([managers.length, warnings]).toEqual([1, []]);
    });

    test('counts its tools', async () => {
      const { model, managers } = answered(() => ok(0));
      const tools = [{ type: 'function', name: 'read', description: 'word '.repeat(500), inputSchema: {} }];
      await model.doGenerate({ prompt: longPrompt(1), tools });
      expect(managers[0]?.stats().currentTokens).toBeGreaterThan(500);
    });

    test('goes on in the conversation that it continues, whose tokens are those that were reported', async () => {
      const { model, managers } = answered(() => ok(700));
      const prompt = longPrompt(5);
      await model.doGenerate({ prompt: prompt.slice(0, -2) });
      await model.doGenerate({ prompt });
      expect(managers).toHaveLength(1);
      expect(managers[0]?.stats().currentTokens).toBe(700);
    });

    test('that the provider refuses as too large is made once more, smaller', async () => {
      const { calls, model, managers } = answered(
        () => ok(),
        () => tooLong,
        () => ok(),
      );
      const prompt = longPrompt(12);
      await model.doGenerate({ prompt: prompt.slice(0, -2) });
      expect(await model.doGenerate({ prompt })).toEqual(ok());
      expect(calls).toHaveLength(3);
      expect(JSON.stringify(calls[2]?.prompt).length).toBeLessThan(JSON.stringify(calls[1]?.prompt).length);
      expect(calls[2]?.prompt.at(-1)).toBe(prompt.at(-1));
      expect(managers[0]?.transcript).toHaveLength(prompt.length);
    });

    test('that stays too large ends with the provider’s own error', async () => {
      const { calls, model } = answered(() => tooLong);
      await expect(model.doGenerate({ prompt: longPrompt(5) })).rejects.toBe(tooLong);
      expect(calls.length).toBeLessThanOrEqual(4);
    });

    test.each([
      ['a rate limit', { statusCode: 429, message: 'Rate limit reached: tokens per min' }],
      ['wrong credentials', { statusCode: 401, message: 'Incorrect API key' }],
      ['an abort', { name: 'AbortError', message: 'This operation was aborted' }],
    ])('that fails for another reason is made once: %s', async (_reason, fields) => {
      const failure = Object.assign(new Error(fields.message), fields);
      const { calls, model, warnings } = answered(() => failure);
      await expect(model.doGenerate({ prompt: longPrompt(5) })).rejects.toBe(failure);
      expect([calls.length, warnings]).toEqual([1, []]);
    });
  });

  describe('a stream', () => {
    const start: Part = { type: 'stream-start', warnings: [] };
    const metadata: Part = { type: 'response-metadata', id: '1' };
    const said: Part[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'ok' },
      { type: 'text-end', id: '1' },
    ];
    const end = (tokens: number): Part => ({ type: 'finish', ...sdk.finished('stop', tokens) }) as Part;
    const overflow: Part = { type: 'error', error: { message: 'prompt is too long: 9 tokens > 8 maximum' } };

    function streaming(...streams: (readonly (Part | Error)[])[]) {
      const calls: Call[] = [];
      const read: (number | 'cancelled')[][] = [];
      const doStream = async (call: Call) => {
        const at = Math.min(calls.length, streams.length - 1);
        calls.push(call);
        const seen: (number | 'cancelled')[] = [];
        read.push(seen);
        const stream = streamOf(streams[at] ?? [], (one) => seen.push(one));
        return { stream, request: { body: at } };
      };
      return { calls, read, doStream, ...setUp(sdk, { doStream }) };
    }

    test('passes part by part as the same objects, and its usage is read', async () => {
      const parts = [start, metadata, { type: 'raw', rawValue: 1 }, ...said, end(700)];
      const { model, managers } = streaming(parts);
      const passed = await partsOf((await model.doStream({ prompt: longPrompt(5) })).stream);
      expect(passed.length).toBe(parts.length);
      expect(passed.every((part, at) => part === parts[at])).toBe(true);
      expect(managers[0]?.stats().currentTokens).toBe(700);
    });

    test('whose reader stops after the part that ends it has told its usage', async () => {
      const { model, managers } = streaming([start, end(700)]);
      const reader = (await model.doStream({ prompt: longPrompt(5) })).stream.getReader();
      await reader.read();
      await reader.read();
      await reader.cancel();
      expect(managers[0]?.stats().currentTokens).toBe(700);
    });

    test('that begins with an overflow leaves no trace: a smaller one takes its place', async () => {
      const { calls, read, model } = streaming([start, overflow, end(0)], [start, ...said, end(50)]);
      const { stream, request } = await model.doStream({ prompt: longPrompt(12) });
      expect(await partsOf(stream)).toEqual([start, ...said, end(50)]);
      expect(request).toEqual({ body: 1 });
      expect(JSON.stringify(calls[1]?.prompt).length).toBeLessThan(JSON.stringify(calls[0]?.prompt).length);
      expect(read[0]).toEqual([1, 2, 'cancelled']);
    });

    test('that can’t be opened for an overflow, or breaks with one, is opened once more', async () => {
      const { doStream } = streaming([start, ...said, end(50)]);
      let opened = 0;
      const refusing: Model['doStream'] = async (call) => {
        opened += 1;
        if (opened === 1) throw tooLong;
        return opened === 2 ? { stream: streamOf([tooLong]) } : doStream(call);
      };
      const { model } = setUp(sdk, { doStream: refusing });
      const { stream } = await model.doStream({ prompt: longPrompt(20) });
      expect(await partsOf(stream)).toEqual([start, ...said, end(50)]);
      expect(opened).toBe(3);
    });

    test('passes an overflow that comes after the first word, and every other error', async () => {
      const other: Part = { type: 'error', error: new Error('The server is overloaded') };
      for (const parts of [
        [start, said[0] as Part, overflow, end(0)],
        [start, other, end(0)],
      ]) {
        const { calls, model } = streaming(parts);
        expect(await partsOf((await model.doStream({ prompt: longPrompt(12) })).stream)).toEqual(parts);
        expect(calls).toHaveLength(1);
      }
    });

    test('that stays too large brings the provider’s own error in the end', async () => {
      const { calls, model } = streaming([start, overflow, end(0)]);
      const { stream } = await model.doStream({ prompt: longPrompt(3) });
      expect(await partsOf(stream)).toEqual([start, overflow, end(0)]);
      expect(calls.length).toBeLessThanOrEqual(4);
    });

    test('is read no faster than its reader reads, and a reader who cancels ends it', async () => {
      const { read, model } = streaming([start, ...said, ...said, end(1)]);
      const reader = (await model.doStream({ prompt: longPrompt(1) })).stream.getReader();
      expect(read[0]).toEqual([1, 2]);
      for (let part = 0; part < 3; part += 1) await reader.read();
      expect(read[0]).toEqual([1, 2, 3]);
      await reader.cancel('enough');
      expect(read[0]).toEqual([1, 2, 3, 'cancelled']);
    });

    test('that is cut off fails for its reader as it would without ctx', async () => {
      const cut = new Error('terminated');
      for (const parts of [[cut], [start, cut], [start, ...said, cut]]) {
        const { model } = streaming(parts);
        const { stream } = await model.doStream({ prompt: longPrompt(1) });
        await expect(partsOf(stream)).rejects.toBe(cut);
      }
    });
  });

  describe('what ctx fails to do', () => {
    const fails = () => {
      throw new Error('private words');
    };
    const down = { get: async () => fails(), put: async () => fails() };
    test.each<[string, ContextMiddlewareOptions, unknown, string]>([
      ['a key that can’t be made', { conversation: fails }, longPrompt(80), 'request-unmanaged'],
      ['a prompt of another form', {}, [{ role: 'visitor', content: 'private words' }], 'request-unmanaged'],
      ['a store that is down', { states: down }, longPrompt(2), 'store-failed'],
    ])('loses no request, and is told once: %s', async (_what, options, prompt, code) => {
      const { calls, doGenerate } = answering(() => ok());
      const { model, warnings } = setUp(sdk, { doGenerate }, options);
      for (let time = 0; time < 3; time += 1) await model.doGenerate({ prompt: prompt as Call['prompt'] });
      expect(calls.map((call) => call.prompt)).toEqual([prompt, prompt, prompt]);
      expect(warnings.map((warning) => warning.code)).toEqual([code]);
      expect(JSON.stringify(warnings)).not.toContain('private');
    });
  });

  test('a key given by the caller names the conversation, and keeps equal ones apart', async () => {
    const keys: string[] = [];
    const seen: unknown[] = [];
    const { doGenerate } = answering(() => ok());
    const { model } = setUp(
      sdk,
      { doGenerate },
      {
        onManager: (_manager, key) => keys.push(key),
        conversation: ({ params, model: { provider, modelId }, type }) => {
          seen.push([type, provider, modelId]);
          return (params.providerOptions?.ctx as { thread?: string } | undefined)?.thread;
        },
      },
    );
    for (const thread of ['7', '8', '7'])
      await model.doGenerate({ prompt: longPrompt(1), providerOptions: { ctx: { thread } } } as Call);
    expect(keys).toEqual(['7', '8']);
    expect(seen[0]).toEqual(['generate', 'openai.chat', 'gpt-5']);
  });

  test('a model that is given to summarise writes the summary in one call, and it is sent with an excerpt', async () => {
    const summary = 'The files were looked at, and none was at fault. Next: the last one.';
    const other = answering(() => ({ ...ok(), content: text(summary) }));
    const agent = answering(() => ok());
    const { model, warnings } = setUp(sdk, agent, {
      config: { contextWindow: 30_000, reserve: 0, trigger: { tokens: 3000 }, target: { tokens: 2000 } },
      summarize: sdk.model(other, { provider: 'openai.chat', modelId: 'gpt-5-mini' }) as never,
    });
    await model.doGenerate({ prompt: longPrompt(80) });
    expect([other.calls.length, agent.calls.length, warnings]).toEqual([1, 1, []]);
    expect(JSON.stringify(other.calls[0]?.prompt)).toContain('You sum up the work of an assistant');
    const sent = JSON.stringify(agent.calls[0]?.prompt);
    expect([sent.includes(summary), sent.includes('[Excerpt of what was said')]).toEqual([true, true]);
  });

  test('the window is that of the model, by the name of its maker', async () => {
    const { doGenerate } = answering(() => ok());
    const id = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' };
    const { model, managers } = setUp(sdk, { doGenerate }, { config: {} }, id);
    await model.doGenerate({ prompt: longPrompt(1) });
    expect(managers[0]?.stats().maxTokens).toBe(200_000);
  });
});

test.each<[string, number, object]>([
  [
    'Anthropic’s',
    10,
    {
      response: { body: { diagnostics: { cache_miss_reason: { type: 'tools_changed' } } } },
      providerMetadata: {
        anthropic: {
          // Version 5 leaves cached tokens out of its own figures.
          usage: { input_tokens: 10, cache_read_input_tokens: 30 },
          inputTransformations: [{ type: 'thinking_dropped', path: 'a', reason: 'prefix_mismatch' }],
        },
      },
    },
  ],
  [
    'OpenAI’s',
    40,
    {
      response: { body: { input_transformations: [{ action: 'removed', reason: 'prefix_mismatch' }] } },
      providerMetadata: {
        azure: { promptCacheDiagnostics: { type: 'cache_miss', reason: 'tools_changed' } },
      },
    },
  ],
])('diagnoses that the SDK carries along are reported: %s', async (_, own, said) => {
  const sdk = sdks.at(-1) as Sdk;
  const answer = { content: text('ok'), warnings: [], ...sdk.finished('stop', own), ...said };
  const usages: Usage[] = [];
  const { model } = setUp(
    sdk,
    { doGenerate: async () => answer },
    { onManager: (manager) => manager.on('usage-report', ({ usage }) => usages.push(usage)) },
  );
  await model.doGenerate({ prompt: longPrompt(5) });
  expect(usages).toMatchObject([
    { inputTokens: 40, cacheMiss: 'tools_changed', droppedReasoning: ['prefix_mismatch'] },
  ]);
});

test('a model of an unknown version passes unchanged, with one warning', async () => {
  const warnings: Warning[] = [];
  const middleware = contextMiddleware({ onWarning: (warning) => warnings.push(warning) });
  const params = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] };
  const model = {
    specificationVersion: 'v9',
    provider: 'a',
    modelId: 'b',
    doGenerate: async (call: object) => call,
  };
  expect(await middleware.wrapGenerate({ params, model })).toBe(params);
  expect(await middleware.wrapGenerate({ params, model })).toBe(params);
  expect(warnings.map(({ code }) => code)).toEqual(['specification-unknown']);
});

test.each([null, 0, 'x'])('options that are %j are refused with a clear error', (options) => {
  expect(() => contextMiddleware(options as never)).toThrow('The options must be an object');
});
