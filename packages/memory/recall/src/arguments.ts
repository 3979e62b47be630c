import { type Ref, refText } from '@ctx/archive';
import type { ArchiveEntry } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

type ArchiveKind = ArchiveEntry['kind'];

/** The kinds of text that a model may ask for. */
export const askedKinds = ['user', 'assistant', 'call', 'result', 'summary'] as const;

/** What a model asks for, read from whatever it sent. */
export interface Wish {
  /** Empty: nothing to search for. */
  readonly query: string;
  /** Handles, each once. */
  readonly refs: readonly string[];
  readonly path: string | undefined;
  readonly kind: ArchiveKind | undefined;
  /** Tokens; undefined: as many as the tool may give. */
  readonly maxTokens: number | undefined;
  /** What of the arguments was understood differently from how it stands, a sentence each. */
  readonly notes: readonly string[];
}

/** Characters of a query that are read; a longer one says no more about what is looked for. */
const longestQuery = 20_000;
/** Handles that are read in one call: more do not fit into an answer. */
const mostRefs = 10;
/** Levels of JSON in a string in a string. */
const deepest = 2;

/** Understands arguments as kindly as possible: numbers as strings, `null`, empty strings, JSON in a string, a handle as query. */
export function readArguments(given: unknown, depth = 0): Wish {
  if (typeof given === 'string') return fromText(given, depth);
  const fields = isFields(given) ? given : {};
  const notes: string[] = [];
  let query = textOf(fields.query).slice(0, longestQuery);
  const named = setting(fields.ref);
  let refs = refsIn(named);
  if (named !== '' && refs.length === 0) {
    notes.push(`${quoted(named)} is not a handle; handles look like #m41 or #m41:120-180.`);
    if (query === '') query = named;
  }
  if (refs.length === 0 && wholeHandle.test(query)) {
    refs = refsIn(query);
    query = '';
  }
  const path = setting(fields.path);
  const wished = setting(fields.kind);
  const kind = kindOf(wished);
  if (wished !== '' && kind === undefined)
    notes.push(`There is no kind ${quoted(wished)}, only ${askedKinds.join(', ')}; all were searched.`);
  const tokens = Number(setting(fields.maxTokens));
  const maxTokens = Number.isFinite(tokens) && tokens > 0 ? Math.floor(tokens) : undefined;
  return { query, refs, path: path === '' ? undefined : path, kind, maxTokens, notes };
}

/** A text in place of arguments: JSON as some SDKs give it, otherwise what to look for. */
function fromText(text: string, depth: number): Wish {
  if (depth < deepest) {
    try {
      return readArguments(JSON.parse(text), depth + 1);
    } catch {
      // Not JSON.
    }
  }
  return readArguments({ query: text }, depth + 1);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ').trim();
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Words that models write where they mean that an argument is not given. */
const unset = /^(?:null|none|undefined|n\/a)$/i;

function setting(value: unknown): string {
  const text = textOf(value);
  return unset.test(text) ? '' : text;
}

/** Handles as models write them: `#m41`, `m41:120-180`, `#m41:L120–L180`; and of several messages, `#m5-#m40`. */
const handle = /#?m(\d{1,15})(?:[-–]#?m(\d{1,15})|:l?(\d{1,15})(?:[-–]l?(\d{1,15}))?)?/gi;
const bareNumber = /^#?(?=\d)/;
const wholeHandle = /^\[?#m\d{1,15}(?::[\d-]{1,31}|-#m\d{1,15})?\]?$/i;

function refsIn(text: string): string[] {
  // 100: no handle is as long, and the spaces in it are the model's.
  const plain = text
    .slice(0, 100 * mostRefs)
    .replace(/\s+/g, '')
    .replace(bareNumber, '#m');
  const refs = [...plain.matchAll(handle)].map(([, message, until, first, last]) =>
    until === undefined
      ? refText({ message: Number(message), ...linesFrom(first, last) })
      : refOfMessages(Number(message), Number(until)),
  );
  return [...new Set(refs)].slice(0, mostRefs);
}

/** The handle of several messages: `#m5-#m40`. */
export function refOfMessages(one: number, other: number): string {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return first === last ? `#m${first}` : `#m${first}-#m${last}`;
}

/** The numbers of the messages under a handle. */
export function messagesOf(ref: string): { readonly first: number; readonly last: number } {
  const [, first = '', last = first] = /^#m(\d+)(?:-#m(\d+))?/.exec(ref) ?? [];
  return { first: Number(first), last: Number(last) };
}

function linesFrom(first: string | undefined, last = first): Pick<Ref, 'lines'> {
  if (first === undefined) return {};
  const [from, to] = [Number(first), Number(last)];
  return { lines: { first: Math.min(from, to), last: Math.max(from, to) } };
}

function kindOf(name: string): ArchiveKind | undefined {
  const singular = name.toLowerCase().replace(/[\s-]/g, '_').replace(/s$/, '');
  return askedKinds.find((kind) => kind === singular);
}

/** Characters of a model's own words that it is shown again. */
const longestQuote = 60;

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, longestQuote));
}
