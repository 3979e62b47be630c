import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const unescaped = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

/** The links between the pages of a built site that lead nowhere: no such page, or no such heading on it. */
export function deadLinks(folder) {
  const idsOf = new Map();
  const read = (page) => {
    if (!idsOf.has(page)) {
      const html = readFileSync(join(folder, page), 'utf8');
      idsOf.set(page, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => unescaped(id))));
    }
    return idsOf.get(page);
  };
  const pages = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html'));
  return pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    const links = new Set(
      [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href]) => unescaped(href)),
    );
    return [...links]
      .filter((link) => !/^[a-z]+:/i.test(link))
      .filter((link) => {
        const [path, hash = ''] = link.split('#');
        const place = path === '' ? page : posix.join(path.startsWith('/') ? '' : posix.dirname(page), path);
        const file = [place, `${place}.html`, posix.join(place, 'index.html')]
          .map((name) => name.replace(/^\//, ''))
          .find((name) => /\.\w+$/.test(name) && existsSync(join(folder, name)));
        if (file === undefined) return true;
        return hash !== '' && file.endsWith('.html') && !read(file).has(decodeURIComponent(hash));
      })
      .map((link) => ({ page, link }));
  });
}
