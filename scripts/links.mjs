/**
 * Checks that every link between the documents of the repository leads somewhere: to a file or folder that is there, and to a heading that
 * its page has. Checks too that docs/README.md, from which the site makes its menu, names every page of docs once. Prints file:line for
 * each offence. Addresses of other hosts are not asked.
 * Usage: node scripts/links.mjs [root]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pagesOf, slugOf, targetOf } from './pages.mjs';
import { conclude, packages, root } from './sources.mjs';

const contents = 'docs/README.md';
const read = (file) => readFileSync(join(root, file), 'utf8');
const isThere = (place) => existsSync(join(root, place));

/** Every document that people read: the pages, what lies beside them at the top, and the READMEs of folders. */
function documents() {
  const inRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const folders = ['examples', 'examples/sessions', ...packages.map(({ folder }) => folder)];
  const readmes = folders.map((folder) => `${folder}/README.md`).filter(isThere);
  return [...new Set([...pagesOf(root).keys(), ...inRoot, ...readmes])].sort();
}

/** The lines of a document, those of code blocks empty. */
function proseOf(file) {
  let fence;
  return read(file)
    .split('\n')
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      const isEdge = fence === undefined ? mark !== undefined : mark?.startsWith(fence);
      if (isEdge) fence = fence === undefined ? mark : undefined;
      return isEdge || fence !== undefined ? '' : line;
    });
}

const known = new Map();

/** What may stand behind the `#` of a link to a document: its headings, a repeated one with a number, and the ids it sets. */
function anchorsOf(file) {
  const anchors = known.get(file) ?? new Set();
  if (known.has(file)) return anchors;
  known.set(file, anchors);
  for (const line of proseOf(file)) {
    for (const [, id] of line.matchAll(/\sid="([^"]+)"/g)) anchors.add(id);
    const heading = /^#{1,6} (.+)/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1'));
    let name = slug;
    for (let again = 1; anchors.has(name); again += 1) name = `${slug}-${again}`;
    anchors.add(name);
  }
  return anchors;
}

/** A line without its code, which stands between two runs of as many backticks. */
function withoutCode(line) {
  const parts = line.split(/(`+)/);
  let text = '';
  for (let at = 0; at < parts.length; at += 1) {
    const end = at % 2 === 1 ? parts.indexOf(parts[at], at + 1) : -1;
    if (end > at) at = end;
    else text += parts[at];
  }
  return text;
}

/** The links of a line: Markdown's, also of images, and those of HTML. */
function linksIn(line) {
  const text = withoutCode(line);
  const inMarkdown = [...text.matchAll(/\]\(([^()\s]+)/g)].map(([, link]) => link.replace(/^<|>$/g, ''));
  const inHtml = [...text.matchAll(/\s(?:href|src|srcset)="([^"]+)/g)].map(([, link]) => link);
  return [...inMarkdown, ...inHtml];
}

function problemOf(file, link) {
  const target = targetOf(file, link);
  if (target === undefined) return undefined;
  const { place, anchor } = target;
  if (place.startsWith('..') || !isThere(place === '' ? '.' : place))
    return `links to ${link}, which is not there`;
  if (anchor === undefined) return undefined;
  const page = place.endsWith('.md') ? place : posix.join(place, 'README.md');
  return isThere(page) && anchorsOf(page).has(anchor)
    ? undefined
    : `links to ${link}, a heading that is not there`;
}

const offences = [];
for (const file of documents()) {
  for (const [at, line] of proseOf(file).entries()) {
    for (const link of linksIn(line)) {
      const message = problemOf(file, link);
      if (message !== undefined) offences.push({ file, line: at + 1, message });
    }
  }
}

if (isThere(contents)) {
  const listed = proseOf(contents)
    .flatMap(linksIn)
    .map((link) => targetOf(contents, link)?.place);
  for (const file of pagesOf(root).keys()) {
    const isInner = file.startsWith('docs/decisions/') && !file.endsWith('/README.md');
    if (!file.startsWith('docs/') || file === contents || isInner) continue;
    const times = listed.filter((place) => place === file || `${place}/README.md` === file).length;
    if (times !== 1)
      offences.push({ file, line: 1, message: `is named ${times} times in ${contents}, not once` });
  }
}
conclude(offences, 'Every link leads somewhere.');
