/**
 * Builds the documentation site into site/dist: the documents of the repository, and a reference made of the docstrings. Needs no network.
 * Usage: npm run site
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { pagesOf } from '../scripts/pages.mjs';
import { root } from '../scripts/tools.mjs';
import { deadLinks } from './dead-links.mjs';
import { writeReference } from './reference.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const pages = join(here, '.ctx/pages');
rmSync(pages, { recursive: true, force: true });

for (const [file, route] of pagesOf(root)) {
  const page = join(pages, `${route}.md`);
  mkdirSync(dirname(page), { recursive: true });
  copyFileSync(join(root, file), page);
}
const images = join(root, 'docs/images');
if (existsSync(images)) cpSync(images, join(pages, 'public/docs/images'), { recursive: true });
const reference = await writeReference(join(pages, 'api'));
writeFileSync(join(here, '.ctx/reference.json'), JSON.stringify({ reference }));

await build(here);

const dead = deadLinks(join(here, 'dist'));
for (const { page, link } of dead) console.error(`${page}: ${link} leads nowhere`);
console.log(dead.length === 0 ? 'Every link leads somewhere.' : `${dead.length} dead links`);
process.exitCode = dead.length === 0 ? 0 : 1;
