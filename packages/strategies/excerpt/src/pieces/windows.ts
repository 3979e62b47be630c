import * as char from '../characters.js';

/** The best end, up to `end`, of a window from `start`: after a line in its second half, otherwise after a word in its second half. */
export function windowEnd(text: string, start: number, end: number, escaped: boolean): number {
  const half = start + ((end - start) >> 1);
  if (escaped) {
    const lineEnd = half + text.slice(half, end).lastIndexOf('\\n');
    if (lineEnd >= half && !isEscapedAt(text, lineEnd, start)) return lineEnd + 2;
  }
  for (let at = end; at > half; at--) if (endsWord(text.charCodeAt(at - 1))) return at;
  return escaped ? beforeEscape(text, start, end) : beforePair(text, end);
}

function endsWord(code: number): boolean {
  return (
    code === char.space ||
    code === char.semicolon ||
    code === char.comma ||
    code === char.closeBrace ||
    code === char.tab
  );
}

/** Moves a cut to before the surrogate pair that it would split. */
function beforePair(text: string, at: number): number {
  const splits = char.isLowSurrogate(text.charCodeAt(at)) && char.isHighSurrogate(text.charCodeAt(at - 1));
  return splits ? at - 1 : at;
}

function beforeEscape(text: string, start: number, end: number): number {
  const near = Math.max(start, end - 5);
  const slash = near + text.slice(near, end).lastIndexOf('\\');
  if (slash >= near && slash > start && !isEscapedAt(text, slash, start)) {
    const length = text.charAt(slash + 1) === 'u' ? 6 : 2;
    if (slash + length > end) return slash;
  }
  return beforePair(text, end);
}

function isEscapedAt(text: string, at: number, start: number): boolean {
  let before = at;
  while (before > start && text.charCodeAt(before - 1) === char.backslash) before--;
  return (at - before) % 2 === 1;
}
