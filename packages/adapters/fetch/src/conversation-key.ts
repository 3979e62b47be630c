import type { Body } from './wire-form.js';

/** A request, for those who know which conversation it belongs to. */
export interface ContextRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The parsed body; not to be changed. */
  readonly body: Body;
}

/** Headers in which agents name the session that a request belongs to. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-id',
  'thread-id',
  'x-session-affinity',
];

/** The session that a request names in a header or a field; `undefined` if it names none. */
export function sessionOf(headers: Headers, body: Body): string | undefined {
  for (const name of sessionHeaders) {
    const value = headers.get(name);
    if (value) return value;
  }
  const { metadata, prompt_cache_key: cacheKey, session_id: session } = body;
  const user =
    typeof metadata === 'object' && metadata !== null
      ? (metadata as Record<string, unknown>).user_id
      : undefined;
  return [session, cacheKey, user].find((one): one is string => typeof one === 'string' && one !== '');
}

/** Whose window a model has: it may depend on the credentials and on what is tried out. */
export function serverOf(sender: string, headers: Headers): string {
  return JSON.stringify([sender, headers.get('anthropic-beta') ?? '']);
}
