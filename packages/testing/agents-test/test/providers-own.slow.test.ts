import Anthropic from '@anthropic-ai/sdk';
import { contextFetch } from '@ctx/fetch';
import { type ModelServer, startAnthropicServer } from '@ctx/servers';
import { words } from '@ctx/testing';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function setUp(start: () => Promise<ModelServer>) {
  const server = await start();
  closing.push(server.close);
  const warnings: string[] = [];
  const fetch = contextFetch({
    config: { contextWindow: 6_000 },
    onWarning: ({ code }) => warnings.push(code),
  });
  const bodies = () => server.requests.map(({ json }) => json as Record<string, unknown>);
  return { server, warnings, fetch, bodies };
}

describe('the threads that the tool runner of Anthropic’s SDK uses by default', () => {
  const run = async (options: { readonly thread?: false }) => {
    const { server, warnings, fetch, bodies } = await setUp(startAnthropicServer);
    const client = new Anthropic({ apiKey: 'sk-test', baseURL: server.url, fetch });
    const read = {
      type: 'custom' as const,
      name: 'read_file',
      description: 'Reads a file',
      input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
      parse: (input: unknown) => input,
      run: () => words(900, 'file'),
    };
    const message = await client.beta.messages.toolRunner({
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: `Look at all of it.\n${words(1_000, 'task')}` }],
      tools: [read],
      ...options,
    });
    expect(message.stop_reason).toBe('end_turn');
    expect(server.problems).toEqual([]);
    return { bodies: bodies(), warnings };
  };

  test('are sent as they are, with one warning', async () => {
    const { bodies, warnings } = await run({});
    expect(bodies.map(({ thread }) => (thread as { type: string }).type)).toEqual([
      'create',
      'continue',
      'continue',
      'continue',
    ]);
    const continued = bodies.slice(1).map(({ messages }) => messages as unknown[]);
    expect(continued.map((messages) => messages.length)).toEqual([1, 1, 1]);
    for (const messages of continued) expect(JSON.stringify(messages)).toContain(words(900, 'file'));
    expect(warnings).toEqual(['message-thread']);
  });

  test('can be switched off, and then the conversation is managed', async () => {
    const { bodies, warnings } = await run({ thread: false });
    expect(bodies.map(({ thread }) => thread)).toEqual([undefined, undefined, undefined, undefined]);
    expect(JSON.stringify(bodies.at(-1)).split(words(900, 'file')).length).toBeLessThan(4);
    expect(warnings).toEqual([]);
  });
});
