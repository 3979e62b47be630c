import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folder = join(root, 'docs/decisions');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');

test('the index links every decision once, by its title, and no other', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const links = [...index.matchAll(/\[([^\]]+)\]\((\d[^)]+)\)/g)];
  const titles = pages.map((page) => [/^# (.+)/.exec(readFileSync(join(folder, page), 'utf8'))?.[1], page]);
  expect(links.map(([, title, page]) => [title, page]).sort()).toEqual(titles.sort());
});

test.each(pages)('%s says what was chosen, what was not and why, in few lines', (page) => {
  const text = readFileSync(join(folder, page), 'utf8');
  expect(page).toMatch(/^\d{4}-\d{2}-\d{2}-[a-z-]+\.md$/);
  expect(text).toMatch(
    new RegExp(
      `^# .+\\n\\n${page.slice(0, 10)}\\n[^]*\\*\\*Chosen\\.[^]*\\*\\*Not chosen\\.[^]*\\*\\*Why\\.`,
    ),
  );
  expect(text.split('\n').length).toBeLessThan(16);
});
