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

/** The texts of the elements of a list at the top of an object, and the text around them. Knows nothing of any provider. */
export function listIn(
  body: string,
  key: string,
): { readonly items: readonly string[]; readonly around: string } {
  const items: string[] = [];
  let [depth, from, begin, end] = [0, -1, -1, -1];
  let lastText = '';
  for (let at = 0; at < body.length; at += 1) {
    const one = body[at] as string;
    if (one === '"') {
      const close = endOfText(body, at);
      if (depth === 1) lastText = body.slice(at + 1, close);
      at = close;
    } else if (one === '[' || one === '{') {
      depth += 1;
      if (depth === 2 && one === '[' && lastText === key) {
        begin = at + 1;
        from = begin;
      }
    } else if (one === ']' || one === '}') {
      depth -= 1;
      if (depth === 1 && from >= 0) {
        items.push(body.slice(from, at).trim());
        end = at;
        from = -1;
      }
    } else if (one === ',' && depth === 2 && from >= 0) {
      items.push(body.slice(from, at).trim());
      from = at + 1;
    }
  }
  return { items: items.filter((item) => item !== ''), around: body.slice(0, begin) + body.slice(end) };
}

function endOfText(body: string, begin: number): number {
  let at = body.indexOf('"', begin + 1);
  while (isEscaped(body, at)) at = body.indexOf('"', at + 1);
  return at;
}

function isEscaped(body: string, at: number): boolean {
  let slashes = 0;
  while (body[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
