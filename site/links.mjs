import { join, posix } from 'node:path';
import { pagesOf, targetOf } from '../scripts/pages.mjs';
import { readJson, root } from '../scripts/tools.mjs';

const { url } = readJson(join(root, 'package.json')).repository;
export const repositoryUrl = url.replace(/^git\+|\.git$/g, '');

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

/** Where the site has an image of a document: build.mjs copies docs/images. */
function sourceOf(file, link) {
  const target = targetOf(file, link);
  return target === undefined ? link : `/${target.place}`;
}

function* withChildren(tokens) {
  for (const token of tokens) {
    yield token;
    yield* token.children ?? [];
  }
}

/** Has every link and image of a document lead where the site has it. The reference is left as it is. */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = fileOf.get(env.relativePath);
    if (file === undefined) return;
    for (const token of withChildren(tokens)) {
      if (token.type === 'link_open') token.attrSet('href', hrefOf(file, token.attrGet('href')));
      if (token.type === 'image') token.attrSet('src', sourceOf(file, token.attrGet('src')));
      if (token.type.startsWith('html_'))
        token.content = token.content
          .replace(/(\ssrc=")([^"]+)/g, (_all, name, link) => name + sourceOf(file, link))
          .replace(/(\shref=")([^"]+)/g, (_all, name, link) => name + hrefOf(file, link));
    }
  });
}
