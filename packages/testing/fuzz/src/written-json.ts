/** A number as an agent writes it, which JavaScript could not write again. */
export class Digits {
  constructor(readonly text: string) {}
}

/** How somebody writes JSON: all of it means the same, and none of it is what `JSON.stringify` writes. */
export interface Hand {
  readonly space: string;
  /** Whether characters beyond ASCII, and slashes, are escaped. */
  readonly escapes: boolean;
}

/** A value as JSON in a hand of its own. */
export function written(value: unknown, hand: Hand): string {
  const { space } = hand;
  if (value instanceof Digits) return value.text;
  if (typeof value === 'string') return quoted(value, hand);
  if (Array.isArray(value)) return `[${value.map((one) => written(one, hand)).join(`,${space}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, one]) => `${quoted(key, hand)}:${space}${written(one, hand)}`,
  );
  return `{${fields.join(`,${space}`)}}`;
}

function quoted(text: string, { escapes }: Hand): string {
  const plain = JSON.stringify(text);
  if (!escapes) return plain;
  return plain
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text, or a character that says how deep the next one is. */
const tokens = /"(?:[^"\\]|\\.)*"?|[[\]{},]/gs;

/** The texts of the elements of a list at the top of an object, and the text around them. Knows nothing of any provider. */
export function listIn(
  body: string,
  key: string,
): { readonly items: readonly string[]; readonly around: string } {
  const items: string[] = [];
  let [depth, from, begin, end] = [0, -1, -1, -1];
  let lastText = '';
  for (const { 0: token, index } of body.matchAll(tokens)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token !== ',' && depth === 1) lastText = token.slice(1, -1);
    const isEnd = depth === 1 && token === ']';
    if (depth === 2 && token === '[' && lastText === key) {
      begin = index + 1;
      from = begin;
    } else if (from >= 0 && (isEnd || (depth === 2 && token === ','))) {
      items.push(body.slice(from, index).trim());
      if (isEnd) end = index;
      from = isEnd ? -1 : index + 1;
    }
  }
  return { items: items.filter((item) => item !== ''), around: body.slice(0, begin) + body.slice(end) };
}
