import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { googleCodec, validate } from '@ctx/codec-google';
import type { GoogleContent } from '../src/content.js';

const user = (...parts: object[]) => ({ role: 'user', parts }) as GoogleContent;
const model = (...parts: object[]) => ({ role: 'model', parts }) as GoogleContent;
const go = user({ text: 'go' });
const call = (name = 'read', more = {}) => ({ functionCall: { name, args: {} }, ...more });
const answer = (name = 'read', response: unknown = { output: 'ok' }) => ({
  functionResponse: { name, response },
});
const signed = { thoughtSignature: 'c2ln' };

const good = [
  go,
  model({ text: 'hm', thought: true }, { text: 'reading' }, call('read', signed), call('grep')),
  user(answer('grep'), answer('read')),
  model(call('read', { thoughtSignature: 'skip_thought_signature_validator' })),
  { role: 'function', parts: [answer()] } as GoogleContent,
  model({ text: 'done' }, { text: '', ...signed }),
  { parts: [{ text: 'thanks' }] },
];

const broken: Record<string, readonly [number, readonly GoogleContent[]]> = {
  form: [1, [go, { role: 'assistant', parts: [] }]],
  'first-content-user': [0, [user(answer()), go]],
  'parts-not-empty': [1, [go, { role: 'model' }]],
  'part-not-empty': [1, [go, model({ text: 'a' }, { ...signed }), go]],
  'function-call-after-user': [2, [go, model({ text: 'I look.' }), model(call()), user(answer())]],
  'function-response-after-call': [2, [go, model({ text: 'a' }), user(answer())]],
  'function-responses-match': [1, [go, model(call(), call()), user(answer())]],
  'function-response-name': [2, [go, model(call(), call('grep')), user(answer(), answer())]],
  'function-fields-object': [2, [go, model(call()), user(answer('read', 'ok'))]],
  'function-part-role': [2, [go, model(call()), user(answer(), call())]],
};

test('a sound conversation breaks no rule, as a request or as the list of its contents', () => {
  expect(validate(good)).toEqual([]);
  expect(googleCodec.validate({ systemInstruction: 'be kind', contents: good })).toEqual([]);
  expect(validate({ contents: good, model: 'gemini-3-pro' })).toEqual([]);
});

test.each(Object.entries(broken))(
  '%s is reported, with the content that breaks it',
  (rule, [index, contents]) => {
    expect(validate(contents)).toContainEqual({ index, rule, detail: expect.any(String) });
  },
);

test.each([[model({ text: '' })], [model({ thought: true })], [model({})]])(
  'a part without data is empty: %j',
  (content) => {
    expect(validate([go, content, go])).toContainEqual({
      index: 1,
      rule: 'part-not-empty',
      detail: expect.any(String),
    });
  },
);

test('the model may not begin, and calls may not be open', () => {
  expect(validate([model({ text: 'hi' })]).map(({ rule }) => rule)).toEqual(['first-content-user']);
  expect(validate([go, model(call())]).map(({ rule }) => rule)).toEqual(['function-responses-match']);
});

describe('a call without a signature', () => {
  const turn = (...calls: object[]) => [go, model(...calls), user(...calls.map(() => answer()))];
  const rulesFor = (contents: GoogleContent[], name: string | undefined) =>
    validate({ contents, model: name }).map(({ rule, index }) => `${index} ${rule}`);

  test.each([
    ['gemini-3-pro-preview', ['1 thought-signature']],
    ['models/gemini-3.5-flash', ['1 thought-signature']],
    ['projects/p/locations/l/publishers/google/models/gemini-10-pro', ['1 thought-signature']],
    ['gemini-2.5-pro', []],
    ['gemini-1.5-pro', []],
    ['gemma-3', []],
    [undefined, []],
  ])('is refused by Gemini 3 and later: %s', (name, expected) => {
    expect(rulesFor(turn(call()), name)).toEqual(expected);
  });

  test('is asked for in the first call of each content, since the user spoke last', () => {
    const name = 'gemini-3-pro';
    expect(rulesFor(turn(call('read', signed), call()), name)).toEqual([]);
    expect(rulesFor(turn(call(), call('read', signed)), name)).toEqual(['1 thought-signature']);
    expect(rulesFor([...turn(call()), model({ text: 'done' }), go], name)).toEqual([]);
    const steps = [...turn(call('read', signed)), ...turn(call()).slice(1)];
    expect(rulesFor(steps, name)).toEqual(['3 thought-signature']);
    const withWords = turn(call()).toSpliced(2, 1, user(answer(), { text: 'and hurry' }));
    expect(rulesFor(withWords, name)).toEqual([]);
  });
});

test('a system instruction that is malformed has the index -1', () => {
  expect(validate({ systemInstruction: 1 as never, contents: [go] })).toEqual([
    { index: -1, rule: 'form', detail: expect.any(String) },
  ]);
});

test('every rule has its test and is in docs/codecs.md', () => {
  const source = readFileSync(join(__dirname, '../src/rules.ts'), 'utf8');
  const rules = [...source.matchAll(/^ {2}'([a-z-]+)': \(/gm)].map((match) => match[1] as string);
  expect(rules.length).toBeGreaterThan(8);
  expect([...Object.keys(broken), 'thought-signature'].sort()).toEqual(['form', ...rules].sort());
  const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
  for (const rule of ['form', ...rules]) expect(page).toContain(`\`${rule}\``);
});
