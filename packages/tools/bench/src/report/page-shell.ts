import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pageFile } from './page-file.js';
import type { SessionParts } from './session-data.js';
import { escapeHtml } from './table-html.js';

/** JSON in which no text can close the script element or start another one. */
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A part of a page. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly html: string;
}

/** What a page holds besides its style and its script. */
export interface PageContents {
  readonly title: string;
  /** When and of what, in a line. */
  readonly facts: string;
  /** What was found, in sentences. @default none */
  readonly headline?: readonly string[];
  readonly sections: readonly PageSection[];
  /** Said instead of the sections, if there are none. */
  readonly empty: string;
  /** The session whose steps are shown. */
  readonly session?: SessionParts | undefined;
}

/** Makes one page that loads nothing, sends nothing and runs nothing but its own script. */
export async function pageOf(contents: PageContents): Promise<string> {
  const { title, headline = [], sections, session } = contents;
  const [script, style] = await Promise.all([pageFile('page.js'), pageFile('page.css')]);
  const policy = [
    "default-src 'none'",
    "connect-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const packed = Object.entries(session === undefined ? {} : packsOf(session)).map(
    ([id, text]) => `<script type="text/plain" id="${escapeHtml(id)}">${text}</script>\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<header class="top">
<div class="wrap">
<h1>${escapeHtml(title)}</h1>
<p class="facts">${escapeHtml(contents.facts)}</p>
${headline.map((sentence, at) => `<p class="${at === 0 ? 'headline' : 'found'}">${escapeHtml(sentence)}</p>\n`).join('')}${sections.length > 1 ? navigation(sections) : ''}</div>
</header>
<main id="main" class="wrap" tabindex="-1">
<noscript><p class="empty">The steps of a session need a script, and scripts are off.</p></noscript>
${sections.length === 0 ? `<p class="empty">${escapeHtml(contents.empty)}</p>\n` : ''}${sections.map(sectionHtml).join('')}</main>
<script type="application/json" id="report-data">${jsonInHtml(session?.report ?? null)}</script>
${packed.join('')}<script>${script}</script>
</body>
</html>
`;
}

/** The texts and the views of each candidate, compressed, in letters that mean nothing to HTML. The script unpacks what is looked at. */
function packsOf({ texts, steps }: SessionParts): Record<string, string> {
  const packed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64');
  return {
    texts: packed(texts),
    ...Object.fromEntries(steps.map((one, at) => [`steps-${at}`, packed(one)])),
  };
}

function navigation(sections: readonly PageSection[]): string {
  const links = sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`);
  return `<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>\n`;
}

function sectionHtml({ id, title, lead, html }: PageSection): string {
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${title}</h2>\n<p class="lead">${lead}</p>\n${html}</section>\n`;
}

/** The date and time of an ISO 8601 text, as people read it. */
export function timeOf(createdAt: string): string {
  const time = new Date(createdAt);
  return Number.isNaN(time.getTime())
    ? createdAt
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
