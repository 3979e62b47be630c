import type { ContextManager } from '@ctx/core';
import { VirtualTime, words } from '@ctx/testing';
import { contextFetch } from '../src/index.js';
import { json, startServer } from './server.js';

const minutes = (count: number) => count * 60_000;
const body = (turns: number, more: object) => ({
  ...more,
  messages: Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Look at file ${turn}` },
    { role: 'assistant', content: words('max_tokens' in more ? 550 : 750, `word${turn}`) },
  ])
    .flat()
    .slice(0, -1),
});

const cached = { type: 'ephemeral', ttl: '1h' };
const claude = { model: 'claude-opus-5-5', max_tokens: 100 };
const gpt = { model: 'gpt-5.5' };

test.each([
  ['Claude keeps it five minutes', '/v1/messages', claude, 5],
  [
    'and an hour if it is asked to',
    '/v1/messages',
    { ...claude, system: [{ type: 'text', text: 'Hi', cache_control: cached }] },
    60,
  ],
  ['OpenAI an hour', '/v1/chat/completions', gpt, 60],
  ['and a day if it is asked to', '/v1/chat/completions', { ...gpt, prompt_cache_retention: '24h' }, 1_440],
])('a request is compressed once the cache has expired: %s', async (_, path, more, life) => {
  const server = await startServer((response) => json(response, {}));
  const time = new VirtualTime();
  let manager: ContextManager | undefined;
  const send = contextFetch({
    config: { contextWindow: 40_000 },
    now: time.now,
    onManager: (made) => {
      manager = made;
    },
  });
  const post = async (turns: number) => {
    const init = { method: 'POST', body: JSON.stringify(body(turns, more)) };
    await (await send(`${server.url}${path}`, init)).text();
    return manager?.history.at(-1)?.reason;
  };
  await post(15);
  time.pass(minutes(life));
  expect(await post(16)).toBeUndefined();
  time.pass(minutes(life) + 1);
  expect(await post(17)).toBe('the cache had expired');
});
