import { jsonOrText } from '@ctx/core/codec';

/**
 * True where a text, if it is JSON, says nothing that its parsed value does not: no number too large or too fine for JavaScript, no key
 * of an object twice. What is no JSON, or too deep, stays a text.
 */
export function isExact(text: string): boolean {
  const value = jsonOrText(text);
  if (value === text) return true;
  const written = JSON.stringify(value);
  if (written === text) return true;
  const said = tokensOf(text);
  return said.every(isExactToken) && said.length === tokensOf(written).length;
}

/** The strings (keys among them), numbers and words of a JSON text. */
function tokensOf(json: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = at;
    if (json[at] === '"') {
      at = endOfString(json, at);
      tokens.push('"');
    } else if (isPlain(json[at])) {
      while (isPlain(json[at])) at += 1;
      tokens.push(json.slice(start, at));
    } else at += 1;
  }
  return tokens;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isPlain(character: string | undefined): boolean {
  return character !== undefined && /[\w+.-]/.test(character);
}

/** Up to 15 digits are always exact. */
function isExactToken(token: string): boolean {
  if (!/^-?\d/.test(token)) return true;
  const digits = withoutZerosAtEnd((token.split(/e/i)[0] as string).replace(/[-.]/g, '').replace(/^0+/, ''));
  const number = Number(token);
  if (!Number.isFinite(number) || (number === 0 && digits !== '')) return false;
  return digits.length <= 15 || String(number) === token;
}

function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
