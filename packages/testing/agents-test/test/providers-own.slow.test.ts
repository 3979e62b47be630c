import Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '@ctx/core';
import { contextFetch } from '@ctx/fetch';
import { type ModelServer, startAnthropicServer, startOpenAiServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import OpenAI from 'openai-7';
import { opened } from './kit.js';

type Settings = NonNullable<NonNullable<Parameters<typeof contextFetch>[0]>['config']>;

async function setUp(start: () => Promise<ModelServer>, config: Settings = {}) {
  const server = await opened(start());
  const warnings: string[] = [];
  const reports: Usage[] = [];
  const fetch = contextFetch({
    config: { contextWindow: 6_000, ...config },
    onManager: (manager) => manager.on('usage-report', ({ usage }) => reports.push(usage)),
    onWarning: ({ code }) => warnings.push(code),
  });
  const bodies = () => server.requests.map(({ json }) => json as Record<string, unknown>);
  return { server, warnings, reports, fetch, bodies };
}

// biome-ignore lint/suspicious/noExplicitAny: histories of two SDKs in one test
type Entry = any;

/** How a client has its provider compact a conversation, and goes on after it. */
interface Compaction {
  readonly start: () => Promise<ModelServer>;
  readonly list: 'messages' | 'input';
  /** What is sent to have it compacted. @default the whole history */
  asked?(history: Entry[]): Entry[];
  /** Asks for the next turn. */
  ask(set: SetUp, history: Entry[]): Promise<Entry[]>;
  /** Has the conversation compacted; gives what the client goes on with. */
  compact(set: SetUp, history: Entry[]): Promise<Entry[]>;
}
type SetUp = Awaited<ReturnType<typeof setUp>>;

const claude = { model: 'claude-sonnet-5-5', max_tokens: 100, thinking: { type: 'adaptive' as const } };
const gpt = { model: 'gpt-6.1', store: false, include: ['reasoning.encrypted_content' as const] };
const anthropicOf = ({ server, fetch }: SetUp) =>
  new Anthropic({ apiKey: 'sk-test', baseURL: server.url, fetch }).beta.messages;
const openaiOf = ({ server, fetch }: SetUp) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: `${server.url}/v1`, fetch }).responses;

const anthropic = {
  start: startAnthropicServer,
  list: 'messages' as const,
  async ask(set: SetUp, messages: Entry[]) {
    const { content } = await anthropicOf(set).create({ ...claude, messages });
    return [{ role: 'assistant', content }];
  },
};
const openai = {
  start: startOpenAiServer,
  list: 'input' as const,
  ask: async (set: SetUp, input: Entry[]) => (await openaiOf(set).create({ ...gpt, input })).output,
};

const trigger = { type: 'compaction_trigger' as const };

const compactions: Readonly<Record<string, Compaction>> = {
  'a signed block of Anthropic, on demand, streamed': {
    ...anthropic,
    asked: (messages) => messages.slice(0, -2),
    async compact(set, messages) {
      // The newest turns stay as they are, with their thinking.
      const [older, newer] = [messages.slice(0, -2), messages.slice(-2)];
      const body = { ...claude, messages: older, compaction: { type: 'summarize' as const } };
      const { content, stop_reason } = await anthropicOf(set).stream(body).finalMessage();
      expect(stop_reason).toBe('compaction');
      return [{ role: 'assistant', content }, ...newer];
    },
  },
  'a block of Anthropic, from a threshold on': {
    ...anthropic,
    async compact(set, messages) {
      const trigger = { type: 'input_tokens' as const, value: 1_000 };
      const edits = [{ type: 'compact_20260112' as const, trigger }];
      const betas = ['compact-2026-01-12'];
      const body = { ...claude, messages, context_management: { edits }, betas };
      const { content } = await anthropicOf(set).create(body);
      expect(content[0]?.type).toBe('compaction');
      return [...messages, { role: 'assistant', content }];
    },
  },
  'an item of OpenAI, asked for by an item, streamed': {
    ...openai,
    asked: (input) => [...input, trigger],
    async compact(set, history) {
      const request = { ...gpt, input: [...history, trigger] };
      return (await openaiOf(set).stream(request).finalResponse()).output;
    },
  },
  'an item of OpenAI, from a threshold on': {
    ...openai,
    async compact(set, input) {
      const context_management = [{ type: 'compaction', compact_threshold: 1_000 }];
      const { output } = await openaiOf(set).create({ ...gpt, input, context_management });
      expect(output[0]?.type).toBe('compaction');
      return [...input, ...output];
    },
  },
  'an item of OpenAI, from the endpoint for it': {
    ...openai,
    compact: async (set, input) => (await openaiOf(set).compact({ model: gpt.model, input })).output,
  },
};

const isBlock = (entry: Entry) =>
  [entry, ...(Array.isArray(entry.content) ? entry.content : [])].some(({ type }) => type === 'compaction');

describe.each(Object.entries(compactions))('a provider’s own compaction: %s', (_, form) => {
  const turn = (at: number) => ({ role: 'user', content: words(250, `turn${at}_`) });
  const sentBy = (set: SetUp): Entry[] => set.bodies().at(-1)?.[form.list] as Entry[];

  test('is asked for with everything, and what it made stays first and whole', async () => {
    const set = await setUp(form.start);
    const unmanaged = { ...set, fetch: globalThis.fetch };
    const history: Entry[] = [];
    for (let at = 0; at < 25; at += 1) {
      history.push(turn(at));
      history.push(...(await form.ask(unmanaged, history)));
    }
    const going = await form.compact(set, history);
    expect(sentBy(set)).toEqual(form.asked?.(history) ?? history);
    const first = going.findIndex(isBlock);
    const before = going.slice(0, first + 1);
    for (let at = 0; at < 25; at += 1) {
      going.push(turn(at));
      going.push(...(await form.ask(set, going)));
      expect(sentBy(set).slice(0, first + 1)).toEqual(before);
      expect(sentBy(set).filter(isBlock)).toHaveLength(1);
    }
    expect(sentBy(set).length - first).toBeLessThan((going.length - first) / 2);
    expect(set.server.problems).toEqual([]);
  });
});

test.each([
  ['kept', ['prefix_mismatch']],
  ['bound', []],
] as const)(
  'OpenAI drops reasoning behind a compression if it is %s, and the report says so: %j',
  async (reasoning, dropped) => {
    const set = await setUp(startOpenAiServer, { reasoning });
    const history: Entry[] = [];
    for (let at = 0; at < 25; at += 1) {
      history.push({ role: 'user', content: words(250, `turn${at}_`) });
      history.push(...(await openai.ask(set, history)));
    }
    expect(set.reports).toHaveLength(25);
    const behind = set.reports.flatMap(({ droppedReasoning = [] }) => droppedReasoning);
    expect([...new Set(behind)]).toEqual(dropped);
    expect(set.server.problems).toEqual([]);
  },
);

test('why the cache was not read is in the report of the request, also of a stream', async () => {
  const set = await setUp(startAnthropicServer);
  const ask = async (content: string, previous_message_id: string | null) => {
    const diagnostics = { previous_message_id };
    const messages = [{ role: 'user' as const, content }];
    return anthropicOf(set)
      .stream({ ...claude, messages, diagnostics })
      .finalMessage();
  };
  const { id } = await ask('Look.', null);
  await ask('Another history.', id);
  expect(set.reports.map(({ cacheMiss }) => cacheMiss)).toEqual([undefined, 'messages_changed']);
});
