import { contextPrepareStep } from '@ctx/ai-sdk';
import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import type { Warning } from '@ctx/conversation';
import { type ContextManager, partsOf as partsIn } from '@ctx/core';
import { words } from '@ctx/testing';
import { experimental_createSteering as createSteering } from 'ai-v7';
import type { ContextPrepareStepOptions } from '../src/context-prepare-step.js';
import {
  type Answer,
  type Call,
  type Model,
  type Part,
  type Said,
  type Sdk,
  sdks,
  streamOf,
} from './sdks.js';

const contextWindow = 4_000;
/** A token for four characters, as the model here counts. */
const tokensOf = (prompt: unknown) => Math.ceil(JSON.stringify(prompt).length / 4);

/** A model that calls the tool so many times for each thing that a user says, and then answers. */
function callingModel(sdk: Sdk, rounds: number, countedBy = tokensOf) {
  const calls: Call[] = [];
  let called = 0;
  const next = (call: Call): { content: Part[]; reason: 'stop' | 'tool-calls' } => {
    calls.push(call);
    called += 1;
    const isLast = called % (rounds + 1) === 0;
    return isLast
      ? { content: [{ type: 'text', text: `Done after ${called}` }], reason: 'stop' }
      : {
          content: [
            {
              type: 'tool-call',
              toolCallId: `call${called}`,
              toolName: 'read',
              input: `{"path":"file${called}.ts"}`,
            },
          ],
          reason: 'tool-calls',
        };
  };
  const answers: Partial<Model> = {
    doGenerate: async (call): Promise<Answer> => {
      const { content, reason } = next(call);
      return { content, warnings: [], ...sdk.finished(reason, countedBy(call.prompt)) };
    },
    doStream: async (call) => {
      const { content, reason } = next(call);
      const end = { type: 'finish', ...sdk.finished(reason, countedBy(call.prompt)) };
      const parts = content.flatMap((part): Part[] =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part],
      );
      return { stream: streamOf([{ type: 'stream-start', warnings: [] }, ...parts, end]) };
    },
  };
  return { calls, model: sdk.model(answers) };
}

function setUp(sdk: Sdk, options: ContextPrepareStepOptions = {}) {
  const managers: ContextManager[] = [];
  const warnings: Warning[] = [];
  const prepareStep = contextPrepareStep({
    config: { contextWindow },
    onManager: (manager) => managers.push(manager),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const read = sdk.ai.tool({
    description: 'Reads a file.',
    inputSchema: sdk.ai.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: async ({ path }: { path: string }) => `${path}: ${words(300, path)}`,
  });
  const settings = { tools: { read }, prepareStep, stopWhen: sdk.ai.stepCountIs(50), maxRetries: 0 };
  return { managers, warnings, settings };
}

const idsIn = (messages: readonly { content: unknown }[]) =>
  messages.flatMap(({ content }) =>
    (Array.isArray(content) ? (content as Record<string, unknown>[]) : []).flatMap(({ type, toolCallId }) =>
      type === 'tool-call' || type === 'tool-result' ? [`${type} ${toolCallId}`] : [],
    ),
  );

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('in %s', (_name, sdk) => {
  type Run = (request: object) => Promise<{ text: string; messages: Said[] }>;
  const generate: Run = async (request) => {
    const result = await sdk.ai.generateText(request);
    const { responseMessages } = result as { responseMessages?: Said[] };
    return { text: result.text, messages: responseMessages ?? result.response.messages };
  };
  const stream: Run = async (request) => {
    const result = sdk.ai.streamText(request);
    await result.consumeStream();
    return {
      text: await result.text,
      messages: (await result.responseMessages) ?? (await result.response).messages,
    };
  };
  const agent: Run = async ({
    prompt: _none,
    messages,
    ...settings
  }: {
    prompt?: string;
    messages?: Said[];
  }) => {
    const result = await new sdk.ai.Agent(settings).generate({ messages });
    const { responseMessages } = result as { responseMessages?: Said[] };
    return { text: result.text, messages: responseMessages ?? result.response.messages };
  };

  test.each([
    ['generateText', generate],
    ['streamText', stream],
    ['an agent', agent],
  ])(
    '%s stays inside the window, and the transcript holds each message once as it was said',
    async (_run, run) => {
      const { calls, model } = callingModel(sdk, 14);
      const { managers, warnings, settings } = setUp(sdk);
      const history: Said[] = [];
      for (let task = 1; task <= 3; task += 1) {
        history.push({ role: 'user', content: `Task ${task}: read the files.` });
        const { text, messages } = await run({ ...settings, model, messages: history });
        expect(text).toBe(`Done after ${task * 15}`);
        history.push(...messages);
      }
      expect(history).toHaveLength(3 * (1 + 14 * 2 + 1));
      expect(calls).toHaveLength(45);
      expect(tokensOf(history)).toBeGreaterThan(4 * contextWindow);
      for (const { prompt } of calls) expect(tokensOf(prompt)).toBeLessThan(contextWindow);

      expect([managers.length, warnings]).toEqual([1, []]);
      const [manager] = managers as [ContextManager];
      const transcript = manager.transcript.map(({ message }) => message);
      // The last answer is in no request yet.
      const said = modelMessageCodec.toMessages(history.slice(0, -1) as never);
      expect(transcript.map(partsIn)).toEqual(said.map(partsIn));
      expect(idsIn(transcript)).toEqual([...new Set(idsIn(transcript))]);
      expect(manager.stats().historyCount).toBeGreaterThan(2);
    },
  );

  test('what a step reported is learned before the next one', async () => {
    const { managers, settings } = setUp(sdk, { config: { contextWindow: 100_000 } });
    const counted = () => managers[0]?.stats().countedTokens ?? 0;
    // What no message holds, such as the system prompt and the tools.
    const { calls, model } = callingModel(sdk, 3, () => counted() + 2_000);
    const seen: number[] = [];
    const { prepareStep } = settings;
    await generate({
      ...settings,
      model,
      prompt: 'Read the files.',
      prepareStep: async (step: Parameters<typeof prepareStep>[0]) => {
        const prepared = await prepareStep(step);
        seen.push((managers[0]?.stats().currentTokens ?? 0) - counted());
        return prepared;
      },
    });
    expect(calls).toHaveLength(4);
    expect(seen.map((more) => more > 1_500)).toEqual([false, true, true, true]);
  });

  test('untouched messages stay the same objects', async () => {
    const prepared: unknown[][] = [];
    const { model } = callingModel(sdk, 3);
    const { settings } = setUp(sdk);
    const { prepareStep } = settings;
    const given: unknown[][] = [];
    await generate({
      ...settings,
      model,
      messages: [{ role: 'user', content: 'Read the files.' }],
      prepareStep: async (step: Parameters<typeof prepareStep>[0]) => {
        const { messages, initialMessages = messages, responseMessages = [] } = step;
        given.push([...initialMessages, ...responseMessages]);
        const result = await prepareStep(step);
        prepared.push(result.messages);
        return result;
      },
    });
    expect(prepared.map((messages) => messages.length)).toEqual([1, 3, 5, 7]);
    prepared.forEach((messages, at) => {
      expect(messages.every((message, index) => message === given[at]?.[index])).toBe(true);
    });
  });

  test('what ctx fails to do loses nothing: the whole history goes out, with one warning', async () => {
    const { calls, model } = callingModel(sdk, 3);
    const { warnings, settings } = setUp(sdk, {
      conversation: () => {
        throw new Error('private words');
      },
    });
    const { text } = await generate({ ...settings, model, prompt: 'Read the files.' });
    expect(text).toBe('Done after 4');
    expect(calls.map(({ prompt }) => prompt.length)).toEqual([1, 3, 5, 7]);
    expect(warnings.map(({ code }) => code)).toEqual(['request-unmanaged']);
    expect(JSON.stringify(warnings)).not.toContain('private');
  });

  test('eight runs at once through one function never mix', async () => {
    const { managers, settings } = setUp(sdk);
    const runs = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const { calls, model } = callingModel(sdk, 10);
        await generate({ ...settings, model, prompt: `I am agent${at}x. Read the files.` });
        return calls.map(({ prompt }) => new Set(JSON.stringify(prompt).match(/agent\d+x/g)));
      }),
    );
    expect(managers).toHaveLength(8);
    runs.forEach((sent, at) => {
      for (const names of sent) expect(names).toEqual(new Set([`agent${at}x`]));
    });
  });
});

test('what a user says while version 7 works stays at its place, once', async () => {
  const sdk = sdks.find(({ name }) => name === 'version 7') as Sdk;
  const { calls, model } = callingModel(sdk, 8);
  const { managers, settings } = setUp(sdk);
  const steering = createSteering();
  const outcomes: Promise<unknown>[] = [];
  const read = sdk.ai.tool({
    description: 'Reads a file.',
    inputSchema: sdk.ai.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: async ({ path }: { path: string }) => {
      const number = Number(path.match(/\d+/)?.[0]);
      if (number % 3 === 0) outcomes.push(steering.steer(`Mind ${path}.`));
      return words(300, path);
    },
  });
  await sdk.ai.generateText({
    ...settings,
    tools: { read },
    model,
    prompt: 'Read the files.',
    experimental_steering: steering,
  });
  expect(await Promise.all(outcomes)).toMatchObject([{ type: 'delivered' }, { type: 'delivered' }]);
  const said = (managers[0] as ContextManager).transcript.map(({ message }) => message);
  const roles = said.map(({ role }) => role[0]).join('');
  expect(roles).toBe(`u${'at'.repeat(3)}u${'at'.repeat(3)}u${'at'.repeat(2)}`);
  expect(calls).toHaveLength(9);
  for (const { prompt } of calls.slice(3))
    expect(JSON.stringify(prompt).match(/Mind file3/g)).toHaveLength(1);
});
