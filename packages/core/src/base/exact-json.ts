import { eachChild, openBrace, openBracket, skipSpace, skipValue } from './json-text.js';

/**
 * JSON whose numbers are written as they were read. JavaScript has no number for `1234567890123456789`, and writes `1.0` as `1`. So an object
 * or list that was read with such a number also has, under this symbol, how each was written. A copy made with `{ ...object }` has it too,
 * other readers don't see it, and it counts only as long as the value is still that number.
 */
const written = Symbol.for('ctx.numbers');

type Numbers = Readonly<Record<string, string>>;
type Holder = { [written]?: Numbers | undefined };

/**
 * Reads JSON as `JSON.parse` does. `stringifyJson` writes the numbers of objects and lists as they were written here. In Node 20
 * `JSON.parse` does not tell its reviver how a number was written.
 * @throws SyntaxError for what is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && mayHold.some((form) => form.test(text)))
    keepNumbers(text, skipSpace(text, 0), value, 0);
  return value;
}

/** Many digits, an exponent, zeros at the end or a negative zero, in what may be a number and not a part of a text. */
const mayHold = [/[[:,\s]-?[\d.]{16}/, /[[:,\s]-?[\d.]+[eE]/, /\.\d*0[\s,}\]]/, /-0[\s,}\]]/];

/** Levels. No message may have more, and the recursion stays far from overflowing the stack. */
const deepest = 1000;

function keepNumbers(text: string, start: number, value: unknown, level: number): number {
  const code = text.charCodeAt(start);
  const isHolder = code === openBracket ? Array.isArray(value) : code === openBrace && isObject(value);
  // Where a key stands twice, the last one counts: the first may be of another kind.
  if (!isHolder || Array.isArray(value) !== (code === openBracket) || level > deepest)
    return skipValue(text, start);
  const holder = value as Record<string, unknown>;
  const numbers: Record<string, string> = Object.create(null);
  const end = eachChild(text, start, (key, at) => {
    const inner = holder[key];
    if (typeof inner !== 'number') return keepNumbers(text, at, inner, level + 1);
    const after = skipValue(text, at);
    const token = text.slice(at, after);
    if (String(inner) !== token && isNumber(token)) numbers[key] = token;
    else delete numbers[key];
    return after;
  });
  setNumbers(value as object, numbers);
  return end;
}

const isNumber = (token: string) => /^-?\d/.test(token);

function setNumbers(value: object, numbers: Numbers): void {
  if (Object.keys(numbers).length > 0) (value as Holder)[written] = Object.freeze(numbers);
}

/** How the number under a key was written, if `String` would write it in another way. */
export function numberText(holder: object, key: string | number): string | undefined {
  const numbers = (holder as Holder)[written];
  if (numbers === undefined || !Object.hasOwn(numbers, key)) return undefined;
  const text = numbers[key] as string;
  return Object.is(Number(text), (holder as Record<string | number, unknown>)[key]) ? text : undefined;
}

/**
 * Makes the numbers of a copy be written as those of the original.
 * @param keyIn the key in the original for one in the copy. @default the same
 */
export function withNumbersOf<T extends object>(
  original: object,
  copy: T,
  keyIn: (key: string) => string = (key) => key,
): T {
  if ((original as Holder)[written] === undefined) return copy;
  const numbers: Record<string, string> = Object.create(null);
  for (const key of Object.keys(copy)) {
    const text = numberText(original, keyIn(key));
    if (text !== undefined) numbers[key] = text;
  }
  setNumbers(copy, numbers);
  return copy;
}

/**
 * Writes JSON as `JSON.stringify` does, the numbers that `parseJson` read as they were written.
 * @throws TypeError for what has no JSON
 */
export function stringifyJson(value: unknown, indent?: number): string {
  const plain = JSON.stringify(value, undefined, indent) as string;
  if (!holdsNumbers(value)) return plain;
  let mark = '#';
  while (plain.includes(mark)) mark += '0#';
  const marked = JSON.stringify(
    value,
    function (this: object, key, inner: unknown) {
      const text = typeof inner === 'number' ? numberText(this, key) : undefined;
      return text === undefined ? inner : `${mark}${text}`;
    },
    indent,
  );
  const [first = '', ...others] = marked.split(`"${mark}`);
  return first + others.map((piece) => piece.replace('"', '')).join('');
}

/** `stringifyJson` succeeded, so the value ends, but an object in it may be shared. */
function holdsNumbers(value: unknown, seen = new Set<object>()): boolean {
  if (!isObject(value) || seen.has(value) || ArrayBuffer.isView(value)) return false;
  if ((value as Holder)[written] !== undefined) return true;
  seen.add(value);
  return Object.values(value).some((inner) => holdsNumbers(inner, seen));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
