import type { ContextManager } from '@ctx/core';
import type { ContextFetchOptions } from '../src/index.js';
import { type Reply, startServer } from './server.js';
import { codesOf, longHistory, watchedFetch } from './watched-fetch.js';

const lines = (...values: object[]): Reply => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  };
};
const said = { message: { role: 'assistant', content: 'ok' }, done: false };
const last = { message: { role: 'assistant', content: '' }, done: true, prompt_eval_count: 700 };

async function setUp(reply: Reply, options: ContextFetchOptions = {}) {
  const server = await startServer(reply);
  const watched = watchedFetch({ config: {}, ...options });
  const post = async (body: object) => {
    const url = `${server.url.replace('/v1', '')}/api/chat`;
    return (await watched.send(url, { method: 'POST', body: JSON.stringify(body) })).text();
  };
  return { ...server, ...watched, post };
}

const request = (num_ctx?: number, turns = 60) => ({
  model: 'qwen3',
  messages: longHistory(turns),
  ...(num_ctx !== undefined && { options: { num_ctx, seed: 1 } }),
});
const windows = (managers: readonly ContextManager[]) => managers.map((one) => one.stats().maxTokens);

test('the usage of a stream is known although its SDK stops reading after the last line', async () => {
  const server = await startServer(lines(said, last));
  const { send, managers } = watchedFetch({ config: {} });
  const url = `${server.url.replace('/v1', '')}/api/chat`;
  const { body } = await send(url, { method: 'POST', body: JSON.stringify(request(4_000, 2)) });
  const reader = body?.getReader();
  let text = '';
  while (!text.includes('"done":true')) text += new TextDecoder().decode((await reader?.read())?.value);
  expect(managers[0]?.stats().currentTokens).toBe(700);
});

test('num_ctx is the window of a request, if the settings say nothing or more', async () => {
  for (const [contextWindow, window] of [
    [undefined, 4_000],
    [128_000, 4_000],
    [2_000, 2_000],
  ]) {
    const { post, received, managers, warnings } = await setUp(lines(said, last), {
      config: contextWindow === undefined ? {} : { contextWindow },
    });
    await post(request(4_000));
    expect(windows(managers)).toEqual([window]);
    const sent = JSON.parse(received[0]?.body ?? '');
    expect(sent.options).toEqual({ num_ctx: 4_000, seed: 1 });
    expect(sent.messages.length).toBeLessThan(longHistory(60).length / 2);
    expect(sent.messages.at(-1)).toEqual({ role: 'user', content: 'And now?' });
    expect(warnings).toEqual([]);
  }
});

test('without num_ctx the window is assumed, with a warning', async () => {
  const { post, managers, warnings } = await setUp(lines(said, last));
  await post(request());
  expect(windows(managers)).toEqual([8_192]);
  expect(codesOf(warnings)).toEqual(['manager-warning']);
});

test('a history that is sent with another num_ctx begins anew in that window', async () => {
  const { post, managers } = await setUp(lines(said, last));
  for (const window of [16_000, 4_000, 16_000]) await post(request(window));
  expect(windows(managers)).toEqual([16_000, 4_000]);
});

test('a page that has messages of its own at such a path is left alone', async () => {
  const { post, received, managers, warnings } = await setUp(lines(said));
  const { model: _, ...body } = request();
  await post(body);
  expect([received[0]?.body, managers, warnings]).toEqual([JSON.stringify(body), [], []]);
});
