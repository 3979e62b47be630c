/**
 * Goes through the members of the object, or the elements of the list, that begins at a position of a valid text of JSON.
 * @param skip gives the position after a child; it is told the child's key or index, where it begins, and where its key begins
 * @returns the position after the object or list
 */
export function eachChild(
  text: string,
  start: number,
  skip: (key: string | number, at: number, from: number) => number,
): number {
  const isList = text.charCodeAt(start) === openBracket;
  let at = skipSpace(text, start + 1);
  for (let index = 0; !isClosing(text.charCodeAt(at)); index += 1) {
    const from = at;
    let key: string | number = index;
    if (!isList) {
      const end = skipString(text, at);
      const quoted = text.slice(at, end);
      key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    at = skipSpace(text, skip(key, at, from));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return at + 1;
}

const [quote, backslash, comma] = [34, 92, 44];
export const [openBracket, openBrace] = [91, 123];
const [closeBracket, closeBrace] = [93, 125];
const isOpening = (code: number) => code === openBrace || code === openBracket;
const isClosing = (code: number) => code === closeBrace || code === closeBracket;

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

export function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at);
    else if (isOpening(code)) {
      depth += 1;
      at += 1;
    } else if (isClosing(code)) {
      depth -= 1;
      at += 1;
    } else if (depth === 0) return skipPlain(text, at);
    else at += 1;
  } while (depth > 0 && at < text.length);
  return at;
}

function skipPlain(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || isClosing(code) || code <= 32) break;
  }
  return at;
}

function skipString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end >= 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
