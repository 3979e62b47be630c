/** Where a value is in a text of JSON: from `start` up to, but not with, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A text of JSON and what it says, so that a value that is left as it is can be written unchanged: with its order of keys, its numbers and
 * its spaces.
 */
export class JsonSource {
  readonly value: unknown;
  readonly #ranges = new WeakMap<object, Range>();

  /**
   * @param value what the text says, if that is known. @default it is parsed
   * @throws SyntaxError for what is not JSON
   */
  constructor(
    readonly text: string,
    value: unknown = JSON.parse(text),
  ) {
    this.value = value;
  }

  /** Where an object of this text stands, as far as it is known. */
  #rangeOf(value: object): Range | undefined {
    const known = this.#ranges.get(value);
    if (known !== undefined || value !== this.value) return known;
    const start = skipSpace(this.text, 0);
    // Most texts are sent unchanged, so nobody asks for it.
    const range = { start, end: skipValue(this.text, start) };
    this.#ranges.set(value, range);
    return range;
  }

  /** A value as JSON; an object of this text as it is written there. */
  stringify(value: unknown): string {
    if (!isObject(value)) return JSON.stringify(value) ?? 'null';
    const range = this.#rangeOf(value);
    if (range !== undefined) return this.text.slice(range.start, range.end);
    if (Array.isArray(value)) return `[${value.map((one) => this.stringify(one)).join(',')}]`;
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return JSON.stringify(value);
    const members = Object.entries(value).filter(([, one]) => one !== undefined && typeof one !== 'function');
    return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${this.stringify(one)}`).join(',')}}`;
  }

  /**
   * Finds some of the objects in the value that begins at a position: from now on they are written unchanged.
   * @param value what the text says there
   * @returns the position after it
   */
  #find(some: ReadonlySet<unknown>, value: unknown, start: number): number {
    const { text } = this;
    const isList = text.charCodeAt(start) === openBracket;
    // Where a key stands twice, the last one is the one that counts: the first may be of another kind.
    const isOther = !isObject(value) || (!isList && text.charCodeAt(start) !== openBrace);
    if (isOther || !holdsAny(value, some)) return skipValue(text, start);
    const end = eachChild(text, start, (key, at) =>
      this.#find(some, (value as Record<string | number, unknown>)[key], at),
    );
    this.#ranges.set(value, { start, end });
    return end;
  }

  /**
   * The text with other values for some members of its object; `undefined` takes a member away. What is not named stays unchanged.
   * The elements of lists that are objects of this text are written unchanged, and so are the objects in them.
   */
  withMembers(members: Readonly<Record<string, unknown>>): string {
    const object = this.value as Record<string, unknown>;
    const { start } = this.#rangeOf(object) as Range;
    const children = this.#childrenOf(object, start, members);
    const left = new Map(Object.entries(members));
    let [text, at, isFirst] = ['', start + 1, true];
    for (const { key, range, from } of children) {
      const isNamed = Object.hasOwn(members, key);
      const isTaken = isNamed && (members[key] === undefined || !left.has(key));
      if (!isTaken) {
        const space = this.text.slice(at, from);
        text += isFirst ? space.replace(',', '') : space;
        text += isNamed
          ? `${this.text.slice(from, range.start)}${this.stringify(members[key])}`
          : this.text.slice(from, range.end);
        isFirst = false;
      }
      left.delete(key);
      at = range.end;
    }
    for (const [key, value] of left) {
      if (value === undefined) continue;
      text += `${isFirst ? '' : ','}${JSON.stringify(key)}:${this.stringify(value)}`;
      isFirst = false;
    }
    return `${this.text.slice(0, start)}{${text}${this.text.slice(at)}`;
  }

  /** The members of the object of this text. In those that get other values, the objects that stay are found. */
  #childrenOf(
    object: Record<string, unknown>,
    start: number,
    members: Readonly<Record<string, unknown>>,
  ): Child[] {
    const children: Child[] = [];
    const written = objectsIn(members);
    eachChild(this.text, start, (name, at, from) => {
      const key = String(name);
      const isNamed = Object.hasOwn(members, key);
      const end = isNamed ? this.#find(written, object[key], at) : skipValue(this.text, at);
      children.push({ key, range: { start: at, end }, from });
      return end;
    });
    return children;
  }
}

interface Child {
  readonly key: string;
  readonly range: Range;
  /** Where its key begins. */
  readonly from: number;
}

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
      key = textOf(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    at = skipSpace(text, skip(key, at, from));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return at + 1;
}

function textOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

const [quote, backslash, comma] = [34, 92, 44];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
const isOpening = (code: number) => code === openBrace || code === openBracket;
const isClosing = (code: number) => code === closeBrace || code === closeBracket;

/** The position of the next character that is no space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** The position after the value that begins here. */
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

/** The position after a number, `true`, `false` or `null`. */
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

/** The objects and lists in a value, and itself. */
function objectsIn(value: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (!isObject(value) || found.has(value)) return found;
  found.add(value);
  for (const one of Object.values(value)) objectsIn(one, found);
  return found;
}

/** True for one of these, and for what has one of them in it. */
function holdsAny(value: unknown, some: ReadonlySet<unknown>): boolean {
  if (!isObject(value)) return false;
  if (some.has(value)) return true;
  for (const key in value) if (holdsAny(value[key as keyof typeof value], some)) return true;
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
