import type { IncomingHttpHeaders } from 'node:http';
import { ConfigError } from '@ctx/core';
import { type ApiName, apiNames, apiOf, isCompatible, spokenAt, usualAddress } from './api-of.js';

/** Where requests go: one address for all, or one for each API. */
export type Upstream = string | Readonly<Partial<Record<ApiName, string>>>;

/** Where a request goes. */
interface Destination {
  readonly upstream: URL;
  /** The path there, after that of the upstream. */
  readonly path: string;
}

/** Says where a request goes; to no other place does the proxy send anything. `undefined` where nothing tells whose it is. */
export type UpstreamOf = (path: string, headers: IncomingHttpHeaders) => Destination | undefined;

/** @throws ConfigError `config-invalid` for an address that is none */
export function upstreamsOf(upstream: Upstream = {}): UpstreamOf {
  if (typeof upstream === 'string') {
    const only = addressOf(upstream, 'upstream');
    return (path) => ({ upstream: only, path });
  }
  const unknown = Object.keys(upstream).find((name) => !apiNames.includes(name as ApiName));
  if (unknown !== undefined)
    throw invalid(`upstream.${unknown}`, unknown, `The API is not known`, `Use ${apiNames.join(', ')}.`);
  const all = new Map(
    apiNames.map((name) => [name, addressOf(upstream[name] ?? usualAddress(name), `upstream.${name}`)]),
  );
  return (path, headers) => {
    const api = namedFor(path, apiOf(path, headers), upstream);
    // Codex is told a base URL that ends as that of the API; the address of a login has no version.
    const own = api === 'chatgpt' ? path.replace(/^\/v1(?=[/?]|$)/, '') : path;
    return api && { upstream: all.get(api) as URL, path: own };
  };
}

/** A key of another provider goes on to the address that was named for the API that it speaks, such as a gateway. */
function namedFor(path: string, api: ApiName | undefined, upstream: Exclude<Upstream, string>) {
  const spoken = spokenAt(path);
  const isNamed = api !== undefined && upstream[api] === undefined && spoken !== undefined;
  return isNamed && isCompatible(api) && upstream[spoken] !== undefined ? spoken : api;
}

function addressOf(text: string, place: string): URL {
  const remedy = 'Give the address of an API over http or https, such as https://api.openai.com.';
  if (!URL.canParse(text)) throw invalid(place, text, 'This is not an address', remedy);
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '')
    throw invalid(place, url.origin, 'This is not the address of an API', remedy);
  return url;
}

/** The path at the upstream for a path of the proxy. */
export function pathAt(upstream: URL, path: string): string {
  return `${upstream.pathname.replace(/\/$/, '')}${path}`;
}

export function invalid(place: string, value: unknown, problem: string, remedy: string): ConfigError {
  return new ConfigError({ code: 'config-invalid', place, value, problem, remedy });
}
