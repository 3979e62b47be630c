import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * The page's script with everything it imports, as one script without imports. It is next to the compiled file, and in `dist` for this source:
 * `scripts/bundle.mjs` makes it with the build.
 */
export async function pageScript(): Promise<string> {
  const [beside = '', built = ''] = ['./page.js', '../../dist/report/page.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return (await readFile(existsSync(beside) ? beside : built, 'utf8')).trim();
}
