import type { IncomingHttpHeaders } from 'node:http';

/**
 * The APIs that have an upstream of their own: the address of the provider, where nothing else was said, and the form of keys that says whose
 * they are. `chatgpt` is where Codex goes with a ChatGPT login.
 */
const apis = {
  anthropic: ['https://api.anthropic.com', /^sk-ant-/],
  openai: ['https://api.openai.com', /^sk-(?:proj|svcacct|admin)-/],
  chatgpt: ['https://chatgpt.com/backend-api/codex'],
  google: ['https://generativelanguage.googleapis.com', /^(?:AIza|ya29\.)/],
  ollama: ['http://127.0.0.1:11434'],
  openrouter: ['https://openrouter.ai/api', /^sk-or-/],
  groq: ['https://api.groq.com/openai', /^gsk_/],
  xai: ['https://api.x.ai', /^xai-/],
  cerebras: ['https://api.cerebras.ai', /^csk-/],
  fireworks: ['https://api.fireworks.ai/inference', /^fw_/],
  nvidia: ['https://integrate.api.nvidia.com', /^nvapi-/],
  huggingface: ['https://router.huggingface.co', /^hf_/],
} as const satisfies Readonly<Record<string, readonly [address: string, keys?: RegExp]>>;
export type ApiName = keyof typeof apis;
export const apiNames = Object.keys(apis) as ApiName[];

export const usualAddress = (api: ApiName): string => apis[api][0];

/** True for a provider that speaks the API of another one. */
export const isCompatible = (api: ApiName) => apiNames.indexOf(api) >= apiNames.indexOf('openrouter');

const ollamaPaths =
  /^\/api\/(?:chat|generate|embed|embeddings|tags|ps|show|version|pull|push|create|copy|delete)(?:[/?]|$)/;
const anthropicPaths = /^\/(?:v1\/(?:messages|complete)|api)(?:[/?]|$)/;
const googlePaths =
  /^(?:\/upload)?\/v1(?:alpha|beta)\d*(?:[/?]|$)|^\/upload\/v1\/|^\/v1\/(?:models|tunedModels)\/[^/?]+:\w+(?:\?|$)|^\/v1\/cachedContents(?:[/?]|$)/;
const openaiPaths =
  /^\/v1\/(?:chat|responses|completions|embeddings|audio|images|videos|moderations|realtime|conversations|assistants|threads|vector_stores|fine_tuning|evals|containers|uploads)(?:[/?]|$)/;

/** Which API a request is for; `undefined` where nothing tells, or where it has keys of two. */
export function apiOf(path: string, headers: IncomingHttpHeaders): ApiName | undefined {
  const [owner, ...others] = ownersOf(path, headers);
  return others.length > 0 ? undefined : (owner ?? spokenAt(path) ?? saidIn(headers));
}

/** Whose credentials a request has: their form counts more than the place where they stand. */
function ownersOf(path: string, headers: IncomingHttpHeaders): readonly ApiName[] {
  const { authorization = '', 'x-api-key': anthropic, 'x-goog-api-key': google } = headers;
  const query = new URLSearchParams(path.split('?').slice(1).join('?')).get('key');
  const bearer = authorization.replace(/^bearer\s+/i, '');
  const found = [
    headers['chatgpt-account-id'] === undefined ? formOf(bearer) : 'chatgpt',
    anthropic === undefined ? undefined : (formOf(String(anthropic)) ?? 'anthropic'),
    google === undefined ? undefined : (formOf(String(google)) ?? 'google'),
    query === null ? undefined : (formOf(query) ?? 'google'),
  ] as const;
  return [...new Set(found.filter((api) => api !== undefined))];
}

const formOf = (key: string) => apiNames.find((api) => apis[api][1]?.test(key));

/** The API that has a path. */
export function spokenAt(path: string): ApiName | undefined {
  if (ollamaPaths.test(path)) return 'ollama';
  if (anthropicPaths.test(path)) return 'anthropic';
  if (googlePaths.test(path)) return 'google';
  return openaiPaths.test(path) ? 'openai' : undefined;
}

/** What is said beside the credentials: at paths that several APIs have, such as `/v1/models` and `/v1/files`. */
function saidIn(headers: IncomingHttpHeaders): ApiName | undefined {
  const begins = (start: string) => Object.keys(headers).some((name) => name.startsWith(start));
  if (begins('anthropic-')) return 'anthropic';
  if (begins('openai-')) return 'openai';
  if (begins('x-goog-')) return 'google';
  return /^bearer\s+sk-/i.test(headers.authorization ?? '') ? 'openai' : undefined;
}
