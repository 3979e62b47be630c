import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './answers.js';
import type { ConversationStatus, ProxyStatus } from './ledger.js';

/** The path of the proxy's own pages, which no API has. */
export const ownPath = '/__ctx';

/** True for a request for one of the proxy's own pages. */
export function isOwn(path: string): boolean {
  return path === ownPath || path.startsWith(`${ownPath}/`) || path.startsWith(`${ownPath}?`);
}

/** Answers a request for the status, as JSON or as a text that a browser loads again every second. */
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
  else if (name === '' || name === '/') write(response, 'text/plain; charset=utf-8', statusText(status));
  else refuse(response, 404, 'not_found', `There are ${ownPath}/ and ${ownPath}/status.`);
}

function write(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-store',
    refresh: '1',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  response.end(text);
}

type Column = readonly [head: string, cell: (one: ConversationStatus) => string];

const number = (value: number) => value.toLocaleString('en');
const percent = (part: number, whole: number) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : '–');

const columns: readonly Column[] = [
  ['conversation', ({ id }) => id],
  ['model', ({ model, provider }) => model ?? provider],
  ['requests', ({ requests }) => number(requests)],
  ['tokens', ({ tokens }) => number(tokens)],
  ['of the window', ({ tokens, windowTokens }) => percent(tokens, windowTokens)],
  ['saved now', ({ savedTokens }) => number(savedTokens)],
  ['in all', ({ savedTokensOfAll }) => number(savedTokensOfAll)],
  ['compressions', ({ compressions }) => number(compressions)],
  ['recovered', ({ recovered }) => number(recovered)],
  ['from the cache', ({ cachedTokens, inputTokens }) => percent(cachedTokens, inputTokens)],
];
/** Columns of words; the others are figures and are at the right. */
const words = 2;

/** The status as lines of text. */
export function statusText({ isDryRun, requests, passed, conversations, warnings }: ProxyStatus): string {
  const rows = [
    columns.map(([head]) => head),
    ...conversations.map((one) => columns.map(([, cell]) => cell(one))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at < words ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ');
  return [
    ...(isDryRun ? ['Dry run: nothing is changed; "saved" is what would have been.'] : []),
    `${number(requests)} requests, ${number(passed)} of them sent unchanged.`,
    ...(conversations.length > 0 ? rows.map(line) : []),
    ...warnings.map(({ code, message }) => `${message} (${code})`),
    '',
  ].join('\n');
}
