import {
  type AnyModelMessage,
  type AnyPromptMessage,
  modelMessageCodec,
  promptCodec,
} from '@ctx/codec-ai-sdk';
import { generateText, type ModelMessage } from 'ai-v6';
import { MockLanguageModelV3 } from 'ai-v6/test';

const call = (toolCallId: string, more: object = {}) => {
  return { type: 'tool-call', toolCallId, toolName: 'read', input: {}, ...more };
};
const result = (toolCallId: string, output: object = { type: 'text', value: 'A' }) => {
  return { type: 'tool-result', toolCallId, toolName: 'read', output };
};
const user = { role: 'user', content: 'go' };
const asked = (...content: object[]) => ({ role: 'assistant', content });
const answered = (...content: object[]) => ({ role: 'tool', content });
const said = asked({ type: 'text', text: 'x' });
const unanswered = ['1 tool-calls-answered'];

const rulesOf = (messages: unknown) =>
  modelMessageCodec.validate(messages as AnyModelMessage[]).map(({ index, rule }) => `${index} ${rule}`);

/** The name of the error that the SDK throws; undefined where it asks the model. */
async function refusal(messages: unknown): Promise<string | undefined> {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  const content = [{ type: 'text' as const, text: 'ok' }];
  const model = new MockLanguageModelV3({ doGenerate: { content, finishReason, usage, warnings: [] } });
  try {
    await generateText({ model, messages: messages as ModelMessage[], allowSystemInMessages: true });
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

const invalid = 'AI_InvalidPromptError';
const missing = 'AI_MissingToolResultsError';

describe('what the SDK itself refuses', () => {
  test.each<[string, unknown, string[], string | undefined]>([
    ['a conversation', [user, asked(call('a')), answered(result('a')), said], [], undefined],
    ['no messages', [], ['-1 messages-not-empty'], invalid],
    ['a call without a result', [user, asked(call('a'))], unanswered, missing],
    ['a call without a result before a question', [user, asked(call('a')), user], unanswered, missing],
    [
      'one of two calls without a result',
      [user, asked(call('a'), call('b')), answered(result('a'))],
      unanswered,
      missing,
    ],
    ['a call of the provider', [user, asked(call('a', { providerExecuted: true }))], [], undefined],
    [
      'a result in two messages',
      [user, asked(call('a'), call('b')), answered(result('a')), answered(result('b'))],
      [],
      undefined,
    ],
    [
      'a call in a message of the user',
      [{ role: 'user', content: [call('a')] }],
      ['0 part-of-role'],
      invalid,
    ],
    ['a text in a tool message', [user, answered({ type: 'text', text: 'x' })], ['1 part-of-role'], invalid],
    [
      'an image of the assistant',
      [user, asked({ type: 'image', image: 'iVBO' })],
      ['1 part-of-role'],
      invalid,
    ],
    [
      'an output of no known type',
      [user, asked(call('a')), answered(result('a', { type: 'stream' }))],
      ['2 output-type'],
      invalid,
    ],
    [
      'an output that is a bare text',
      [user, asked(call('a')), answered({ ...result('a'), output: 'x' })],
      ['2 form'],
      invalid,
    ],
    ['an unknown role', [{ role: 'robot', content: 'x' }], ['0 form'], invalid],
    ['a system message of parts', [{ role: 'system', content: [] }, user], ['0 form'], invalid],
  ])('%s', async (_title, messages, rules, error) => {
    expect(rulesOf(messages)).toEqual(rules);
    expect(await refusal(messages)).toBe(error);
  });
});

describe('what providers refuse', () => {
  test.each<[string, unknown, string[]]>([
    ['a result without a call', [user, answered(result('a'))], ['1 tool-result-has-call']],
    [
      'a result of an earlier message',
      [user, asked(call('a')), answered(result('a')), said, answered(result('a'))],
      ['4 tool-result-has-call'],
    ],
    [
      'a call that is answered twice',
      [user, asked(call('a')), answered(result('a')), answered(result('a'))],
      ['3 tool-result-once'],
    ],
    [
      'two calls with one id',
      [user, asked(call('a'), call('a')), answered(result('a'))],
      ['1 tool-call-id-unique'],
    ],
    ['an empty message', [{ role: 'user', content: [{ type: 'text', text: '' }] }], ['0 content-not-empty']],
    ['an empty text', [{ role: 'user', content: '' }], ['0 content-not-empty']],
  ])('%s', (_title, messages, rules) => {
    expect(rulesOf(messages)).toEqual(rules);
  });
});

test('a value that is not a list', () => {
  expect(rulesOf('hi')).toEqual(['-1 form']);
});

test('a prompt has lists of content only', () => {
  const prompt = [{ role: 'system', content: 'be kind' }, user] as unknown as AnyPromptMessage[];
  expect(promptCodec.validate(prompt)).toEqual([
    { index: 1, rule: 'content-list', detail: 'The content of a user message is a list of parts.' },
  ]);
});
