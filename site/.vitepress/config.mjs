import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../scripts/pages.mjs';
import { readJson, root } from '../../scripts/tools.mjs';
import { sidebar } from '../contents.mjs';
import { repositoryLinks } from '../links.mjs';

const { reference } = readJson(fileURLToPath(new URL('../.ctx/reference.json', import.meta.url)));

export default defineConfig({
  title: 'ctx',
  description: 'Keeps the conversation of an LLM agent inside its context window.',
  lang: 'en',
  srcDir: '.ctx/pages',
  outDir: 'dist',
  cacheDir: '.ctx/cache',
  cleanUrls: true,
  markdown: {
    anchor: { slugify: slugOf },
    config: (markdown) => repositoryLinks(markdown),
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/contents' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [
      ...sidebar(readFileSync(join(root, 'docs/README.md'), 'utf8')),
      { text: 'API', collapsed: true, items: reference },
    ],
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false },
  },
});
