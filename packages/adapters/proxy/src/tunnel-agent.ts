import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { proxyHeaders } from './env-proxy.js';

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
