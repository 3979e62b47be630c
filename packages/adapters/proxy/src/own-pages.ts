import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './answers.js';
import type { ProxyStatus } from './ledger.js';
import { statusPage } from './status-page.js';

/** The path of the proxy's own pages, which no API has. */
export const ownPath = '/__ctx';

/** True for a request for one of the proxy's own pages. */
export function isOwn(path: string): boolean {
  return path === ownPath || path.startsWith(`${ownPath}/`) || path.startsWith(`${ownPath}?`);
}

/** Answers a request for the status, as JSON or as a page. */
export function answerOwn(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  status: ProxyStatus,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(response, 405, 'method_not_allowed', 'The status can only be read.');
    return;
  }
  const name = path.slice(ownPath.length).split('?')[0];
  if (name === '/status') write(response, 'application/json', JSON.stringify(status));
  else if (name === '' || name === '/') write(response, 'text/html; charset=utf-8', statusPage);
  else refuse(response, 404, 'not_found', `There are ${ownPath}/ and ${ownPath}/status.`);
}

function write(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
  });
  response.end(text);
}
