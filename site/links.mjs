import { posix } from 'node:path';
import { pagesOf, targetOf } from '../scripts/pages.mjs';
import { root } from '../scripts/tools.mjs';

const pages = pagesOf(root);
const fileOf = new Map([...pages].map(([file, route]) => [`${route}.md`, file]));

/** Where a link of a document leads on the site; undefined for a file that is no page, as the repository is at no public address. */
export function hrefOf(file, link) {
  const target = targetOf(file, link);
  if (target === undefined) return link;
  const { place, anchor } = target;
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const route = pages.get(place) ?? pages.get(posix.join(place, 'README.md'));
  if (route === undefined) return undefined;
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

/** Sets where a link leads, and makes it plain text if that is nowhere. Links do not nest, so the next end of one is its own. */
function setLinks(tokens, file) {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = hrefOf(file, token.attrGet('href'));
      isText = href === undefined;
      if (isText) token.attrs = null;
      else token.attrSet('href', href);
    }
    if (isText && token.type.startsWith('link_')) token.tag = 'span';
  }
}

/** Has every link and image of a document lead where the site has it. The reference is left as it is. */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = fileOf.get(env.relativePath);
    if (file === undefined) return;
    for (const token of withChildren(tokens)) {
      setLinks(token.children ?? [], file);
      if (token.type === 'image') token.attrSet('src', sourceOf(file, token.attrGet('src')));
      if (token.type.startsWith('html_'))
        token.content = token.content
          .replace(/(\ssrc=")([^"]+)/g, (_all, name, link) => name + sourceOf(file, link))
          .replace(/\shref="([^"]+)"/g, (_all, link) => {
            const href = hrefOf(file, link);
            return href === undefined ? '' : ` href="${href}"`;
          });
    }
  });
}
