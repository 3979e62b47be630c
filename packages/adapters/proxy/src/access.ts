import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Begins a path in which a client that can set nothing but a base URL gives the token. */
const inPath = /^\/ctx-token\/([^/?]+)/;
export const tokenHeader = 'x-ctx-token';

/**
 * The path of a request without the token; `undefined` if the request may not pass.
 * @param token what it has to give; none is asked for if it is `undefined`
 */
export function admitted(path: string, given: unknown, token: string | undefined): string | undefined {
  const found = inPath.exec(path);
  const rest = found === null ? path : path.slice(found[0].length) || '/';
  if (token === undefined) return rest;
  const said = found?.[1] === undefined ? given : decoded(found[1]);
  return typeof said === 'string' && isEqual(said, token) ? rest : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** In constant time. */
function isEqual(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** True for a name or address of this machine that no other one reaches. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/**
 * True for a request that a page of the web makes with the browser of this machine: by a name of its own that leads here, or from an origin
 * of its own. Agents say nothing of an origin.
 */
export function isOfTheWeb({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (!isLoopback((host ?? '').replace(/:\d+$/, ''))) return true;
  if (origin === undefined) return site === 'cross-site';
  return !URL.canParse(origin) || !isLoopback(new URL(origin).hostname);
}
