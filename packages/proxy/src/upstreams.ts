import { ConfigError } from '@ctx/core';

/** The APIs that have an upstream of their own. */
export type ApiName = 'anthropic' | 'openai' | 'google';

/** Where requests go: one address for all, or one for each API. */
export type Upstream = string | Readonly<Partial<Record<ApiName, string>>>;

export const apiNames: readonly ApiName[] = ['anthropic', 'openai', 'google'];

/** The addresses of the providers, for APIs of which nothing else was said. */
const usual: Readonly<Record<ApiName, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  google: 'https://generativelanguage.googleapis.com',
};

/** Says where a request goes; to no other place does the proxy send anything. */
export type UpstreamOf = (path: string, headers: Readonly<Record<string, unknown>>) => URL;

/** @throws ConfigError `config-invalid` for an address that is none */
export function upstreamsOf(upstream: Upstream = {}): UpstreamOf {
  if (typeof upstream === 'string') {
    const only = addressOf(upstream, 'upstream');
    return () => only;
  }
  const unknown = Object.keys(upstream).find((name) => !apiNames.includes(name as ApiName));
  if (unknown !== undefined)
    throw invalid(`upstream.${unknown}`, unknown, `The API is not known`, `Use ${apiNames.join(', ')}.`);
  const all = new Map(
    apiNames.map((name) => [name, addressOf(upstream[name] ?? usual[name], `upstream.${name}`)]),
  );
  return (path, headers) => all.get(apiOf(path, headers)) as URL;
}

/** Which API a request speaks. */
function apiOf(path: string, headers: Readonly<Record<string, unknown>>): ApiName {
  if (headers['anthropic-version'] !== undefined || /^\/v1\/messages(?:[/?]|$)/.test(path))
    return 'anthropic';
  if (headers['x-goog-api-key'] !== undefined || /^(?:\/upload)?\/v1(?:alpha|beta)\//.test(path))
    return 'google';
  return 'openai';
}

function addressOf(text: string, place: string): URL {
  const remedy = 'Give the address of an API over http or https, such as https://api.openai.com.';
  if (!URL.canParse(text)) throw invalid(place, text, 'This is no address', remedy);
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '')
    throw invalid(place, url.origin, 'This is no address of an API', remedy);
  return url;
}

/** The path at the upstream for a path of the proxy. */
export function pathAt(upstream: URL, path: string): string {
  return `${upstream.pathname.replace(/\/$/, '')}${path}`;
}

export function invalid(place: string, value: unknown, problem: string, remedy: string): ConfigError {
  return new ConfigError({ code: 'config-invalid', place, value, problem, remedy });
}
