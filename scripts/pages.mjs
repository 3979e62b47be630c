/** The documents of the repository: where each stands on the site, and what their headings are called in links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';

// An import would be bundled into the configuration of the site, which can't hold CommonJS.
const { packagesIn } = createRequire(import.meta.url)('./packages.cjs');

const isPublished = (root, folder) => {
  const manifest = join(root, folder, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).private !== true;
};

function inDocs(root, folder = '') {
  const path = join(root, 'docs', folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = posix.join(folder, entry.name);
    if (entry.isDirectory()) return inDocs(root, inner);
    return entry.name.endsWith('.md') ? [inner] : [];
  });
}

/** Path in the repository → path on the site, without a leading slash and without `.md`. */
export function pagesOf(root) {
  const tops = {
    'README.md': 'index',
    'ARCHITECTURE.md': 'architecture',
    'CHANGELOG.md': 'changelog',
    'CONTRIBUTING.md': 'contributing',
  };
  const pages = new Map(Object.entries(tops).filter(([file]) => existsSync(join(root, file))));
  for (const file of inDocs(root)) {
    const route = file.slice(0, -'.md'.length).replace(/(^|\/)README$/, '$1index');
    pages.set(`docs/${file}`, route === 'index' ? 'contents' : route);
  }
  for (const { folder } of packagesIn(root)) {
    const file = `${folder}/README.md`;
    if (isPublished(root, folder) && existsSync(join(root, file))) pages.set(file, folder);
  }
  return pages;
}

/** What a link to a heading says behind its `#`: the rule of GitHub, which the site takes over. */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation}\- ]/gu, '')
    .replaceAll(' ', '-');

/** The place in the repository that a relative link of a document names, and the heading; undefined for an address. */
export function targetOf(file, link) {
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const place = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path));
  return { place: place.replace(/\/$/, ''), anchor };
}
