import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import { startProxy } from '@ctx/proxy';
import { VirtualTime } from '@ctx/testing';
import { type AskedRequest, tokensOf } from './request-laws.js';
import type { RequestSetup } from './request-setup.js';

/** What became of a request: each body that arrived for it, and its answer. */
export interface Arrival {
  readonly asked: AskedRequest;
  readonly arrived: readonly string[];
  /** How many had arrived before it. */
  readonly before: number;
  readonly status: number;
  readonly text: string;
}

/** Sends requests to a provider of its own, through what keeps them in their window. */
export interface Sender {
  /** What ctx has warned of. */
  readonly warnings: readonly string[];
  send(asked: AskedRequest): Promise<Arrival>;
  close(): Promise<unknown>;
}

/** Breaks something on the way, to test that it is found. */
export interface RequestPlant {
  /** Changes the body of a request before it arrives; requests are numbered from 1. */
  readonly arrives?: (body: string, number: number) => string;
  readonly options?: CommonOptions;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** What contextFetch and the proxy both take. */
type CommonOptions = Pick<
  ContextFetchOptions,
  'config' | 'conversation' | 'counter' | 'slices' | 'wait' | 'onWarning'
>;

/** Names the request, on its way to the provider. */
const caseHeader = 'x-case';
const paths = { chat: '/v1/chat/completions', messages: '/v1/messages' };

export async function senderFor(
  setup: RequestSetup,
  { arrives, options: others }: RequestPlant,
): Promise<Sender> {
  const arrivals: string[][] = [];
  const firsts: number[] = [];
  let number = 0;
  const atOnce = new AtOnce();
  const reply = async (at: number, sent: string): Promise<Reply> => {
    firsts[at] ??= number;
    number += 1;
    const body = arrives?.(sent, number) ?? sent;
    arrivals[at]?.push(body);
    await atOnce.arrived(at);
    return replyTo(body, setup);
  };
  const warnings: string[] = [];
  const options: CommonOptions = {
    config: { contextWindow: setup.window, reserve: setup.reserve, throttleMs: 0 },
    counter: { count: tokensOf },
    // Pauses come after so many steps, not after some time: a seed is the same on every machine.
    slices: { clock: () => 0 },
    wait: new VirtualTime().wait,
    onWarning: ({ code, message }) => void warnings.push(`${code}: ${message}`),
    ...others,
  };
  const through = setup.through === 'fetch' ? byFetch(options, reply) : await byProxy(options, reply);
  return {
    warnings,
    async send(asked) {
      const arrived: string[] = [];
      const at = arrivals.push(arrived) - 1;
      atOnce.asked(at);
      const headers = {
        'content-type': 'application/json',
        authorization: 'Bearer key',
        [caseHeader]: String(at),
      };
      const response = await through.fetch(`${through.url}${paths[asked.form]}`, {
        method: 'POST',
        headers,
        body: asked.body,
      });
      const text = await response.text();
      return { asked, arrived, before: firsts[at] ?? number, status: response.status, text };
    },
    close: through.close,
  };
}

/**
 * Lets requests that are asked at once be answered when all of them have arrived: what one of them learns from its answer, no other of them
 * can know.
 */
class AtOnce {
  readonly #missing = new Set<number>();
  #open: (() => void)[] = [];

  asked(at: number): void {
    this.#missing.add(at);
  }

  async arrived(at: number): Promise<void> {
    this.#missing.delete(at);
    if (this.#missing.size > 0) return new Promise((resolve) => this.#open.push(resolve));
    for (const open of this.#open.splice(0)) open();
  }
}

type Replying = (at: number, body: string) => Promise<Reply>;

function byFetch(options: CommonOptions, reply: Replying) {
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, { ...init, duplex: 'half' } as RequestInit);
    const { status, text } = await reply(Number(request.headers.get(caseHeader)), await request.text());
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
  return {
    url: 'http://provider.invalid',
    fetch: contextFetch({ ...options, send }),
    close: async () => undefined,
  };
}

async function byProxy(options: CommonOptions, reply: Replying) {
  const provider = createServer(async (request, response) => {
    const { status, text } = await reply(Number(request.headers[caseHeader]), await bodyOf(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const proxy = await startProxy({ ...options, upstream, port: 0, environment: {} });
  return {
    url: proxy.url,
    fetch,
    async close() {
      await proxy.close();
      await new Promise((resolve) => provider.close(resolve).closeAllConnections());
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** What a provider says: an answer, or that the request is too long. */
function replyTo(body: string, { form, window, tells }: RequestSetup): Reply {
  const tokens = tokensOf(body);
  const { answer, usage, tooLong } = replies[form];
  if (tokens > window) return { status: 400, text: JSON.stringify(tooLong(tokens, window)) };
  return { status: 200, text: JSON.stringify({ ...answer, ...(tells && { usage: usage(tokens) }) }) };
}

const type = 'invalid_request_error';
const replies = {
  chat: {
    answer: { choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] },
    usage: (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 1 }),
    tooLong(tokens: number, window: number) {
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`;
      return { error: { message, type, code: 'context_length_exceeded' } };
    },
  },
  messages: {
    answer: {
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'ok' }],
    },
    usage: (input_tokens: number) => ({ input_tokens, output_tokens: 1 }),
    tooLong(tokens: number, window: number) {
      const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
      return { type: 'error', error: { type, message } };
    },
  },
};
