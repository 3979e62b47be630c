import { hrefOf } from './links.mjs';

/** The sections of docs/README.md, each a heading and a list of links, as the sidebar of the site. */
export function sidebar(contents) {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, link]) => ({
        text: text.replaceAll('`', ''),
        link: hrefOf('docs/README.md', link),
      })),
    }));
}
