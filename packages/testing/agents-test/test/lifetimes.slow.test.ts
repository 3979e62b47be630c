import Anthropic from '@anthropic-ai/sdk';
import { memoryStateStore } from '@ctx/conversation';
import type { Usage } from '@ctx/core';
import { contextFetch } from '@ctx/fetch';
import {
  type ModelServer,
  type ModelServerOptions,
  startAnthropicServer,
  startOpenAiServer,
} from '@ctx/servers';
import { words } from '@ctx/testing';
import OpenAI from 'openai-7';
import { opened } from './kit.js';

const minute = 60_000;
const turns = 25;
const said = (at: number) => ({
  role: 'user' as const,
  content: `turn ${at} ${words(250)}`,
});

// biome-ignore lint/suspicious/noExplicitAny: histories of two SDKs in one test
type Entry = any;

interface Client {
  readonly start: (options: ModelServerOptions) => Promise<ModelServer>;
  readonly models: readonly [string, string];
  /** Asks for the next answer; what was withheld from the model is not empty. */
  ask(
    server: ModelServer,
    fetch: typeof globalThis.fetch,
    model: string,
    history: Entry[],
  ): Promise<{ readonly entries: Entry[]; readonly dropped: readonly unknown[] }>;
}

const anthropic = (prefix_mismatch_behavior: 'error' | 'drop_block', isStream: boolean): Client => ({
  start: startAnthropicServer,
  models: ['claude-opus-5-5', 'claude-sonnet-5-5'],
  async ask(server, fetch, model, messages) {
    const { messages: api } = new Anthropic({ apiKey: 'sk-test', baseURL: server.url, fetch, maxRetries: 0 })
      .beta;
    const thinking = { type: 'adaptive' as const, block_binding: { prefix_mismatch_behavior } };
    const cache_control = { type: 'ephemeral' as const };
    const body = { model, max_tokens: 100, thinking, messages, cache_control };
    const answer = isStream ? await api.stream(body).finalMessage() : await api.create(body);
    const { content, input_transformations: dropped } = answer as Entry;
    return { entries: [{ role: 'assistant', content }], dropped: dropped ?? [] };
  },
});

const openai = (isStream: boolean): Client => ({
  start: startOpenAiServer,
  models: ['gpt-6.1', 'gpt-6.1-mini'],
  async ask(server, fetch, model, input) {
    const { responses } = new OpenAI({
      apiKey: 'sk-test',
      baseURL: `${server.url}/v1`,
      fetch,
      maxRetries: 0,
    });
    const body = { model, input, store: false, include: ['reasoning.encrypted_content' as const] };
    const answer = isStream ? await responses.stream(body).finalResponse() : await responses.create(body);
    // The SDK adds what it has read in a text.
    const entries = JSON.parse(
      JSON.stringify(answer.output, (key, one) => (key === 'parsed' ? undefined : one)),
    );
    return { entries, dropped: (answer as Entry).input_transformations ?? [] };
  },
});

test.each([
  ['Anthropic, which refuses', anthropic('error', false)],
  ['Anthropic, which drops, streamed', anthropic('drop_block', true)],
  ['OpenAI, which drops', openai(false)],
  ['OpenAI, which drops, streamed', openai(true)],
])(
  'bound reasoning outlives a cold cache, a restart and another model: %s',
  async (_, { start, models, ask }) => {
    let time = 0;
    const now = () => time;
    const server = await opened(start({ now }));
    const reasons = new Set<string>();
    const reports: Usage[] = [];
    const states = memoryStateStore();
    const process = () =>
      contextFetch({
        config: { contextWindow: 8_000, reasoning: 'bound' },
        now,
        states,
        onManager(manager) {
          manager.on('compression-end', ({ record }) => reasons.add(record.reason));
          manager.on('usage-report', ({ usage }) => reports.push(usage));
        },
        onWarning: () => {},
      });
    let fetch = process();
    const history: Entry[] = [];
    for (let at = 0; at < turns; at += 1) {
      if (at === 15) time += 120 * minute;
      // Killed without a word, and in the middle of a task.
      if (at % 7 === 6) fetch = process();
      history.push(said(at));
      const { entries, dropped } = await ask(server, fetch, models[at < 19 ? 0 : 1] as string, history);
      expect(dropped).toEqual([]);
      history.push(...entries);
    }
    expect(server.problems).toEqual([]);
    expect(server.requests).toHaveLength(turns);
    expect(server.requests[15]?.cached).toBe(0);
    expect(reasons).toContain('the cache had expired');
    expect(reasons.size).toBeGreaterThan(1);
    expect(reports.flatMap(({ droppedReasoning = [] }) => droppedReasoning)).toEqual([]);
    // What was sent before is read from the cache, apart from the first request and those behind a compression.
    const warm = server.requests.filter(({ cached = 0, tokens = 1 }) => cached / tokens > 0.5);
    expect(warm.length).toBeGreaterThan(turns / 2);
  },
);
