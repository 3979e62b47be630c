import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalid } from './upstreams.js';

/** @throws ConfigError `config-invalid` for a host or port that cannot be had */
export function listen(server: Server, port: number, host: string): Promise<void> {
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
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const isEverywhere = address === '0.0.0.0' || address === '::';
  const name = isEverywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}
