import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './answers.js';
import type { ConversationStatus, ProxyStatus } from './ledger.js';

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

/** Ms between two looks: a person sees a request arrive, and the proxy does not notice the page. */
const everyMs = 1_000;

/** The live page: it reads the status again and again, and needs nothing from elsewhere. */
const statusPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ctx proxy</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark; }
  table { border-collapse: collapse; }
  th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #8884; }
  th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
  td { font-variant-numeric: tabular-nums; }
  meter { width: 8rem; }
</style>
<h1>ctx proxy</h1>
<p id="summary" role="status">…</p>
<table>
  <thead><tr>
    <th scope="col">Conversation<th scope="col">Model<th scope="col">Requests<th scope="col">Tokens<th scope="col">Of the window
    <th scope="col">Saved now<th scope="col">Saved in all<th scope="col">Compressions<th scope="col">Recovered<th scope="col">From the cache
  </tr></thead>
  <tbody id="rows"></tbody>
</table>
<ul id="warnings"></ul>
<script>
  const number = (value) => value.toLocaleString('en');
  const percent = (part, whole) => (whole > 0 ? Math.round((100 * part) / whole) + ' %' : '–');
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const row = (one) => {
    const line = document.createElement('tr');
    const bar = Object.assign(document.createElement('meter'), { max: one.windowTokens || 1, value: one.tokens });
    bar.title = percent(one.tokens, one.windowTokens);
    const figures = [one.id, one.model ?? one.provider, number(one.requests), number(one.tokens), bar, number(one.savedTokens),
      number(one.savedTokensOfAll), number(one.compressions), number(one.recovered), percent(one.cachedTokens, one.inputTokens)];
    for (const figure of figures) {
      const cell = line.appendChild(document.createElement('td'));
      cell.append(figure);
    }
    return line;
  };
  const show = (status) => {
    document.getElementById('summary').textContent = (status.isDryRun ? 'Dry run: nothing is changed. ' : '') +
      number(status.requests) + ' requests, ' + number(status.passed) + ' of them sent unchanged.';
    document.getElementById('rows').replaceChildren(...status.conversations.map(row));
    document.getElementById('warnings').replaceChildren(...status.warnings.map((one) => element('li', one.message)));
  };
  const look = async () => {
    try {
      const base = location.pathname.replace(/\\/?$/, '/');
      show(await (await fetch(base + 'status')).json());
    } catch {
      document.getElementById('summary').textContent = 'The proxy does not answer.';
    }
    setTimeout(look, ${everyMs});
  };
  look();
</script>
`;
