import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatMessage, openaiCodec, validate } from '@ctx/codec-openai';
import { pairRules } from '@ctx/core/codec';

const call = (id: string, json = '{}', name = 'read') => {
  return { id, type: 'function' as const, function: { name, arguments: json } };
};
const asks = (...tool_calls: ReturnType<typeof call>[]) =>
  ({ role: 'assistant', content: null, tool_calls }) as ChatMessage;
const answers = (tool_call_id: string, content = 'ok') =>
  ({ role: 'tool', tool_call_id, content }) as ChatMessage;
const user = { role: 'user', content: 'go' } as ChatMessage;

const good: ChatMessage[] = [
  { role: 'system', content: 'be kind' },
  user,
  asks(call('a'), call('b')),
  answers('b', ''),
  answers('a'),
  asks(call('a')),
  answers('a'),
  { role: 'assistant', content: 'done' },
];

const broken: Record<string, readonly [index: number, messages: ChatMessage[]]> = {
  form: [0, [{ role: 'robot', content: 'x' } as unknown as ChatMessage]],
  'tool-calls-answered': [1, [user, asks(call('a'), call('b')), answers('a'), user]],
  'tool-result-has-call': [1, [user, answers('a')]],
  'tool-result-once': [3, [user, asks(call('a')), answers('a'), answers('a')]],
  'tool-call-id-unique': [1, [user, asks(call('a'), call('a')), answers('a')]],
  'tool-calls-not-empty': [1, [user, { role: 'assistant', content: 'hm', tool_calls: [] } as ChatMessage]],
  'arguments-json': [1, [user, asks(call('a', '{"path": ')), answers('a')]],
  'tool-name': [1, [user, asks(call('a', '{}', 'read file')), answers('a')]],
  'content-not-empty': [0, [{ role: 'user', content: '' }]],
};

test('a sound conversation breaks no rule', () => {
  expect(validate(good)).toEqual([]);
  expect(openaiCodec.validate(good)).toEqual([]);
});

test.each(Object.entries(broken))(
  '%s is reported, with the message that breaks it',
  (rule, [index, messages]) => {
    expect(validate(messages)).toContainEqual({ index, rule, detail: expect.any(String) });
  },
);

test('a result after another message is not an answer', () => {
  const rules = validate([user, asks(call('a')), user, answers('a')]).map(({ index, rule }) => [index, rule]);
  expect(rules).toEqual([
    [1, 'tool-calls-answered'],
    [3, 'tool-result-has-call'],
  ]);
});

test('violations are in the order of the messages, from the first on', () => {
  const rules = validate([answers('a'), asks(call('b', 'no')), user, asks(call('c'))]);
  expect(rules.map(({ index, rule }) => [index, rule])).toEqual([
    [0, 'tool-result-has-call'],
    [1, 'tool-calls-answered'],
    [1, 'arguments-json'],
    [3, 'tool-calls-answered'],
  ]);
});

test('every rule has its test and is in docs/codecs.md', () => {
  const source = readFileSync(join(__dirname, '../src/validate.ts'), 'utf8');
  const rules = [...source.matchAll(/^ {2}'([a-z-]+)': \(messages\)/gm)].map((match) => match[1] as string);
  expect(rules.length).toBeGreaterThan(3);
  const ofPairs = Object.keys(pairRules({ callsOf: () => [], resultsOf: () => undefined }));
  expect(Object.keys(broken).sort()).toEqual(['form', ...ofPairs, ...rules].sort());
  const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
  for (const rule of Object.keys(broken)) expect(page).toContain(`\`${rule}\``);
});

test('a call is what it holds, whatever type it says', () => {
  const odd = { id: 'a', type: 'function', custom: { name: 'sh', input: 'ls' } };
  expect(validate([user, asks(odd as never), answers('a')])).toEqual([]);
});
