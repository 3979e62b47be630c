import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Next to the compiled file, and where it is from this source. */
const places = ['./page.js', '../../dist/report/page.js'];

/** The page's script with everything it imports, as one script without imports. `scripts/bundle.mjs` makes it with the build. */
export async function pageScript(): Promise<string> {
  const [beside = '', built = ''] = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return (await readFile(existsSync(beside) ? beside : built, 'utf8')).trim();
}
