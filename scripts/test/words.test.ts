import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesIn } from '../packages.cjs';

const root = join(__dirname, '../..');

/** Words of a document without code, generated tables and comments. */
function wordsIn(path: string): number {
  const text = readFileSync(join(root, path), 'utf8')
    .replace(/<!-- (\w+):start -->[\s\S]*?<!-- \1:end -->/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/<!--.*?-->/g, '');
  return text.split(/\s+/).filter((word) => word !== '').length;
}

const readmes = packagesIn(root)
  .filter(({ folder }) => readdirSync(join(root, folder)).includes('README.md'))
  .map(({ folder }) => `${folder}/README.md`);

test.each(readmes)('%s has at most 200 words', (path) => {
  expect(wordsIn(path)).toBeLessThanOrEqual(200);
});

test('the first page has at most 900 words', () => {
  expect(wordsIn('README.md')).toBeLessThanOrEqual(900);
});
