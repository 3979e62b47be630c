import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * A file that pages hold: `page.js`, their script without imports, or `page.css`. It is next to the compiled file, and in `dist` for this
 * source: `scripts/bundle.mjs` makes both with the build.
 */
export async function pageFile(name: 'page.js' | 'page.css'): Promise<string> {
  const [beside = '', built = ''] = [`./${name}`, `../../dist/report/${name}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return (await readFile(existsSync(beside) ? beside : built, 'utf8')).trim();
}
