import { createHash } from 'node:crypto';
import { pageScript } from './page-script.js';
import type { ReportData } from './report-data.js';
import { reportStyle } from './report-style.js';

const sections = [
  {
    id: 'scores',
    title: 'Scores',
    lead: 'What each candidate keeps of what the agent needs next. A star marks the best of a column: the least of misses and costs, the most of all else.',
    none: 'This report has no score tables.',
    isEmpty: (data: ReportData) => data.tables.length === 0,
  },
  {
    id: 'timelines',
    title: 'What became of each message',
    lead: 'One row for each candidate, one bar for each message, on the same axis.',
    none: 'This report has no timelines.',
    isEmpty: (data: ReportData) => data.timelines.length === 0,
  },
  {
    id: 'curves',
    title: 'Tokens over a session',
    lead: 'How many tokens each request sends while a whole session is replayed under one limit.',
    none: 'This report has no replayed sessions.',
    isEmpty: (data: ReportData) => data.replays.length === 0,
  },
  {
    id: 'trade-off',
    title: 'Cost against misses',
    lead: 'Means over all sessions. Nearer the lower left corner is better: cheaper, and less is missing.',
    none: 'This report has no costs and miss rates.',
    isEmpty: (data: ReportData) => data.points.length === 0,
  },
] as const;

/** Makes one HTML page from the figures: tables, timelines, curves. The page loads nothing. */
export async function renderReport(data: ReportData): Promise<string> {
  const script = await pageScript();
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const isEmpty = sections.every((section) => section.isEmpty(data));
  const shown = isEmpty ? [] : sections;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Context compression report</title>
<link rel="icon" href="data:,">
<style>${reportStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<header class="top">
<div class="wrap">
<h1>Context compression report</h1>
<p class="facts">${escapeHtml(facts(data))}</p>
${shown.length > 0 ? navigation() : ''}</div>
</header>
<main id="main" class="wrap" tabindex="-1">
<noscript><p class="empty">This page draws its tables and charts with a script, and scripts are off.</p></noscript>
${isEmpty ? '<p class="empty">This report is empty: it has no tables, timelines, replays or points.</p>\n' : ''}${shown
  .map((section) => sectionHtml(section, section.isEmpty(data)))
  .join('')}</main>
<script type="application/json" id="report-data">${jsonInHtml(isEmpty ? null : data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function navigation(): string {
  const links = sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`);
  return `<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>\n`;
}

function sectionHtml({ id, title, lead, none }: (typeof sections)[number], isEmpty: boolean): string {
  const body = isEmpty
    ? `<p class="empty">${none}</p>`
    : `<p class="lead">${lead}</p>\n<div data-mount="${id}"></div>`;
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${title}</h2>\n${body}\n</section>\n`;
}

function facts(data: ReportData): string {
  const time = new Date(data.createdAt);
  const when = Number.isNaN(time.getTime())
    ? data.createdAt
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const sessions = new Set([...data.timelines, ...data.replays].map(({ session }) => session)).size;
  const candidates = new Set([
    ...data.timelines.flatMap((timeline) => timeline.candidates.map(({ candidate }) => candidate)),
    ...[...data.replays, ...data.points].map(({ candidate }) => candidate),
  ]).size;
  return [when, count(sessions, 'session'), count(candidates, 'candidate')].join(' · ');
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** JSON in which no text can close the script element or start another one. */
const jsonInHtml = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? '');
