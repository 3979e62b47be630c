import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Fields } from '@ctx/core/codec';
import { type Dialect, type Endpoint, Ids, invalid, Refusal } from './dialect.js';
import { newestIn, seenIn } from './reading.js';
import { bodyOf, jsonIn, type ReceivedRequest } from './received-request.js';
import { agentScript, type Script } from './script.js';
import {
  faultReply,
  jsonReply,
  type Reply,
  type Sending,
  type ServerFault,
  send,
  streamReply,
} from './send.js';
import { cacheLifetime, TokenLedger } from './tokens.js';

export interface ModelServerOptions extends Sending {
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
  /** The time in ms, by which caches and threads expire. Default: it stands still. */
  readonly now?: () => number;
  /**
   * What a tool of the agent returns for a call; `undefined` for a tool of somebody else. A request whose newest results do not have it word for
   * word, although with them it would have four fifths of the window at most, is refused. Default: results may be anything.
   */
  readonly resultOf?: ((name: string, input: unknown) => string | undefined) | undefined;
}

/** A server, and what became of its requests. */
export class ModelServer {
  /** @param close stops it, also where it still answers */
  constructor(
    /** The address on loopback, without a path. */
    readonly url: string,
    /** Every request in the order of arrival. */
    readonly requests: readonly ReceivedRequest[],
    readonly close: () => Promise<unknown>,
  ) {}

  get accepted(): number {
    return this.#having('accepted').length;
  }

  /** Requests that got an error for what they were: the invalid, the overflowed, and those without key or endpoint. */
  get refused(): number {
    return this.#having('refused', 'invalid', 'overflow').length;
  }

  /** Requests that broke a rule of the provider. */
  get invalid(): number {
    return this.#having('invalid').length;
  }

  /** Requests that were too long, or that were to be refused as too long; also those of which the provider drops a part without a word. */
  get overflowed(): number {
    return this.#having('overflow', 'truncated').length;
  }

  /** The errors of refused requests, in the order of arrival. */
  get problems(): readonly string[] {
    return this.#having('refused', 'invalid', 'overflow', 'truncated').map(({ problem = '' }) => problem);
  }

  #having(...outcomes: readonly ReceivedRequest['outcome'][]): readonly ReceivedRequest[] {
    return this.requests.filter(({ outcome }) => outcomes.includes(outcome));
  }
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
    const { method = '', url: path = '', headers } = request;
    const received: Received = { method, path, headers, ...(await bodyOf(request)), outcome: 'accepted' };
    const { reply, fault } = model.handle(received);
    log.push(received);
    send(request, response, reply, { ...options, fault });
  });
  // On a busy machine a client may take longer than the usual 5 s to use a connection again, just while it is closed.
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return new ModelServer(`http://127.0.0.1:${port}`, log, close);
}

/** A request while it is answered. */
type Received = { -readonly [Key in keyof ReceivedRequest]: ReceivedRequest[Key] };

/** Answers requests one by one, and remembers which calls it made in which round. */
class Model {
  readonly #ids = new Ids();
  readonly #ledger = new TokenLedger();
  readonly #rounds = new Map<string, number>();
  #answers = 0;
  /** The window that the newest refusal named; nothing after an answer. */
  #named = Number.POSITIVE_INFINITY;

  constructor(
    readonly dialect: Dialect,
    readonly options: ModelServerOptions,
  ) {}

  /** Says in the request what became of it. */
  handle(received: Received): { readonly reply: Reply; readonly fault?: ServerFault | undefined } {
    try {
      return this.#respond(received);
    } catch (error) {
      // A fault of this server's own must show in a test, and not leave the client waiting.
      const refusal = error instanceof Refusal ? error : new Refusal('refused', 500, inspect(error));
      Object.assign(received, { outcome: refusal.outcome, problem: refusal.message });
      const { status } = refusal;
      return { reply: jsonReply(status, this.dialect.error(refusal), this.dialect.headersOf?.(status)) };
    }
  }

  #respond(received: Received): ReturnType<Model['handle']> {
    const { dialect, options } = this;
    const { words } = dialect;
    const { pathname, searchParams } = new URL(received.path, 'http://loopback');
    const endpoint = dialect.endpoint(pathname, searchParams);
    if (endpoint === undefined || received.method !== 'POST')
      throw new Refusal('refused', 404, words[404].replace('REQUEST', `${received.method} ${pathname}`));
    if (endpoint.counted === undefined) {
      this.#answers += 1;
      received.number = this.#answers;
    }
    const fault = options.faults?.[received.number ?? 0];
    if (fault !== undefined) received.outcome = 'fault';
    const instead = fault && faultReply(fault, dialect);
    if (instead !== undefined) return { reply: instead };
    dialect.admit(received.headers, searchParams);
    const json = jsonIn(received.body);
    if (json === undefined) throw invalid(words[400]);
    received.json = json;
    endpoint.check(json);
    const now = options.now?.() ?? 0;
    const { tokens, cached } = this.#ledger.measure(endpoint.segments(json), now, cacheLifetime(json));
    received.tokens = tokens;
    if (endpoint.counted !== undefined) return { reply: jsonReply(200, endpoint.counted(tokens)) };
    received.cached = cached;
    this.#checkNewest(endpoint, json, tokens);
    if (fault !== undefined) received.problem = fault.type;
    return { reply: this.#reply(endpoint, json, received), fault };
  }

  /** Refuses results that are not what the agent's tools have returned, unless that would not fit. */
  #checkNewest(endpoint: Endpoint, json: Fields, tokens: number): void {
    const { resultOf } = this.options;
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
    throw invalid(
      `the newest results (${names}) are not what the agent sent, although ${whole} tokens fit into ${window}`,
    );
  }

  #reply(endpoint: Endpoint, json: Fields, received: Received): Reply {
    const { overflowAt = [], overflowBy } = this.options;
    const { number = 0, tokens = 0, cached = 0 } = received;
    const window = this.#windowOf(endpoint, json);
    const isForced = overflowAt.includes(number);
    this.#named = Number.POSITIVE_INFINITY;
    if (tokens <= window && !isForced) return this.#answered(endpoint, json, tokens, cached);
    const named = isForced ? Math.min(window, tokens - 1) : window;
    this.#named = named;
    const tokensOf = (request: Fields) => this.#ledger.total(endpoint.segments(request));
    const shorter = endpoint.truncated?.(json, (one) => tokensOf(one) <= named);
    if (shorter !== undefined) {
      const problem = `${tokens} tokens were cut to ${named}`;
      Object.assign(received, { outcome: 'truncated', problem });
      return this.#answered(endpoint, shorter, tokensOf(shorter), 0);
    }
    const refusal = endpoint.overflow(tokens, named);
    if (!endpoint.asksForStream(json) || overflowBy !== 'stream') throw refusal;
    Object.assign(received, { outcome: 'overflow', problem: refusal.message });
    return streamReply(endpoint.streamType, endpoint.overflowEvents(this.dialect.error(refusal), json));
  }

  /** The window of the server, or a smaller one that the request itself sets. */
  #windowOf(endpoint: Endpoint, json: Fields): number {
    const { window = Number.POSITIVE_INFINITY } = this.options;
    return Math.min(window, endpoint.windowOf?.(json) ?? window);
  }

  #answered(endpoint: Endpoint, json: Fields, input: number, cached: number): Reply {
    const { answered, shown, ...seen } = seenIn(endpoint.read(json));
    const round = answered === undefined ? 0 : (this.#rounds.get(answered) ?? shown);
    const turn = (this.options.script ?? agentScript())({ ...seen, round });
    const usage = { input, cached, output: this.#ledger.count(turn) };
    const { body, key } = endpoint.answer(json, turn, usage, this.#ids);
    if (key !== undefined) this.#rounds.set(key, round + 1);
    return endpoint.asksForStream(json)
      ? streamReply(endpoint.streamType, endpoint.events(body, json))
      : jsonReply(200, body);
  }
}
