import { startAnthropicServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import type { ContextFetchOptions } from '../src/index.js';
import { closedAfter } from './server.js';
import { codesOf, watchedFetch } from './watched-fetch.js';

// biome-ignore lint/suspicious/noExplicitAny: what a test sends and gets is JSON of any form
type Json = any;

async function setUp(start: () => ReturnType<typeof startAnthropicServer>, own: ContextFetchOptions = {}) {
  const server = await closedAfter(start());
  const { send, warnings } = watchedFetch(own);
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'sk-ann',
    authorization: 'Bearer sk-ann',
  };
  const post = async (path: string, body: unknown): Promise<Json> => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await send(`${server.url}${path}`, init)).json();
  };
  /** What the server got last. */
  const sent = () => server.requests.at(-1)?.json;
  return { server, warnings, post, sent };
}

const claude = { model: 'claude-sonnet-5-5', max_tokens: 100 };

test('a message thread is continued by what the client sends, and not cut as if that were everything', async () => {
  const { post, sent, server, warnings } = await setUp(startAnthropicServer);
  const asking = (content: string, thread: object) => {
    return { ...claude, thread, messages: [{ role: 'user', content }] };
  };
  const created = asking(`Read this.\n${words(3_000, 'first')}`, { type: 'create' });
  const { id } = await post('/v1/messages', created);
  expect(sent()).toEqual(created);
  const thread = { type: 'continue', previous_message_id: id };
  const continued = asking(`Now this.\n${words(5_000, 'second')}`, thread);
  await post('/v1/messages', continued);
  expect(sent()).toEqual(continued);
  expect([server.problems, codesOf(warnings)]).toEqual([[], ['message-thread']]);
  expect(warnings[0]?.message).toContain('toolRunner({ thread: false');
});

describe('a conversation that the provider compacts', () => {
  const long = Array.from({ length: 75 }, (_, at) => [
    { role: 'user', content: words(100, `turn${at}_`) },
    { role: 'assistant', content: 'Go on.' },
  ]).flat();
  const next = { role: 'user', content: 'And now?' };
  const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 100_000 } }];

  test('from a threshold on is sent whole, and a warning says so once', async () => {
    const { post, sent, warnings } = await setUp(startAnthropicServer);
    for (const messages of [
      [...long, next],
      [...long, next, { role: 'assistant', content: 'Done.' }, next],
    ]) {
      const body = { ...claude, context_management: { edits }, messages };
      await post('/v1/messages', body);
      expect(sent()).toEqual(body);
    }
    expect(codesOf(warnings)).toEqual(['provider-compacts']);
  });

  test('is offered no tool of ours', async () => {
    const hiddenTool = { name: 'recall', description: '', parameters: {}, run: async () => '' };
    const { post, sent } = await setUp(startAnthropicServer, { hiddenTool });
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    const body = { ...claude, tools, context_management: { edits }, messages: [next] };
    await post('/v1/messages', body);
    expect(sent()).toEqual(body);
  });

  test('is made smaller nevertheless if the provider says that it is too large', async () => {
    const { post, server } = await setUp(() => startAnthropicServer({ window: 6_000 }));
    const compaction = { type: 'summarize' };
    const { stop_reason } = await post('/v1/messages', { ...claude, compaction, messages: [...long, next] });
    expect([stop_reason, server.overflowed, server.invalid]).toEqual(['compaction', 1, 0]);
  });

  test('is managed as before if no summary could be written', async () => {
    const { post, sent } = await setUp(startAnthropicServer);
    const content = [{ type: 'compaction', content: null } as const, { type: 'text', text: 'Hm.' } as const];
    const failed = { role: 'assistant', content };
    await post('/v1/messages', { ...claude, messages: [...long, next, failed, next] });
    expect(sent()?.messages).not.toContainEqual(long[0]);
  });
});
