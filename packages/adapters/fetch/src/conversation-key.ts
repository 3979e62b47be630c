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
  const named = sessionHeaders.map((name) => headers.get(name));
  const { metadata, prompt_cache_key: cacheKey, session_id: session } = body;
  return [...named, session, cacheKey, fieldsIn(metadata).user_id].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
}
