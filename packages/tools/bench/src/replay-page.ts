import { type Compression, missRate, type SessionReplay } from './replay-session.js';
import { textOf } from './spoken.js';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '');
const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

/** One for each candidate, over and over. */
const colours = ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#cf222e', '#6e7781'];
const colourOf = (at: number) => colours[at % colours.length] as string;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { padding: 0.2rem 0.8rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child { text-align: left; }
svg { width: 100%; height: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid #8884; padding-left: 0.8rem; }
summary { cursor: pointer; }`;

/** An HTML page about a replayed session: the size of each request with each candidate, and what each compression wrote. It has no script. */
export function replayPage(replay: SessionReplay, { createdAt }: { readonly createdAt: string }): string {
  const { session, messages, replays } = replay;
  const requests = replays[0]?.result.requests ?? 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A replayed session</title>
<style>${style}</style>
</head>
<body>
<h1>A replayed session</h1>
<p>${escaped(session)}: ${messages} messages, ${requests} requests, made ${escaped(createdAt)}</p>
<p>${whole(replay.tokens)} tokens, sent in requests of at most ${whole(replay.limit)}.</p>
${chart(replay)}
${table(replay)}
${replays.map(({ result, compressions }) => `<h2>${escaped(result.candidate)}</h2>\n${compressions.map(compressionHtml).join('')}`).join('\n')}
</body>
</html>
`;
}

/** Of the picture, in its own units. */
const width = 1000;
const height = 260;

/** A line for each candidate: tokens of its requests. */
function chart({ limit, replays }: SessionReplay): string {
  const most = Math.max(
    limit,
    ...replays.map(({ result }) => result.tokens.reduce((a, b) => Math.max(a, b), 0)),
  );
  const y = (tokens: number) => (height - (tokens / most) * height).toFixed(1);
  const lines = replays.map(({ result: { candidate, tokens } }, at) => {
    const points = tokens.map(
      (one, nth) => `${((nth / Math.max(1, tokens.length - 1)) * width).toFixed(1)},${y(one)}`,
    );
    return `<polyline fill="none" stroke-width="2" stroke="${colourOf(at)}" points="${points.join(' ')}"><title>${escaped(candidate)}</title></polyline>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Tokens of each request">
<line x1="0" x2="${width}" y1="${y(limit)}" y2="${y(limit)}" stroke="#8888" stroke-dasharray="6"/>
${lines.join('\n')}
</svg>`;
}

function table({ replays }: SessionReplay): string {
  const head = ['candidate', 'missing', 'cost', 'largest request', 'rewrites', 'too large', 'invalid'];
  const rows = replays.map(({ result }, at) => {
    const { cost, tokens, rewrites, overflows, invalid, candidate } = result;
    const largest = tokens.reduce((a, b) => Math.max(a, b), 0);
    const cells = [percent(missRate(result)), percent(cost), whole(largest), rewrites, overflows, invalid];
    const mark = `<span style="color:${colourOf(at)}">■</span>`;
    return `<tr><th scope="row">${mark} ${escaped(candidate)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<table>
<thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p>Missing: names, paths and numbers that the agent used and that were not in the request then. Cost: of all input with prompt caching, relative
to sending everything. Rewrites: requests that do not extend the one before. Invalid: requests that Anthropic would refuse.</p>`;
}

function compressionHtml({ request, tokens, left, made, missed }: Compression): string {
  const texts = made.map((message) => `<h3>${message.role}</h3>\n<pre>${escaped(textOf(message))}</pre>\n`);
  const lacking = [...new Set(missed)].map((atom) => `<code>${escaped(atom)}</code>`).join(', ');
  return `<details><summary>Request ${request}: ${whole(tokens)} tokens; ${left} messages left out or shortened, ${missed.length} names missing until the next compression</summary>
${lacking === '' ? '' : `<p>Missing: ${lacking}</p>\n`}${texts.join('')}</details>
`;
}
