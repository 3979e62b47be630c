import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** A line of source that waits for a promise, or says what follows one. */
export interface WaitingLine {
  /** `core/src/compress/resolve.ts:59` */
  readonly place: string;
  readonly code: string;
}

const waiting = /\bawait\b|\.(then|catch|finally)\(|\bPromise\.(all|race|any|allSettled)\(/;
/** A call may begin some lines after its `await`, unless the statement ends in the same line. */
const longestStatement = 4;

/** Every line below a package's `src` folder that waits. */
export function waitingLines(src: string): WaitingLine[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const lines = readFileSync(join(src, name), 'utf8').split('\n');
      const file = [basename(dirname(src)), 'src', ...name.split(sep)].join('/');
      return lines.flatMap((line, at) => {
        const code = line.trim();
        return waiting.test(code) && !/^(\*|\/\/|\/\*)/.test(code)
          ? [{ place: `${file}:${at + 1}`, code }]
          : [];
      });
    });
}

/** Those of the lines that nobody was seen to wait at. */
export function unseenLines(lines: readonly WaitingLine[], seen: ReadonlySet<string>): WaitingLine[] {
  const places = new Set(lines.map(({ place }) => place));
  return lines.filter(({ place, code }) => {
    const [file, line] = [
      place.slice(0, place.lastIndexOf(':')),
      Number(place.slice(place.lastIndexOf(':') + 1)),
    ];
    const end = line + (code.endsWith(';') ? 1 : longestStatement);
    for (let at = line; at < end; at += 1) {
      const next = `${file}:${at}`;
      if (at > line && places.has(next)) return true;
      if (seen.has(next)) return false;
    }
    return true;
  });
}
