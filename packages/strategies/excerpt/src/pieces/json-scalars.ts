import * as char from '../characters.js';

/** The end of the string at `start`: undefined if there is none, beyond the limit if the string crosses the limit. */
export function endOfString(text: string, start: number, limit: number): number | undefined {
  const quote = text.charCodeAt(start);
  if (quote !== char.doubleQuote && quote !== char.singleQuote) return undefined;
  for (let at = start + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === char.backslash) at++;
    else if (code === char.lineFeed) return undefined;
  }
  return limit + 1;
}

/** The end of a string, a number or a constant, as `endOfString` gives it. */
export function endOfScalar(text: string, start: number, limit: number): number | undefined {
  const code = text.charCodeAt(start);
  if (code === char.doubleQuote || code === char.singleQuote) return endOfString(text, start, limit);
  if (code === char.minus || char.isDigit(code)) {
    let at = start + 1;
    while (at < limit && isNumberPart(text.charCodeAt(at))) at++;
    return at;
  }
  for (const word of constants) if (text.startsWith(word, start)) return Math.min(start + word.length, limit);
  return undefined;
}

const constants = ['null', 'true', 'false', 'None', 'True', 'False', 'NaN'];

function isNumberPart(code: number): boolean {
  return (
    char.isDigit(code) ||
    code === char.dot ||
    code === char.smallE ||
    code === char.capitalE ||
    code === char.plus ||
    code === char.minus
  );
}
