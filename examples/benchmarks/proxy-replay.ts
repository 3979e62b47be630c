// Replays recorded sessions as requests through the proxy, and says what they cost beside the same requests without it (packages/adapters/proxy/README.md).
// Start: npx tsx examples/benchmarks/proxy-replay.ts [path ...] [--shares 1,0.5,0.33] [--each]
// Build first. Without a path: examples/sessions, and ../shared/data if it is there.
// A share is the window as a part of what the session needs; 'model' is the window of the session's own model.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchSession, loadCounter, loadSessions, markdownTable, sessionFiles } from '@ctx/bench';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import type { Message } from '@ctx/core';
import { startProxy } from '@ctx/proxy';
import { progress, progressDone } from './progress.js';

/** Prices of an input token from the prompt cache, and of one that is not in it, which is written to it. */
interface Prices {
  readonly cached: number;
  readonly written: number;
}

interface Form {
  readonly path: string;
  readonly prices: Prices;
  body(messages: readonly Message[]): object;
}

/** What a provider caches: everything from the start that it has seen. */
const segmentsOf = (body: Record<string, unknown>): string[] =>
  [body.system, body.systemInstruction, body.messages, body.input, body.contents].flatMap((value) =>
    value === undefined
      ? []
      : Array.isArray(value)
        ? value.map((one) => JSON.stringify(one))
        : [JSON.stringify(value)],
  );

const openaiPrices = { cached: 0.1, written: 1 };
const forms: Readonly<Record<string, Form>> = {
  anthropic: {
    path: '/v1/messages',
    prices: { cached: 0.1, written: 1.25 },
    body: (messages) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 8_000,
      ...anthropicCodec.fromMessages(messages),
    }),
  },
  chat: {
    path: '/v1/chat/completions',
    prices: openaiPrices,
    body: (messages) => ({ model: 'gpt-5', messages: openaiCodec.fromMessages(messages) }),
  },
  responses: {
    path: '/v1/responses',
    prices: openaiPrices,
    body: (messages) => ({ model: 'gpt-5', store: false, input: responsesCodec.fromMessages(messages) }),
  },
  google: {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    prices: { cached: 0.25, written: 1 },
    body: (messages) => googleCodec.fromMessages(messages),
  },
};
const formOf = ({ source }: BenchSession): Form =>
  forms[
    source.includes('codex')
      ? 'responses'
      : source.includes('gemini')
        ? 'google'
        : source.includes('openai')
          ? 'chat'
          : 'anthropic'
  ] as Form;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { shares: { type: 'string', default: 'model,1,0.5,0.33' }, each: { type: 'boolean' } },
});
const paths = positionals.length > 0 ? positionals : [here('../sessions'), here('../../../shared/data')];
const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
const { text: countText } = await loadCounter();
const counted = new Map<string, number>();
const tokensIn = (segment: string) => {
  const tokens = counted.get(segment) ?? countText(segment);
  counted.set(segment, tokens);
  return tokens;
};

/** The price of requests, one after another. */
class Bill {
  tokens = 0;
  price = 0;
  readonly #seen = new Set<string>();

  constructor(readonly prices: Prices) {}

  add(body: Record<string, unknown>): { readonly input: number; readonly cached: number } {
    let [input, cached, prefix] = [0, 0, ''];
    for (const segment of segmentsOf(body)) {
      prefix = `${prefix.length + segment.length} ${hash(prefix + segment)}`;
      const tokens = tokensIn(segment);
      input += tokens;
      if (this.#seen.has(prefix)) cached = input;
      this.#seen.add(prefix);
    }
    this.tokens += input;
    this.price += cached * this.prices.cached + (input - cached) * this.prices.written;
    return { input, cached };
  }
}

const hash = (text: string) => {
  let value = 5381;
  for (let at = 0; at < text.length; at += 1) value = (Math.imul(value, 33) ^ text.charCodeAt(at)) >>> 0;
  return value;
};

/** The requests of a session: one before each answer of the assistant. */
const requestsOf = (session: BenchSession, form: Form) =>
  session.messages.flatMap(({ role }, at) =>
    role === 'assistant' && at > 0
      ? [form.body(session.messages.slice(0, at)) as Record<string, unknown>]
      : [],
  );

interface Result {
  readonly session: string;
  readonly source: string;
  readonly share: string;
  readonly requests: number;
  /** With the proxy as a part of without it. */
  readonly cost: number;
  readonly tokens: number;
  readonly compressions: number;
  readonly passed: number;
}

async function replayed(session: BenchSession, share: string): Promise<Result | undefined> {
  const form = formOf(session);
  const requests = requestsOf(session, form);
  if (requests.length < 2) return undefined;
  const without = new Bill(form.prices);
  const largest = Math.max(...requests.map((body) => without.add(body).input));
  const bill = new Bill(form.prices);
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { input, cached } = bill.add(JSON.parse(Buffer.concat(pieces).toString('utf8')));
      const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, prompt_tokens: input };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ usage: form.path.endsWith('/responses') ? { input_tokens: input } : usage }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const config = share === 'model' ? {} : { contextWindow: Math.ceil(largest * Number(share)) + 1_000 };
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startProxy({ upstream, port: 0, config, onWarning: () => {} });
  for (const body of requests) {
    const response = await fetch(proxy.url + form.path, { method: 'POST', body: JSON.stringify(body) });
    await response.arrayBuffer();
  }
  const { conversations, passed } = proxy.status();
  await proxy.close();
  server.close();
  return {
    session: session.id,
    source: session.source,
    share,
    requests: requests.length,
    cost: bill.price / without.price,
    tokens: bill.tokens / without.tokens,
    compressions: conversations.reduce((sum, one) => sum + one.compressions, 0),
    passed,
  };
}

const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const results: Result[] = [];
for (const session of sessions)
  for (const share of values.shares.split(',')) {
    progress(`${session.id}, ${share}`);
    const result = await replayed(session, share);
    if (result !== undefined) results.push(result);
    if (result !== undefined && values.each) console.log(JSON.stringify(result));
  }
progressDone();
for (const share of values.shares.split(',')) {
  const groups = [...new Set(results.map(({ source }) => source))].map((source) => {
    const all = results.filter((one) => one.source === source && one.share === share);
    const costs = all.map(({ cost }) => cost);
    return [
      source,
      String(all.length),
      String(all.reduce((sum, one) => sum + one.requests, 0)),
      String(all.reduce((sum, one) => sum + one.compressions, 0)),
      median(all.map(({ tokens }) => tokens)).toFixed(2),
      median(costs).toFixed(2),
      Math.max(...costs).toFixed(3),
      String(all.reduce((sum, one) => sum + one.passed, 0)),
    ];
  });
  const head = [
    '',
    'sessions',
    'requests',
    'compressions',
    'tokens, median',
    'cost, median',
    'cost, highest',
    'passed as they came',
  ];
  console.log(`\nwindow: ${share}\n\n${markdownTable(head, groups)}`);
}
