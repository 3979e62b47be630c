import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const waiting = /\bawait\b|\.(then|catch|finally)\(|\bPromise\.(all|race|any|allSettled)\(/;
const waits = (code: string) => waiting.test(code) && !/^(\*|\/\/|\/\*)/.test(code);
/** A call may begin some lines after its `await`, unless the statement ends in the same line. */
const longestStatement = 4;

/**
 * The lines below a package's `src` folder that wait for a promise, or say what follows one, and that nobody was seen to wait at.
 * @param seen places such as `core/src/compress/resolve.ts:59`
 */
export function unseenLines(src: string, seen: ReadonlySet<string>) {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return names.flatMap((name) => {
    const lines = readFileSync(join(src, name), 'utf8').split('\n');
    const codes = lines.map((line) => line.trim());
    const placeOf = (at: number) =>
      `${[basename(dirname(src)), 'src', ...name.split(sep)].join('/')}:${at + 1}`;
    const isSeen = (code: string, at: number) => {
      const next = codes.slice(at + 1, at + (code.endsWith(';') ? 1 : longestStatement));
      const other = next.findIndex(waits);
      const length = 1 + (other < 0 ? next.length : other);
      return Array.from({ length }, (_, row) => placeOf(at + row)).some((place) => seen.has(place));
    };
    return codes.flatMap((code, at) =>
      waits(code) && !isSeen(code, at) ? [{ place: placeOf(at), code }] : [],
    );
  });
}
