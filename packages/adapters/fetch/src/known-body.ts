import { eachChild, parseJson, skipSpace, skipValue } from '@ctx/core/codec';
import type { DecodedList } from './decoded-list.js';
import { JsonSource } from './json-source.js';
import type { Body } from './wire-form.js';

/** Where the list of what was said stands in a body. */
interface Layout {
  readonly start: number;
  /** How its first element begins, by which bodies are told apart before they are compared. */
  readonly opening: string;
  /** Where each element ends. */
  readonly ends: readonly number[];
  /** What comes after the last element. */
  readonly tail: string;
}

/** UTF-16 units: most first messages differ in so many. */
const openingLength = 512;
/** UTF-16 units that are compared at once, where a loop would look at each. */
const comparedAtOnce = 16_384;

/** A body that was read, by whose text the next one of its conversation is recognised. */
export class KnownBody {
  readonly source: JsonSource;
  /** What the list of this body, or of the one before it, was decoded to. */
  decoded: DecodedList | undefined;
  /** `undefined` if nobody has looked, null if there is no list to go on with. */
  #layout: Layout | null | undefined;

  /** @throws SyntaxError for what is no JSON */
  constructor(
    readonly text: string,
    /** The field of the body with the list of what was said. */
    readonly field: string,
    before?: { readonly value: Body; readonly layout: Layout; readonly decoded: DecodedList | undefined },
  ) {
    this.source = new JsonSource(text, before?.value);
    this.#layout = before?.layout;
    this.decoded = before?.decoded;
  }

  get value(): Body {
    return this.source.value as Body;
  }

  get list(): readonly unknown[] {
    return this.value[this.field] as readonly unknown[];
  }

  /** How many elements of this list, which are objects, a text begins with, at the same places. */
  sharedWith(text: string): number {
    this.#layout ??= layoutOf(this.text, this.field, this.source.value) ?? null;
    if (this.#layout === null) return 0;
    const { start, opening, ends } = this.#layout;
    if (!text.startsWith(opening, start)) return 0;
    const length = commonLength(this.text, text);
    const other = ends.findIndex((end, at) => end > length || !isObject(this.list[at]));
    return other < 0 ? ends.length : other;
  }

  /**
   * The body of a text that begins with so many elements of this one: they are the same objects. Neither they nor what comes before the list
   * are parsed again; `undefined` if the text is not the same after the list too.
   */
  continuedBy(text: string, shared: number): KnownBody | undefined {
    const { start, opening, tail, ends } = this.#layout as Layout;
    const [from, to] = [ends[shared - 1] as number, text.length - tail.length];
    if (from > to || !text.endsWith(tail)) return undefined;
    const added = elementsOf(text.slice(from, to));
    if (added === undefined) return undefined;
    return new KnownBody(text, this.field, {
      value: { ...this.value, [this.field]: [...this.list.slice(0, shared), ...added] },
      // A part of a text holds the whole, so these are parts of the new one.
      layout: {
        start,
        opening: text.slice(start, start + opening.length),
        ends: [...ends.slice(0, shared), ...endsOf(text, from, added.length)],
        tail: text.slice(to),
      },
      decoded: this.decoded,
    });
  }
}

function layoutOf(text: string, field: string, value: unknown): Layout | undefined {
  if (!isObject(value) || !Array.isArray((value as Body)[field])) return undefined;
  let bracket: number | undefined;
  let keys = 0;
  eachChild(text, skipSpace(text, 0), (key, at) => {
    keys += 1;
    if (key === field) bracket = at;
    return skipValue(text, at);
  });
  // Where a key stands twice, another list may be the one that counts.
  if (bracket === undefined || keys !== Object.keys(value).length) return undefined;
  const ends: number[] = [];
  eachChild(text, bracket, (_, at) => {
    const end = skipValue(text, at);
    ends.push(end);
    return end;
  });
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined) return undefined;
  const opening = text.slice(bracket, Math.min(first, bracket + openingLength));
  return { start: bracket, opening, ends, tail: text.slice(last) };
}

/** The elements in the rest of a list that comes after one of them; `undefined` if it is something else. */
function elementsOf(rest: string): unknown[] | undefined {
  const comma = skipSpace(rest, 0);
  if (comma === rest.length) return [];
  if (rest[comma] !== ',' || skipSpace(rest, comma + 1) === rest.length) return undefined;
  try {
    return parseJson(`[${rest.slice(comma + 1)}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/** Where each of so many elements ends that follow a position. */
function endsOf(text: string, from: number, count: number): number[] {
  const ends: number[] = [];
  for (let at = from; ends.length < count; ends.push(at))
    at = skipValue(text, skipSpace(text, skipSpace(text, at) + 1));
  return ends;
}

/** The length of what both texts begin with. */
function commonLength(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let at = 0;
  for (let step = comparedAtOnce; step >= 1; step = Math.floor(step / 2))
    while (at < shorter && one.slice(at, at + step) === other.slice(at, at + step)) at += step;
  return Math.min(at, shorter);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
