import type { Warning } from '@ctx/conversation';
import { startAnthropicServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { closedAfter } from './server.js';

// biome-ignore lint/suspicious/noExplicitAny: what a test sends and gets is JSON of any form
type Json = any;

async function setUp(start: () => ReturnType<typeof startAnthropicServer>, own: ContextFetchOptions = {}) {
  const server = await closedAfter(start());
  const warnings: Warning[] = [];
  const send = contextFetch({
    config: { contextWindow: 4_000 },
    onWarning: (warning) => warnings.push(warning),
    ...own,
  });
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'sk-ann',
    authorization: 'Bearer sk-ann',
  };
  const post = async (path: string, body: unknown): Promise<Json> => {
    const response = await send(`${server.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return response.json();
  };
  /** What the server got last. */
  const sent = () => server.requests.at(-1)?.json;
  return { server, warnings, post, sent };
}

const claude = { model: 'claude-sonnet-5-5', max_tokens: 100 };

describe('a message thread', () => {
  const begin = async () => {
    const all = await setUp(startAnthropicServer);
    const messages = [{ role: 'user', content: `Read this.\n${words(3_000, 'first')}` }];
    const created = { ...claude, thread: { type: 'create' }, messages };
    const { id } = await all.post('/v1/messages', created);
    expect(all.sent()).toEqual(created);
    return { ...all, thread: { type: 'continue', previous_message_id: id } };
  };

  test('is continued by what the client sends, and not cut as if that were everything', async () => {
    const { post, sent, server, thread, warnings } = await begin();
    const messages = [{ role: 'user', content: `Now this.\n${words(5_000, 'second')}` }];
    const continued = { ...claude, thread, messages };
    await post('/v1/messages', continued);
    expect(sent()).toEqual(continued);
    expect(server.problems).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['message-thread']);
    expect(warnings[0]?.message).toContain('toolRunner({ thread: false');
  });
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
    expect(warnings.map(({ code }) => code)).toEqual(['provider-compacts']);
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
    const failed = {
      role: 'assistant',
      content: [
        { type: 'compaction', content: null },
        { type: 'text', text: 'Hm.' },
      ],
    };
    await post('/v1/messages', { ...claude, messages: [...long, next, failed, next] });
    expect(sent()?.messages).not.toContainEqual(long[0]);
  });

  test('brings the provider’s own error if a block of it is sent twice', async () => {
    const { post, sent } = await setUp(startAnthropicServer);
    const { content } = await post('/v1/messages', {
      ...claude,
      compaction: { type: 'summarize' },
      messages: [next],
    });
    const block = { role: 'assistant', content };
    const messages = [block, next, block, next];
    const { error } = await post('/v1/messages', { ...claude, messages });
    expect(error.message).toContain('compaction_block_ambiguous');
    expect(sent()?.messages).toEqual(messages);
  });

  test('brings the provider’s own error if its block is of another model', async () => {
    const { post, sent, server } = await setUp(startAnthropicServer);
    const block = { type: 'compaction', content: 'So far.', encrypted_content: null, signature: 'sig_other' };
    const messages = [{ role: 'assistant', content: [block] }, next];
    const { error } = await post('/v1/messages', { ...claude, messages });
    expect(error.message).toContain('compaction_signature_invalid');
    expect(sent()?.messages).toEqual(messages);
    expect(server.requests).toHaveLength(1);
  });
});
