import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { isLoopback } from './access.js';
import { invalid } from './upstreams.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Says which HTTP proxy a request to an upstream takes; `undefined` where it goes there directly. */
export type ProxyFor = (upstream: URL) => URL | undefined;

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` for what neither of them is for, and `NO_PROXY`, also in small letters, which go first. Loopback
 * is always reached directly.
 * @throws ConfigError `config-invalid` for a proxy that is not an address of HTTP. No error contains the address, as it may hold a password
 */
export function proxyIn(environment: Environment): ProxyFor {
  const of = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const first = (name: string) => {
    const found = of(name) === undefined ? 'ALL_PROXY' : name;
    return addressIn(found, of(found));
  };
  const proxies = { 'http:': first('HTTP_PROXY'), 'https:': first('HTTPS_PROXY') };
  const direct = (of('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return (upstream) => {
    if (isLoopback(upstream.hostname) || direct.some((entry) => isFor(entry, upstream))) return undefined;
    return proxies[upstream.protocol as keyof typeof proxies];
  };
}

function addressIn(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    const remedy =
      'Give the address of a proxy over HTTP, such as http://proxy.example:3128, or leave it out.';
    throw invalid(name, url?.protocol ?? '…', 'This is not the address of an HTTP proxy', remedy);
  }
  return url;
}

/** True for a name, a domain (`.example.com`, `*.example.com` or `example.com`), each also with a port, and for `*`. */
function isFor(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase().replace(/^\*?\./, '')) ?? [];
  if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** What a proxy wants to know of whom it serves. */
export function proxyHeaders({ username, password }: URL): string[] {
  if (username === '') return [];
  const said = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(said).toString('base64')}`];
}

type Created = (error: Error | null, socket?: Duplex) => void;

/** Connections to upstreams over HTTPS through an HTTP proxy, which sees nothing but their names. */
export class TunnelAgent extends https.Agent {
  constructor(
    readonly proxy: URL,
    options: https.AgentOptions,
  ) {
    super(options);
  }

  override createConnection(options: tls.ConnectionOptions, created: Created): undefined {
    const { proxy } = this;
    const target = `${options.host?.includes(':') ? `[${options.host}]` : options.host}:${options.port}`;
    const asked = (proxy.protocol === 'https:' ? https : http).request({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      headers: ['Host', target, ...proxyHeaders(proxy)] as unknown as Record<string, string>,
      agent: false,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return created(null, tls.connect({ ...options, socket }));
      socket.destroy();
      created(refusedBy(statusCode));
    });
    asked.once('response', ({ statusCode }) => {
      asked.destroy();
      created(refusedBy(statusCode));
    });
    asked.once('error', (error) => created(error));
    asked.end();
  }
}

const refusedBy = (status: number | undefined) =>
  Object.assign(new Error('The HTTP proxy refuses the connection.'), { code: `PROXY_${status}` });
