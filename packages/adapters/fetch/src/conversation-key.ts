import { fieldsIn } from './hidden/answer-form.js';
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
  return [session, cacheKey, fieldsIn(metadata).user_id].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
}
