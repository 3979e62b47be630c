import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnthropicConversation, anthropicCodec, validate } from '@ctx/codec-anthropic';

const conversation = (messages: unknown[], system?: unknown) =>
  ({ ...(system === undefined ? {} : { system }), messages }) as AnthropicConversation;
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more });
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const thinking = { type: 'thinking', thinking: 'so', signature: 'c2ln' };
const go = { role: 'user', content: 'go' };
const marked = { cache_control: { type: 'ephemeral' } };

const good = conversation(
  [
    go,
    assistant(thinking, text('both'), use('a'), use('b')),
    user(result('b'), result('a', { is_error: true }), text('and hurry')),
    { role: 'user', content: 'please' },
    { role: 'assistant', content: 'done' },
    { role: 'assistant', content: 'quite' },
  ],
  [text('be kind', marked)],
);

const search = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} });
const found = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });

const broken: Record<string, readonly [index: number, conversation: AnthropicConversation]> = {
  form: [0, conversation([{ role: 'tool', content: 'x' }])],
  'first-message-user': [0, conversation([assistant(text('hi')), go])],
  'content-not-empty': [0, conversation([{ role: 'user', content: '' }, assistant(text('hi'))])],
  'text-not-blank': [0, conversation([user(text(' \n'))])],
  'final-text-trimmed': [1, conversation([go, assistant(text('so '))])],
  'thinking-signed': [1, conversation([go, assistant({ type: 'thinking', thinking: 'so' }, text('ok')), go])],
  'thinking-first': [1, conversation([go, assistant(text('hm'), thinking, use('a')), user(result('a'))])],
  'thinking-not-last': [1, conversation([go, assistant(text('hm'), thinking), go])],
  'cache-control-count': [0, conversation([user(...Array.from({ length: 5 }, () => text('x', marked)))])],
  'tool-use-answered': [1, conversation([go, assistant(use('a')), go])],
  'tool-result-has-call': [0, conversation([user(result('a'))])],
  'tool-result-once': [2, conversation([go, assistant(use('a')), user(result('a'), result('a'))])],
  'tool-results-first': [2, conversation([go, assistant(use('a')), user(text('so'), result('a'))])],
  'tool-use-id-unique': [
    3,
    conversation([go, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))]),
  ],
  'tool-use-id-form': [1, conversation([go, assistant(use('a b')), user(result('a b'))])],
  'tool-use-input-object': [1, conversation([go, assistant(use('a', 'x')), user(result('a'))])],
  'tool-block-role': [0, conversation([user(use('a'))])],
  'server-result-has-call': [1, conversation([go, assistant(found('s'), text('so')), go])],
  'server-call-answered': [
    1,
    conversation([go, assistant(search('s'), text('so')), go, assistant(text('so'))]),
  ],
  'error-result-text': [
    2,
    conversation([go, assistant(use('a')), user(result('a', { is_error: true, content: '' }))]),
  ],
};

test('a sound conversation breaks no rule, as a request or as the list of its messages', () => {
  expect(validate(good)).toEqual([]);
  expect(validate(good.messages)).toEqual([]);
  expect(anthropicCodec.validate(good)).toEqual([]);
});

test.each(Object.entries(broken))(
  '%s is reported, with the message that breaks it',
  (rule, [index, native]) => {
    expect(validate(native)).toContainEqual({ index, rule, detail: expect.any(String) });
  },
);

test('a summary that the API wrote may come first, and instructions may stand among the messages', () => {
  const summary = assistant({ type: 'compaction', content: 'They spoke.' });
  expect(validate([summary, go, { role: 'system', content: 'be brief' }] as never)).toEqual([]);
});

test('a tool of the server may be answered in a later turn, and the last turn may be paused', () => {
  const paused = assistant(text('I search.'), search('s'));
  expect(validate(conversation([go, paused]))).toEqual([]);
  expect(validate(conversation([go, paused, assistant(found('s'), text('so')), go]))).toEqual([]);
  const coded = [go, assistant(search('s'), use('a')), user(result('a')), assistant(found('s')), go];
  expect(validate(conversation(coded))).toEqual([]);
});

test('a system message may have settings and no content', () => {
  const empty = (more: object) =>
    validate([go, { role: 'system', ...more }] as never).map(({ rule }) => rule);
  expect(empty({ output_config: { effort: 'low' } })).toEqual([]);
  expect(empty({})).toEqual(['content-not-empty']);
});

test('an empty system prompt is reported with the index -1', () => {
  expect(validate(conversation([go], [text('')]))).toContainEqual({
    index: -1,
    rule: 'text-not-blank',
    detail: expect.any(String),
  });
});

test('every rule has its test and is in docs/codecs.md', () => {
  const sources = ['content-rules.ts', 'tool-rules.ts', 'server-tools.ts'].map((file) =>
    readFileSync(join(__dirname, '../src', file), 'utf8'),
  );
  const rules = sources.flatMap((source) =>
    [...source.matchAll(/^ {2}'([a-z-]+)': \(/gm)].map((match) => match[1] as string),
  );
  expect(rules.length).toBeGreaterThan(10);
  expect(Object.keys(broken).sort()).toEqual(['form', ...rules].sort());
  rules.push('thinking-bound');
  const page = readFileSync(join(__dirname, '../../../../docs/codecs.md'), 'utf8');
  for (const rule of ['form', ...rules]) expect(page).toContain(`\`${rule}\``);
});
