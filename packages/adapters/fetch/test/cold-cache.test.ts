import { VirtualTime, words } from '@ctx/testing';
import { json, startServer } from './server.js';
import { watchedFetch } from './watched-fetch.js';

const minutes = (count: number) => count * 60_000;
const body = (turns: number, { input, ...more }: { readonly input?: object; readonly model?: string }) => ({
  ...more,
  messages: [
    ...(input === undefined ? [] : called(input)),
    ...Array.from({ length: turns }, (_, turn) => [
      { role: 'user', content: `Look at file ${turn}` },
      { role: 'assistant', content: words('max_tokens' in more ? 550 : 750, `word${turn}`) },
    ])
      .flat()
      .slice(0, -1),
  ],
});

const called = (input: object) => [
  { role: 'user', content: 'Set it' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'set', input }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
  { role: 'assistant', content: 'It is set.' },
];

const converse = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse';
const hourPoint = { cachePoint: { type: 'default', ttl: '1h' } };
const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const hi = { type: 'text', text: 'Hi' };
const tool = { name: 'set', input_schema: {} };
const claude = { model: 'claude-opus-5-5', max_tokens: 100 };
const gpt = { model: 'gpt-5.5' };
const toolSpec = { toolSpec: { name: 'read', inputSchema: { json: {} } } };

test.each<[string, string, object, number]>([
  ['Claude keeps it five minutes', '/v1/messages', claude, 5],
  ['and an hour if it is asked to', '/v1/messages', { ...claude, system: [{ ...hi, ...cached }] }, 60],
  ['and an hour if it is to place the breakpoint itself', '/v1/messages', { ...claude, ...cached }, 60],
  ['and an hour if the tools ask for it', '/v1/messages', { ...claude, tools: [{ ...tool, ...cached }] }, 60],
  ['whatever a call says', '/v1/messages', { ...claude, tools: [tool], input: { ...cached, ttl: '1h' } }, 5],
  ['OpenAI an hour if asked to', '/v1/chat/completions', { ...gpt, prompt_cache_retention: 'in_memory' }, 60],
  ['Bedrock an hour if it is asked to', converse, { system: [{ text: 'Hi' }, hourPoint] }, 60],
  [
    'and an hour if only the tools ask for it',
    converse,
    { toolConfig: { tools: [toolSpec, hourPoint] } },
    60,
  ],
  ['Gemini an hour', '/v1beta/models/gemini-3-pro:generateContent', {}, 60],
])('a request is compressed once the cache has expired: %s', async (_, path, more, life) => {
  const server = await startServer((response) => json(response, {}));
  const time = new VirtualTime();
  const { send, managers } = watchedFetch({ config: { contextWindow: 40_000 }, now: time.now });
  const post = async (turns: number) => {
    const { messages, ...rest } = body(turns, more);
    const inParts = messages.map(({ role, content }) => ({ role, content: [{ text: content }] }));
    const contents = inParts.map(({ role, content: parts }) => ({
      role: role === 'user' ? role : 'model',
      parts,
    }));
    const said = path === converse ? inParts : messages;
    const history = path.includes('gemini') ? { contents } : { messages: said };
    const init = { method: 'POST', body: JSON.stringify({ ...rest, ...history }) };
    await (await send(`${server.url}${path}`, init)).text();
    return managers.at(-1)?.history.at(-1)?.reason;
  };
  await post(15);
  time.pass(minutes(life));
  expect(await post(16)).toBeUndefined();
  time.pass(minutes(life) + 1);
  expect(await post(17)).toBe('the cache had expired');
});
