import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isReadEndpoint, largestBody, type RequestReport } from '@ctx/fetch';
import { admitted, isOfTheWeb, tokenHeader } from './access.js';
import { passAnswer, passBody, refuse, responseOf, writeHead } from './answers.js';
import {
  askWhetherGone,
  joined,
  malformedIn,
  type Pieces,
  readBody,
  refuseUpgrade,
} from './client-connection.js';
import { proxyIn } from './env-proxy.js';
import { Ledger, type ProxyStatus, shortId } from './ledger.js';
import { type OpenRequests, openRequests } from './open-requests.js';
import { answerOwn, isOwn } from './own-pages.js';
import { listening, type ProxyOptions } from './proxy-options.js';
import { asHeaders } from './raw-headers.js';
import { UpstreamClient } from './upstream-client.js';
import { invalid, type UpstreamOf, upstreamsOf } from './upstreams.js';

/** A proxy that listens. */
export interface RunningProxy {
  /** The base URL for clients on this machine, without a path. */
  readonly url: string;
  status(): ProxyStatus;
  /**
   * Ends it, and with it what is under way.
   * @param patience ms in which answers that are under way may still come to their end; nothing new is accepted meanwhile. @default 0
   */
  close(patience?: number): Promise<void>;
}

/** Bytes of all headers of a request: some agents send long ones; Node's own limit is 16 kB. */
const largestHeaders = 64 * 1024;
/** Bytes of a body that passes and can be sent again over another connection; a larger one passes as a stream. */
const largestRepeated = 1024 * 1024;
/** Ms that an idle connection of a client stays open: longer than an agent works between two requests. */
const keepAliveMs = 120_000;

/**
 * Starts an HTTP server that agents take for their provider's API. It keeps each conversation that passes inside the window of its model,
 * as `contextFetch` does, and passes everything else byte for byte.
 * @throws ConfigError `config-invalid` for options that cannot work, such as a port that is taken
 */
export async function startProxy(options: ProxyOptions = {}): Promise<RunningProxy> {
  const { port, host, token } = listening(options);
  const { upstream, dryRun = false, onWarning, environment = process.env } = options;
  const upstreamOf = upstreamsOf(upstream);
  const client = new UpstreamClient(proxyIn(environment));
  const ledger = new Ledger(dryRun, options.now ?? Date.now);
  const opened = await openRequests(options, (warning) => {
    ledger.warned(warning);
    onWarning?.(warning);
  });
  const handler = new Handler(opened, upstreamOf, ledger, token, client);
  const close = async () => {
    client.close();
    await opened.close();
  };
  const server = createServer({ maxHeaderSize: largestHeaders, keepAliveTimeout: keepAliveMs });
  // A client that has said all may still listen. Node has this switch, but no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    // Where it is being closed, a connection goes with the answer that was under way.
    response.once('close', () => server.listening || server.closeIdleConnections());
    void handler.handle(request, response);
  });
  server.on('upgrade', refuseUpgrade);
  try {
    await listen(server, port, host);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: urlOf(server),
    status: () => ledger.status(),
    close: async (patience = 0) => {
      const timer = setTimeout(() => server.closeAllConnections(), patience);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearTimeout(timer);
      await close();
    },
  };
}

/** Shared error object, to avoid allocating one per exchange. */
const exchangeEnded = new Error('The exchange has ended.');

class Handler {
  constructor(
    readonly requests: Pick<OpenRequests, 'send'>,
    readonly upstreamOf: UpstreamOf,
    readonly ledger: Ledger,
    readonly token: string | undefined,
    readonly client: UpstreamClient,
  ) {}

  /** Never throws: a failure becomes an answer, or the end of the connection. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const gone = new AbortController();
    const ended = askWhetherGone(request, response);
    response.once('close', () => {
      ended();
      gone.abort(exchangeEnded);
    });
    const malformed = malformedIn(request.rawHeaders);
    if (malformed !== undefined) {
      response.shouldKeepAlive = false;
      return refuse(response, malformed.status, 'bad_request', malformed.problem);
    }
    const path = admitted(request.url ?? '', request.headers[tokenHeader], this.token);
    if (path === undefined) return refuse(response, 401, 'unauthorized', 'The token is missing or wrong.');
    if (!path.startsWith('/')) return refuse(response, 400, 'bad_request', 'The path must begin with "/".');
    if (this.token === undefined && isOfTheWeb(request.headers))
      return refuse(response, 403, 'forbidden', ofTheWeb);
    if (isOwn(path)) return answerOwn(request, response, path, this.ledger.status());
    try {
      this.ledger.requestReceived();
      await this.#pass({ request, response, path, signal: gone.signal });
    } catch (error) {
      if (gone.signal.aborted) return;
      const { code } = error as NodeJS.ErrnoException;
      refuse(
        response,
        502,
        'upstream_unreachable',
        `The upstream does not answer (${code ?? 'unknown error'}).`,
      );
    }
  }

  async #pass(exchange: Exchange): Promise<void> {
    const { request, response, path: asked, signal } = exchange;
    const to = this.upstreamOf(asked, request.headers);
    if (to === undefined) return refuse(response, 400, 'upstream_unknown', upstreamUnknown);
    const { upstream, path } = to;
    const url = new URL(`${upstream.origin}${path}`);
    const isRead = request.method === 'POST' && isReadEndpoint(url);
    const body = await readBody(request, isRead ? largestBody : largestRepeated);
    if (isRead && Array.isArray(body)) return this.#manage({ ...exchange, path }, { url, upstream, body });
    const headers = withoutToken(request.rawHeaders);
    const method = request.method ?? 'GET';
    passAnswer(response, await this.client.send(upstream, { method, path, headers, body, signal }));
  }

  async #manage({ request, response, path, signal }: Exchange, { url, upstream, body }: Call): Promise<void> {
    const raw = withoutToken(request.rawHeaders);
    const init = { method: 'POST', headers: asHeaders(raw), body: joined(body), signal };
    let incoming: IncomingMessage | undefined;
    const send = async (to: unknown, next?: RequestInit) => {
      const isChanged = next !== init;
      // The answer is read on its way, so it must not be compressed. A changed request is sent uncompressed, too.
      const left = isChanged ? ['accept-encoding', 'content-encoding'] : ['accept-encoding'];
      const headers = [...without(raw, left), 'Accept-Encoding', 'identity'];
      const sent = isChanged ? [bytesOf(next?.body as string | Uint8Array)] : body;
      // ctx sends requests of its own, too, such as for a summary.
      const own = to === url ? { path, signal } : ownRequest(String(to), next?.signal ?? signal);
      const answer = await this.client.send(upstream, { method: 'POST', headers, body: sent, ...own });
      if (to === url) incoming = answer;
      return responseOf(answer, asHeaders(answer.rawHeaders));
    };
    const {
      response: answer,
      report,
      isRewritten,
    } = await this.requests.send(url, init, {
      send: send as typeof fetch,
      onUsage: (told, usage) => this.ledger.used(told, usage),
    });
    if (report !== undefined) this.ledger.sent(report);
    const more = report === undefined ? {} : headersOf(report);
    writeHead(response, incoming as IncomingMessage, more, isRewritten ? ['content-length'] : []);
    await passBody(response, answer.body);
  }
}

const ofTheWeb =
  'The request comes from a web page, or under a name that is not of this machine. Use 127.0.0.1 or localhost, or start the proxy with a token and give that.';

const upstreamUnknown =
  'Nothing in the request tells whose API it is for, or it has keys of two providers. Send the header of the provider, such as anthropic-version, or start the proxy with --upstream URL for all requests.';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly signal: AbortSignal;
}

interface Call {
  readonly url: URL;
  readonly upstream: URL;
  readonly body: Pieces;
}

/** What became of a request, for the client's log. */
function headersOf(report: RequestReport): Record<string, string> {
  const { conversation, tokens, savedTokens, compressions, retries, isDryRun } = report;
  return {
    'x-ctx-conversation': shortId(conversation),
    'x-ctx-tokens': String(tokens),
    [isDryRun ? 'x-ctx-would-save' : 'x-ctx-saved']: String(savedTokens),
    'x-ctx-compressions': String(compressions),
    'x-ctx-retries': String(retries),
  };
}

function ownRequest(to: string, signal: AbortSignal) {
  const { pathname, search } = new URL(to);
  return { path: `${pathname}${search}`, signal };
}

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text);

function without(raw: readonly string[], names: readonly string[]): string[] {
  return raw.filter((_, at) => !names.includes((raw[at - (at % 2)] as string).toLowerCase()));
}

const withoutToken = (raw: readonly string[]) => without(raw, [tokenHeader]);

/** @throws ConfigError `config-invalid` for a host or port that cannot be had */
function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
      const isHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
      const remedy = isHost
        ? 'Give an address of this machine.'
        : 'Give another port, or 0 for any that is free.';
      const [place, value] = isHost ? ['host', host] : ['port', port];
      reject(invalid(place as string, value, `The proxy cannot listen there (${code})`, remedy));
    });
    server.listen(port, host, resolve);
  });
}

/** The base URL for clients on this machine. */
function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const isEverywhere = address === '0.0.0.0' || address === '::';
  const name = isEverywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}
