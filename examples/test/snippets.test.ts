import { join } from 'node:path';
import { root, writeSnippets } from '../snippets/snippets.js';

const snippets = writeSnippets(join(root, 'examples/.ctx/snippets-in-jest'));

test('every document with snippets is read', () => {
  expect(new Set(snippets.map(({ place }) => place.split('/')[0]?.split(':')[0]))).toEqual(
    new Set(['README.md', 'docs', 'packages']),
  );
});

for (const { place, file, inJest } of snippets) {
  if (inJest) describe(`${place}, in jest`, () => void require(file));
}
