import { join, posix } from 'node:path';
import { pagesOf, targetOf } from '../scripts/pages.mjs';
import { readJson, root } from '../scripts/tools.mjs';

const { repository } = readJson(join(root, 'package.json'));
export const repositoryUrl = repository.replace(/^github:/, 'https://github.com/');

const pages = pagesOf(root);
const fileOf = new Map([...pages].map(([file, route]) => [`${route}.md`, file]));

/** Where a link of a document leads on the site: to a page, or else to the file in the repository. */
export function hrefOf(file, link) {
  const target = targetOf(file, link);
  if (target === undefined) return link;
  const { place, anchor } = target;
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const route = pages.get(place) ?? pages.get(posix.join(place, 'README.md'));
  if (route === undefined) return `${repositoryUrl}/blob/main/${place}${hash}`;
  return place === file ? hash : `/${route === 'index' ? '' : route.replace(/\/index$/, '/')}${hash}`;
}

/** Has every link of a document lead where `hrefOf` says. The reference is left as it is. */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = fileOf.get(env.relativePath);
    if (file === undefined) return;
    for (const { children } of tokens)
      for (const token of children ?? [])
        if (token.type === 'link_open') token.attrSet('href', hrefOf(file, token.attrGet('href')));
  });
}
