/** Where the string at `start` ends; `start` if there is none, -1 if the end of the text cuts it. */
export function endOfString(text: string, start: number, limit: number): number {
  const quote = text.charCodeAt(start);
  if (quote !== 34 && quote !== 39) return start;
  for (let at = start + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === 92) at++;
    else if (code === 10) return start;
  }
  return -1;
}

/** The same for a string, a number or a constant. */
export function endOfScalar(text: string, start: number, limit: number): number {
  const code = text.charCodeAt(start);
  if (code === 34 || code === 39) return endOfString(text, start, limit);
  if (code === 45 || (code >= 48 && code <= 57)) {
    let at = start + 1;
    while (at < limit && isNumberPart(text.charCodeAt(at))) at++;
    return at;
  }
  for (const word of constants) if (text.startsWith(word, start)) return Math.min(start + word.length, limit);
  return start;
}

const constants = ['null', 'true', 'false', 'None', 'True', 'False', 'NaN'];

function isNumberPart(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || code === 46 || code === 101 || code === 69 || code === 43 || code === 45
  );
}
