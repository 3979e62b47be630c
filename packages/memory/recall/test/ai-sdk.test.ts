import * as ai6 from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as ai5 from 'ai-v5';
import { MockLanguageModelV2 } from 'ai-v5/test';
import * as ai7 from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';
import type { RecallSource } from '../src/index.js';
import { said, sourceOf } from './conversation.js';

const words = 'The port is 4711.';

/** The door as it is with a version of the SDK. */
function doorWith(sdk: object) {
  jest.resetModules();
  jest.doMock('ai', () => sdk);
  const { aiSdkRecall } = require('../src/ai-sdk.js') as typeof import('../src/ai-sdk.js');
  return aiSdkRecall;
}

interface Sdk {
  generateText(
    request: object,
  ): Promise<{ text: string; steps: readonly { toolResults: readonly object[] }[] }>;
  stepCountIs(steps: number): unknown;
}
type Mock = new (options: object) => object;

const versions = [
  ['5', ai5, MockLanguageModelV2, 'stop'],
  ['6', ai6, MockLanguageModelV3, { unified: 'stop', raw: undefined }],
  ['7', ai7, MockLanguageModelV4, { unified: 'stop', raw: undefined }],
] as unknown as [string, Sdk, Mock, unknown][];

describe.each(versions)('AI SDK %s', (version, sdk, Mock, stop) => {
  async function run(
    source: RecallSource<{ experimental_context?: unknown; context?: unknown }>,
    input: string,
    more = {},
  ) {
    const aiSdkRecall = doorWith(sdk);
    const seen: { tools?: readonly { name: string; inputSchema: object }[]; prompt: unknown }[] = [];
    const tokens = { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
    const usage =
      version === '5'
        ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
        : { inputTokens: tokens, outputTokens: tokens };
    const model = new Mock({
      doGenerate: async (call: never) => {
        seen.push(call);
        const content =
          seen.length === 1
            ? [{ type: 'tool-call', toolCallId: 'c1', toolName: 'recall', input }]
            : [{ type: 'text', text: 'done' }];
        return { content, finishReason: stop, usage, warnings: [] };
      },
    });
    const { text, steps } = await sdk.generateText({
      model,
      prompt: 'Which port?',
      tools: { recall: aiSdkRecall(source) },
      stopWhen: sdk.stepCountIs(3),
      ...more,
    });
    return { text, steps, seen };
  }

  test('declares the tool and gives the model what it recalls', async () => {
    const { text, seen } = await run(await sourceOf([said(words)]), '{"query":"port","maxTokens":"500"}');
    expect(text).toBe('done');
    expect(seen[0]?.tools).toMatchObject([
      { name: 'recall', inputSchema: { type: 'object', properties: { ref: { type: 'string' } } } },
    ]);
    expect(JSON.stringify(seen[1]?.prompt)).toContain(words);
    expect(seen[1]?.tools).toEqual(seen[0]?.tools);
  });

  test('a function in place of the source is told of the call', async () => {
    const source = await sourceOf([said(words)]);
    const context = { owner: 'ann' };
    const calls: object[] = [];
    const { seen } = await run(
      (call) => {
        calls.push(call);
        return source;
      },
      '{"ref":"#m1"}',
      { experimental_context: context },
    );
    expect(calls).toEqual([expect.objectContaining({ toolCallId: 'c1', messages: expect.any(Array) })]);
    expect(JSON.stringify(seen[1]?.prompt)).toContain(words);
  });
});
