import {
  eachChild,
  numberText,
  openBrace,
  openBracket,
  parseJson,
  skipSpace,
  skipValue,
  stringifyJson,
} from '@ctx/core/codec';

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

  /** @throws SyntaxError for what is not JSON */
  constructor(readonly text: string) {
    this.value = parseJson(text);
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
    if (Array.isArray(value)) return `[${value.map((one, at) => this.#member(value, at, one)).join(',')}]`;
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return stringifyJson(value);
    const members = Object.entries(value).filter(([, one]) => one !== undefined && typeof one !== 'function');
    return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${this.#member(value, key, one)}`).join(',')}}`;
  }

  #member(holder: object, key: string | number, value: unknown): string {
    return numberText(holder, key) ?? this.stringify(value);
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
