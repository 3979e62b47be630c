/** Where a value stands in a text of JSON: from `start` up to, but not with, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A text of JSON and what it says, so that a value that is left as it is can be written as it came: with its order of keys, its numbers and
 * its spaces.
 */
export class JsonSource {
  readonly value: unknown;
  readonly #ranges = new WeakMap<object, Range>();
  readonly #looked = new WeakSet<object>();

  /** @throws SyntaxError for what is no JSON */
  constructor(readonly text: string) {
    this.value = JSON.parse(text);
  }

  /** Where an object of this text stands, as far as it is known. */
  #rangeOf(value: object): Range | undefined {
    const known = this.#ranges.get(value);
    if (known !== undefined || value !== this.value) return known;
    const start = skipSpace(this.text, 0);
    // Most texts are sent as they came, so nobody asks for it.
    const range = { start, end: skipValue(this.text, start) };
    this.#ranges.set(value, range);
    return range;
  }

  /** A value as JSON; an object of this text as it stands there. */
  stringify(value: unknown): string {
    if (!isObject(value)) return JSON.stringify(value) ?? 'null';
    const range = this.#rangeOf(value);
    if (range !== undefined) return this.text.slice(range.start, range.end);
    if (Array.isArray(value)) return `[${value.map((one) => this.stringify(one)).join(',')}]`;
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return JSON.stringify(value);
    const members = Object.entries(value).filter(([, one]) => one !== undefined && typeof one !== 'function');
    return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${this.stringify(one)}`).join(',')}}`;
  }

  /** Makes the objects in an object known, and those in them: from now on they are written as they came. */
  lookInto(value: unknown): void {
    if (!isObject(value) || this.#looked.has(value)) return;
    this.#looked.add(value);
    for (const [inner] of this.#childrenOf(value)) this.lookInto(inner);
  }

  /** The members of an object of this text, or the elements of a list, with their ranges. Those that are objects are known from now on. */
  #childrenOf(value: object): [value: unknown, range: Range][] {
    const range = this.#rangeOf(value);
    if (range === undefined) return [];
    const children = childRanges(this.text, range.start).map(({ key, range: inner }, index) => {
      const child = (value as Record<string, unknown>)[key ?? String(index)];
      return [child, inner] as [unknown, Range];
    });
    // Where a key stands twice, the last one is the one that counts.
    for (const [child, inner] of children) if (isObject(child)) this.#ranges.set(child, inner);
    return children;
  }

  /**
   * The text with other values for some members of its object; `undefined` takes a member away. What is not named stays as it came.
   * The elements of lists that are objects of this text are written as they came, and so are the objects in them.
   */
  withMembers(members: Readonly<Record<string, unknown>>): string {
    const object = this.value as Record<string, unknown>;
    for (const key of Object.keys(members))
      this.lookInto(object[key] === undefined ? undefined : this.#known(key));
    const { start } = this.#rangeOf(object) as Range;
    const left = new Map(Object.entries(members));
    let [text, at, isFirst] = ['', start + 1, true];
    for (const { key = '', range, from } of childRanges(this.text, start)) {
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

  #known(key: string): unknown {
    const object = this.value as Record<string, unknown>;
    if (!this.#looked.has(object)) {
      this.#looked.add(object);
      this.#childrenOf(object);
    }
    return object[key];
  }
}

interface Child {
  /** Of a member of an object; an element of a list has none. */
  readonly key?: string;
  readonly range: Range;
  /** Where its key begins, or the value where there is none. */
  readonly from: number;
}

/** The members of the object, or the elements of the list, that begins at a position of a valid text of JSON. */
function childRanges(text: string, start: number): Child[] {
  const children: Child[] = [];
  const isList = text[start] === '[';
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']' && text[at] !== '}') {
    const from = at;
    let key: string | undefined;
    if (!isList) {
      const end = skipValue(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = skipValue(text, at);
    children.push({ ...(key !== undefined && { key }), range: { start: at, end }, from });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return children;
}

const [quote, backslash, comma] = [34, 92, 44];

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** The position after the value that begins here. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at);
    else if (code === 123 || code === 91) {
      depth += 1;
      at += 1;
    } else if (code === 125 || code === 93) {
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
    if (code === comma || code === 93 || code === 125 || code <= 32) break;
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
