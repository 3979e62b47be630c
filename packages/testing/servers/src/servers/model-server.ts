import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fields } from '@ctx/core/codec';
import type { AnswerEndpoint, Dialect } from './dialect.js';
import { Refusal } from './dialect.js';
import { cacheLifetime } from './lifetimes.js';
import { newestIn, seenIn } from './reading.js';
import { bodyOf, jsonIn, type ReceivedRequest } from './received-request.js';
import { agentScript, type Script } from './script.js';
import type { ServerFault } from './send.js';
import { faultReply, jsonReply, type Reply, send, streamReply } from './send.js';
import { TokenLedger } from './tokens.js';

export interface ModelServerOptions {
  /** How the model answers. Default `agentScript()`. */
  readonly script?: Script;
  /** Tokens of the largest request that is answered. Default: no limit. */
  readonly window?: number;
  /** Requests for an answer, counted from 1, that are refused as too long although they fit. Default: none. */
  readonly overflowAt?: readonly number[];
  /** Whether a streaming client learns of an overflow by status 400, or by an event in the stream. Default `status`. */
  readonly overflowBy?: 'status' | 'stream';
  /** Faults by the number of the request for an answer, counted from 1. Default: none. */
  readonly faults?: Readonly<Record<number, ServerFault>>;
  /** Bytes of each piece in which a reply is sent; 1 cuts through events and characters. Default: whole events. */
  readonly chunkBytes?: number;
  /** The time in ms, by which caches and threads expire. Default: it stands still. */
  readonly now?: () => number;
  /** Compresses replies for clients that accept gzip. Default false. */
  readonly compress?: boolean;
  /**
   * What a tool of the agent returns for a call; `undefined` for a tool of somebody else. A request whose newest results do not have it word for
   * word, although with them it would have four fifths of the window at most, is refused. Default: results may be anything.
   */
  readonly resultOf?: ((name: string, input: unknown) => string | undefined) | undefined;
}

export interface ModelServer {
  /** The address on loopback, without a path. */
  readonly url: string;
  /** Every request in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  readonly accepted: number;
  /** Requests that got an error for what they were: the invalid, the overflowed, and those without key or endpoint. */
  readonly refused: number;
  /** Requests that broke a rule of the provider. */
  readonly invalid: number;
  /** Requests that were too long, or that were to be refused as too long; also those of which the provider drops a part without a word. */
  readonly overflowed: number;
  /** The errors of refused requests, in the order of arrival. */
  readonly problems: readonly string[];
  close(): Promise<unknown>;
}

/** The share of a window that surely fits: clients estimate tokens, and keep room for the answer. */
const surely = 0.8;
/** Longer than any test. */
const keepAliveMs = 3_600_000;

/** Starts a server on loopback that speaks a provider's dialect. */
export async function startModelServer(
  dialect: Dialect,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const log: ReceivedRequest[] = [];
  const model = new Model(dialect, options);
  const server = createServer(async (request, response) => {
    const { raw, body } = await bodyOf(request);
    const handled = model.handle(request, body);
    const { reply, fault, ...rest } = handled;
    log.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body,
      ...rest,
    });
    send(request, response, reply, { ...options, ...(fault === undefined ? {} : { fault }) });
  });
  // On a busy machine a client may take longer than the usual 5 s to use a connection again, just while it is closed.
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const having = (...outcomes: string[]) => log.filter(({ outcome }) => outcomes.includes(outcome));
  return {
    url: `http://127.0.0.1:${port}`,
    requests: log,
    get accepted() {
      return having('accepted').length;
    },
    get refused() {
      return having('refused', 'invalid', 'overflow').length;
    },
    get invalid() {
      return having('invalid').length;
    },
    get overflowed() {
      return having('overflow', 'truncated').length;
    },
    get problems() {
      return having('refused', 'invalid', 'overflow', 'truncated').map(({ problem = '' }) => problem);
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

interface Handled
  extends Pick<ReceivedRequest, 'json' | 'number' | 'tokens' | 'cached' | 'outcome' | 'problem'> {
  readonly reply: Reply;
  readonly fault?: ServerFault;
}

/** Answers requests one by one, and remembers which calls it made in which round. */
class Model {
  readonly #dialect: Dialect;
  readonly #options: ModelServerOptions;
  readonly #script: Script;
  readonly #ledger = new TokenLedger();
  readonly #rounds = new Map<string, number>();
  #answers = 0;
  /** The window that the newest refusal named; nothing after an answer. */
  #named = Number.POSITIVE_INFINITY;

  constructor(dialect: Dialect, options: ModelServerOptions) {
    this.#dialect = dialect;
    this.#options = options;
    this.#script = options.script ?? agentScript();
  }

  handle(request: IncomingMessage, body: Buffer): Handled {
    const known: { json?: Fields; number?: number; tokens?: number; cached?: number } = {};
    try {
      return { ...this.#respond(request, body, known), ...known };
    } catch (error) {
      // A fault of this server's own must show in a test, and not leave the client waiting.
      const { kind, message, ...refusal } = error instanceof Refusal ? error : ownFault(error);
      const reply = jsonReply(refusal.status, refusal.body, refusal.headers);
      return { ...known, outcome: kind === 'other' ? 'refused' : kind, problem: message, reply };
    }
  }

  #respond(request: IncomingMessage, body: Buffer, known: Writable<Known>): Handled {
    const { method = '' } = request;
    const url = new URL(request.url ?? '', 'http://loopback');
    const endpoint = this.#dialect.endpoint(url.pathname, url.searchParams);
    if (endpoint === undefined || method !== 'POST') throw this.#dialect.unknownPath(method, url.pathname);
    if (endpoint.kind === 'answer') {
      this.#answers += 1;
      known.number = this.#answers;
    }
    const fault = this.#options.faults?.[known.number ?? 0];
    const instead = fault && faultReply(fault, this.#dialect.failure);
    if (instead !== undefined) return { outcome: 'fault', reply: instead };
    const refusal = this.#dialect.gatekeeper(request.headers, url.searchParams);
    if (refusal !== undefined) throw refusal;
    const json = jsonIn(body);
    if (json === undefined) throw this.#dialect.notJson();
    known.json = json;
    endpoint.check(json);
    const now = this.#options.now?.() ?? 0;
    const { tokens, cached } = this.#ledger.measure(endpoint.segments(json), now, cacheLifetime(json));
    known.tokens = tokens;
    if (endpoint.kind === 'count')
      return { outcome: 'accepted', reply: jsonReply(200, endpoint.counted(tokens)) };
    known.cached = cached;
    this.#checkNewest(endpoint, json, tokens);
    const reply = this.#reply(endpoint, json, known);
    if ('outcome' in reply) return reply;
    return fault === undefined
      ? { outcome: 'accepted', reply }
      : { outcome: 'fault', problem: fault.type, reply, fault };
  }

  /** Refuses results that are not what the agent's tools have returned, unless that would not fit. */
  #checkNewest(endpoint: AnswerEndpoint, json: Fields, tokens: number): void {
    const { resultOf } = this.#options;
    if (resultOf === undefined) return;
    const window = this.#windowOf(endpoint, json);
    const other = newestIn(endpoint.read(json)).flatMap(({ name, input, result }) => {
      const due = resultOf(name, input);
      const isThere = due === undefined || JSON.stringify(result).includes(JSON.stringify(due).slice(1, -1));
      return isThere ? [] : [{ name, more: this.#ledger.count(due) - this.#ledger.count(result) }];
    });
    const whole = other.reduce((sum, { more }) => sum + more, tokens);
    if (other.length === 0 || whole > surely * Math.min(window, this.#named)) return;
    const names = other.map(({ name }) => name).join(', ');
    const message = `the newest results (${names}) are not what the agent sent, although ${whole} tokens fit into ${window}`;
    throw new Refusal('invalid', 400, message, { error: { message, type: 'invalid_request_error' } });
  }

  #reply(endpoint: AnswerEndpoint, json: Fields, { number = 0, tokens = 0, cached = 0 }: Known) {
    const { overflowAt = [], overflowBy } = this.#options;
    const window = this.#windowOf(endpoint, json);
    const isForced = overflowAt.includes(number);
    const streams = endpoint.asksForStream(json);
    if (tokens > window || isForced) {
      this.#named = isForced ? Math.min(window, tokens - 1) : window;
      const tokensOf = (request: Fields) => this.#ledger.total(endpoint.segments(request));
      const shorter = endpoint.truncated?.(json, (one) => tokensOf(one) <= this.#named);
      if (shorter !== undefined) {
        const reply = this.#answered(endpoint, shorter, { tokens: tokensOf(shorter) });
        return {
          outcome: 'truncated',
          problem: `${tokens} tokens were cut to ${this.#named}`,
          reply,
        } as const;
      }
      const refusal = endpoint.overflow(tokens, this.#named);
      if (!streams || overflowBy !== 'stream') throw refusal;
      const reply = streamReply(endpoint.streamType, endpoint.overflowEvents(refusal, json));
      return { outcome: 'overflow', problem: refusal.message, reply } as const;
    }
    this.#named = Number.POSITIVE_INFINITY;
    return this.#answered(endpoint, json, { tokens, cached });
  }

  /** The window of the server, or a smaller one that the request itself sets. */
  #windowOf(endpoint: AnswerEndpoint, json: Fields): number {
    const { window = Number.POSITIVE_INFINITY } = this.#options;
    return Math.min(window, endpoint.windowOf?.(json) ?? window);
  }

  #answered(endpoint: AnswerEndpoint, json: Fields, { tokens = 0, cached = 0 }: Known): Reply {
    const { answered, shown, ...seen } = seenIn(endpoint.read(json));
    const round = answered === undefined ? 0 : (this.#rounds.get(answered) ?? shown);
    const turn = this.#script({ ...seen, round });
    const output = this.#ledger.count(turn);
    const answer = endpoint.answer(json, turn, { input: tokens, cached, output });
    if (answer.key !== undefined) this.#rounds.set(answer.key, round + 1);
    return endpoint.asksForStream(json)
      ? streamReply(endpoint.streamType, endpoint.events(answer, json))
      : jsonReply(200, answer.body);
  }
}

function ownFault(error: unknown): Refusal {
  const problem = String(error instanceof Error ? error.stack : error);
  return new Refusal('other', 500, problem, { error: { message: problem } });
}

type Known = Pick<ReceivedRequest, 'json' | 'number' | 'tokens' | 'cached'>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };
