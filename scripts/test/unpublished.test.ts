import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Nothing of ours is published: whoever follows one of these gets somebody else's code. */
const places: readonly RegExp[] = [
  /github\.com\/ctx\b/,
  /\b(?:npx|npm (?:i|install|add|exec)|pnpm (?:add|dlx)|yarn add) (?:-\S+ )*@ctx\//,
  /^\s+"(?:homepage|bugs|repository)":/m,
  /\]\(https?:\/\/[^)]*badge/,
];

/** Folders of others' text, of builds, and this test. */
const skipped = /^(?:\..+|node_modules|dist|exam|sessions|results|unpublished\.test\.ts)$/;
const read = /\.(?:md|ts|mjs|cjs|json|txt|yml)$/;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (skipped.test(entry.name) && folder !== 'packages/tools') continue;
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
    else if (read.test(entry.name)) yield join(folder, entry.name);
  }
}

test('no file sends a reader to a place that is not ours', () => {
  const files = [...filesIn('.')];
  const found = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return places.some((place) => place.test(text));
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
