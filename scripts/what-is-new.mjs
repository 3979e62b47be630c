/**
 * Keeps docs/what-is-new.md, newest first: what the changesets say, and below it what those of earlier versions said. A changeset that is new comes
 * first; the others stay where they are, so that nothing depends on the dates of files.
 * Usage: node scripts/what-is-new.mjs [--check | --released]
 *   --check     writes nothing, and fails where the page is out of date
 *   --released  after the changesets became a version: what was new gets its heading
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root } from './tools.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, released: { type: 'boolean' } } });
const page = join(root, 'docs/what-is-new.md');
const folder = join(root, '.changeset');
const heading = '## Since the last release\n\n';
const introduction = `# What is new

Newest first, made of the files in \`.changeset\` by \`npm run generate\`. All packages have one version; before 1.0 a change may break code, and then says what to do.

`;
/** Packages that an entry names; a change of many is told by the first of them. */
const mostNamed = 4;

/** The comment keeps which changeset an entry is of. */
function entryOf(name) {
  const [, front = '', ...text] = readFileSync(join(folder, name), 'utf8').split('---\n');
  const packages = [...front.matchAll(/@ctx\/([\w-]+)/g)].map(([, one]) => one);
  const named = packages.slice(0, mostNamed).join(', ');
  const others = packages.length > mostNamed ? `, and ${packages.length - mostNamed} more` : '';
  const said = text.join('---\n').trim().split('\n');
  return `<!-- ${name} -->\n- **${named}${others}**: ${said.map((line) => line.trim()).join(' ')}\n`;
}

const before = readFileSync(page, 'utf8');
const from = before.indexOf(heading) + heading.length;
const firstVersion = /^## \d/m.exec(before.slice(from));
const unreleased = before.slice(from, firstVersion === null ? undefined : from + firstVersion.index);
const earlier = before.slice(from + unreleased.length);

function unreleasedNow() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const known = [...unreleased.matchAll(/^<!-- (.+) -->$/gm)].map(([, name]) => name);
  const added = names.filter((name) => !known.includes(name));
  return [...added, ...known.filter((name) => names.includes(name))].map(entryOf).join('');
}

function afterRelease() {
  const { version } = readJson(join(root, 'packages/core/package.json'));
  return `## ${version}\n\n${unreleased.replace(/^<!-- .+ -->\n/gm, '')}`;
}

const after = `${introduction}${heading}${values.released ? afterRelease() : `${unreleasedNow()}\n`}${earlier}`;
if (after === before) console.log('docs/what-is-new.md says what is new.');
else if (values.check) {
  console.error('docs/what-is-new.md is out of date: npm run generate');
  process.exitCode = 1;
} else writeFileSync(page, after);
