import type { ContextManager } from '@ctx/core';
import { VirtualTime, words } from '@ctx/testing';
import { setUp } from './upstream.js';

const minutes = (count: number) => count * 60_000;

test('a request is compressed once the cache has expired, and a model that comes back has its own', async () => {
  const time = new VirtualTime();
  const managers: ContextManager[] = [];
  const { proxy } = await setUp((response) => response.end('{}'), {
    config: { contextWindow: 40_000 },
    now: time.now,
    recall: true,
    onManager: (manager) => void managers.push(manager),
  });
  const tools = [{ name: 'read', input_schema: { type: 'object' } }];
  const post = async (turns: number, model: string) => {
    const messages = Array.from({ length: turns }, (_, turn) => [
      { role: 'user', content: `Look at file ${turn}` },
      { role: 'assistant', content: words(550, `word${turn}`) },
    ]);
    const body = { model, max_tokens: 100, tools, messages: messages.flat().slice(0, -1) };
    await (await proxy.post(body, { path: '/v1/messages' })).text();
    return managers.at(-1)?.history.at(-1)?.reason;
  };
  const [opus, haiku] = ['claude-opus-5-5', 'claude-haiku-4-5'];
  expect(await post(18, opus)).toBeUndefined();
  time.pass(minutes(5));
  expect(await post(19, opus)).toBeUndefined();
  expect(proxy.status().conversations[0]?.lastRequestAt).toBe(minutes(5));
  time.pass(minutes(1));
  expect(await post(20, haiku)).toContain('another model');
  time.pass(minutes(4) + 1);
  expect(await post(21, opus)).toBe('the cache had expired');
});
