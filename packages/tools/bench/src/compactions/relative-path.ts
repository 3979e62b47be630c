import { type Atom, occursIn } from '../atoms.js';

/** What can't be in a path. */
const between = /[^\w.@~+/-]+/;
/** In segments. One alone, such as `index.ts`, could be any file's. */
const leastSegments = 2;

/**
 * Says whether a text holds an atom. A path counts also if the text has its end, of at least two segments: this is how people and summaries
 * write paths.
 */
export function holderOf(text: string): (atom: Atom) => boolean {
  const paths = new Set(
    text
      .split(between)
      .filter((word) => word.includes('/'))
      .map(plainPath),
  );
  return (atom) => occursIn(atom, text) || endsOf(atom).some((end) => paths.has(end));
}

/** `b/c.ts` and `a/b/c.ts` of `/a/b/c.ts`; nothing of what is not a path. */
function endsOf(atom: Atom): string[] {
  if (!atom.includes('/') || atom.includes('://')) return [];
  const segments = atom.split('/').filter((segment) => segment !== '');
  return segments.slice(0, 1 - leastSegments).map((_, from) => segments.slice(from).join('/'));
}

/** Without `./` before it and the full stop of a sentence after it. */
function plainPath(path: string): string {
  const end = path.endsWith('.') ? -1 : undefined;
  return path.slice(path.startsWith('./') ? 2 : 0, end);
}
