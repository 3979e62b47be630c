import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { lengthOf, type Pieces } from './client-connection.js';
import { type ProxyFor, proxyHeaders, TunnelAgent } from './env-proxy.js';
import { passedOn, type RawHeaders, valuesOf } from './raw-headers.js';
import { pathAt } from './upstreams.js';

export interface Outgoing {
  readonly method: string;
  /** With its query, as it came. */
  readonly path: string;
  readonly headers: RawHeaders;
  /** A stream passes at the pace of the upstream, over a connection of its own: it cannot be sent a second time. */
  readonly body: Pieces | Readable;
  readonly signal: AbortSignal;
}

/** Sends requests to upstreams over connections that are kept open. Redirects are not followed: they are the client's. */
export class UpstreamClient {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https = new https.Agent({ keepAlive: true });
  readonly #tunnels = new Map<string, TunnelAgent>();

  /** @param proxyFor the HTTP proxy on the way to an upstream */
  constructor(readonly proxyFor: ProxyFor = () => undefined) {}

  /** The head of the answer; its body waits to be read. Throws what `node:http` does. */
  send(upstream: URL, outgoing: Outgoing): Promise<IncomingMessage> {
    return this.#once(upstream, outgoing, true);
  }

  #once(upstream: URL, outgoing: Outgoing, mayRepeat: boolean): Promise<IncomingMessage> {
    const { method, path, headers, body, signal } = outgoing;
    const isSecure = upstream.protocol === 'https:';
    const proxy = this.proxyFor(upstream);
    // Over HTTP a proxy is told the whole address; over HTTPS it passes bytes that it cannot read.
    const asked = proxy !== undefined && !isSecure ? proxy : upstream;
    const whole = Array.isArray(body) ? (body as Pieces) : undefined;
    return new Promise((resolve, reject) => {
      const request = (asked.protocol === 'https:' ? https : http).request({
        protocol: asked.protocol,
        hostname: asked.hostname.replace(/^\[|\]$/g, ''),
        port: asked.port,
        method,
        path: `${asked === upstream ? '' : upstream.origin}${pathAt(upstream, path)}`,
        headers: [
          ...headersFor(upstream, headers, whole),
          ...(asked === upstream ? [] : proxyHeaders(asked)),
        ] as unknown as Record<string, string>,
        agent: this.#agentFor(asked, isSecure ? proxy : undefined, whole !== undefined),
        signal,
      });
      let isSettled = false;
      const failed = (error: NodeJS.ErrnoException) => {
        if (isSettled) return;
        isSettled = true;
        // The upstream has closed a connection while it was taken for another request: it has not seen that one.
        const isLost = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (isLost && mayRepeat && whole !== undefined) resolve(this.#once(upstream, outgoing, false));
        else reject(error);
      };
      const switched = () => {
        failed(withCode('HTTP_101', 'The upstream changes to a protocol that nobody asked for.'));
        request.destroy();
      };
      request.once('response', (incoming) => {
        // Without a protocol Node takes it for an answer, which never ends.
        if (incoming.statusCode === 101) return switched();
        isSettled = true;
        resolve(incoming);
      });
      request.once('upgrade', switched);
      // There may be a second error, which nobody waits for.
      request.on('error', failed);
      request.once('close', () => {
        if (!isSettled) failed(withCode('ECONNRESET', 'The upstream has closed the connection.'));
      });
      if (whole === undefined) pipeline(body as Readable, request, () => {});
      else endWith(request, whole);
    });
  }

  /** @param isKept false for a connection of its own */
  #agentFor(asked: URL, through: URL | undefined, isKept: boolean): http.Agent | false {
    if (through === undefined) return isKept && (asked.protocol === 'https:' ? this.#https : this.#http);
    if (!isKept) return new TunnelAgent(through, { keepAlive: false });
    const known = this.#tunnels.get(through.href) ?? new TunnelAgent(through, { keepAlive: true });
    this.#tunnels.set(through.href, known);
    return known;
  }

  close(): void {
    for (const tunnel of this.#tunnels.values()) tunnel.destroy();
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Writes all pieces at once. */
function endWith(request: ClientRequest, pieces: Pieces): void {
  request.cork();
  for (const piece of pieces) request.write(piece);
  request.end();
}

/** With what says where the body ends, whatever the client's connection was told. */
function headersFor(upstream: URL, headers: RawHeaders, whole: Pieces | undefined): string[] {
  const rest = passedOn(headers, ['host', 'expect', 'content-length']);
  return ['Host', upstream.host, ...rest, ...framing(headers, whole)];
}

/** Node says by itself nothing of where the body of a `GET` ends, and an upstream would take it for further requests. */
function framing(headers: RawHeaders, whole: Pieces | undefined): string[] {
  const [stated] = valuesOf(headers, 'content-length');
  const isChunked = valuesOf(headers, 'transfer-encoding').length > 0;
  if (whole === undefined)
    return isChunked || stated === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', stated];
  const bytes = lengthOf(whole);
  return isChunked || stated !== undefined || bytes > 0 ? ['Content-Length', String(bytes)] : [];
}

function withCode(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
