import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Next to the compiled file, and where it is from this source. `scripts/bundle.mjs` makes these scripts with the build. */
async function scriptOf(name: string): Promise<string> {
  const [beside = '', built = ''] = [`./${name}`, `../../dist/report/${name}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return (await readFile(existsSync(beside) ? beside : built, 'utf8')).trim();
}

/** The page's script with everything it imports, as one script without imports. */
export const pageScript = (): Promise<string> => scriptOf('page.js');

/** The script that reads and replays a session in a worker of the page, likewise. */
export const replayScript = (): Promise<string> => scriptOf('replay.js');
