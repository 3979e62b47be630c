import { explainMeasure, explainWord } from './explain-word.js';
import { longestPart } from './limits.js';
import type { TermTable } from './term-table.js';
import { isNameOnly, isNumber, noMeaning, type TokenMeaning } from './token-flags.js';
import { isIdLike } from './word-shapes.js';

/** The meaning of a token that consists of several words with joiners such as dots, dashes and slashes. */
export function explainCompound(raw: string, terms: TermTable): TokenMeaning {
  const key = raw.toLowerCase();
  const numeric = /^\d/.test(raw) && !isEmailOrUuid(raw, key) ? explainNumeric(key, terms) : undefined;
  return numeric ?? { ...noMeaning, ids: idsOfCompound(raw, key, terms) };
}

function isEmailOrUuid(raw: string, key: string): boolean {
  return (
    raw.includes('://') || (raw.includes('@') && email.test(raw)) || (raw.length === 36 && uuid.test(key))
  );
}

const email = /^[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}$/u;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

function idsOfCompound(raw: string, key: string, terms: TermTable): number[] {
  if (raw.includes('://')) return idsOfUrl(key, terms);
  if (raw.includes('@') && email.test(raw)) return [terms.idOf(key, 'email')];
  if (raw.length === 36 && uuid.test(key)) return [terms.idOf(key, 'id')];
  const parts = raw.split(/[-./\\@:,+~]+/).filter((part) => part !== '');
  if (/[/\\]/.test(raw)) {
    // A function with the number of its arguments, such as Registry.get_pane_id/1.
    const [, name] = /^([^/\\]{3,})\/\d{1,2}$/.exec(raw) ?? [];
    // A test as pytest names it: tests/test_app.py::TestUser::test_login.
    const test = raw.indexOf('::');
    const file = raw.slice(0, Math.max(0, test));
    if (/[/\\]/.test(file))
      return [
        ...idsOfCompound(file, file.toLowerCase(), terms),
        ...idsOfParts(raw.slice(test).split(/[:.]+/), terms),
      ];
    return name === undefined ? idsOfPath(raw, parts, terms) : idsOfFunction(name, terms);
  }
  if (raw.includes('@') && !raw.startsWith('@')) return idsOfParts(parts, terms);
  const last = parts.at(-1) ?? '';
  if (raw.includes('.') && extensions.has(last.toLowerCase()) && parts.length > 1)
    return [terms.idOf(key, 'path'), ...idsOfParts(parts.slice(0, -1), terms)];
  if (key.length < 4 || /[,+~]|--|\.\./.test(raw) || !/\p{L}/u.test(raw)) return idsOfParts(parts, terms);
  // The end of a sentence and the first word of the next, with no space between them.
  if (parts.length === 2 && /\p{Ll}{2}\.\p{Lu}\p{Ll}+$/u.test(raw) && !/^\p{Lu}/u.test(raw))
    return idsOfParts(parts, terms);
  const isId = /\d/.test(raw) && (parts.some(isIdLike) || /^\p{Lu}+-\d{2,}/u.test(raw));
  const whole = terms.idOf(key, isId ? 'id' : 'identifier');
  return isId ? [whole] : [whole, ...idsOfParts(parts, terms)];
}

function idsOfFunction(name: string, terms: TermTable): number[] {
  return name.includes('.')
    ? idsOfCompound(name, name.toLowerCase(), terms)
    : [...explainWord(name, terms).ids];
}

function idsOfUrl(key: string, terms: TermTable): number[] {
  const host = /:\/\/(?:[^/@]*@)?([^/:?#]+)/.exec(key)?.[1] ?? '';
  const url = terms.idOf(key.replace(/\/$/, ''), 'url');
  return host.length > 3 ? [url, terms.idOf(host, 'identifier')] : [url];
}

/** The terms of a path: the whole path, and the file's name or the terms of its last part. */
function idsOfPath(raw: string, parts: readonly string[], terms: TermTable): number[] {
  const path = raw.replace(/\\+/g, '/').replace(/^(?:\.\/)+|^~|(?<!\/)\/+$/g, '');
  const folders = path.split('/');
  const base = folders.at(-1) ?? '';
  const extension = /\.(\w+)$/.exec(base)?.[1];
  const isPath =
    !path.startsWith('//') &&
    (extension !== undefined || raw !== path || folders.length > 2 || /^[@/]|[_\d-]/.test(raw));
  if (!isPath) return idsOfParts(parts, terms);
  if (/^[\d/]+$/.test(path)) return [];
  const whole = terms.idOf(path.toLowerCase(), 'path');
  const isFile = extension !== undefined && extensions.has(extension.toLowerCase());
  if (isFile) return [whole, terms.idOf(base.toLowerCase(), 'path')];
  return [whole, ...idsOfParts(parts.slice(-1), terms)];
}

const extensions = new Set(
  'astro bash bat bin c cc cfg clj conf cpp cs css csv cts dart diff doc docx env erl ex exs fish gif go gradle graphql groovy gz h hpp hs htm html ico ini ipynb jar java jpeg jpg js json json5 jsonl jsx kt kts less lock log lua m map md mdx mjs cjs ml mts nix odt parquet patch pdf php pl png ppt pptx prisma proto ps1 py pyi r rb rs rst sass scala scss sh sol sql sqlite sum svelte svg swift tar tex tf tgz toml ts tsv tsx txt vue wasm webp xls xlsx xml yaml yml zig zip zsh'.split(
    ' ',
  ),
);

function idsOfParts(parts: readonly string[], terms: TermTable): number[] {
  const ids: number[] = [];
  for (const part of parts) {
    if (part.length < 3 || part.length > longestPart) continue;
    const meaning = explainWord(part, terms);
    if (!(meaning.flags & isNameOnly)) ids.push(...meaning.ids);
  }
  return ids;
}

/** The meaning of a compound that begins with a digit; undefined if it is not a number, date, time or version. */
function explainNumeric(key: string, terms: TermTable): TokenMeaning | undefined {
  const date = idsOfDate(key, terms);
  if (date) return { ...noMeaning, ids: date };
  const [, digits, suffix = ''] =
    /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+,\d{1,2})(\p{L}{0,7})$/u.exec(key) ?? [];
  if (digits) {
    const value = /,\d{1,2}$/.test(digits) ? digits.replace(',', '.') : digits.replaceAll(',', '');
    if (suffix) return explainMeasure(value, suffix, terms);
    const ids = value.length > 4 ? [terms.idOf(value, 'number')] : [];
    return { ids, flags: isNumber, value: value.replace(/\.0+$/, '') };
  }
  if (/^\d+(?:\.\d+){2,}$/.test(key)) return { ...noMeaning, ids: [terms.idOf(key, 'number')] };
  if (/^[\d-]+$/.test(key) && key.length > 7) return { ...noMeaning, ids: [terms.idOf(key, 'id')] };
  return undefined;
}

/** The terms of a date or time in digits. An ISO date also gives the date without the year, and the time. */
function idsOfDate(key: string, terms: TermTable): number[] | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t(\d{2}:\d{2})[\d:.]*z?)?/.exec(key);
  if (iso && (iso[0].length === key.length || iso[4])) {
    const [, year, month = '', day = '', time] = iso;
    const date = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const ids = [terms.idOf(`${year}-${date}`, 'date'), terms.idOf(date, 'date')];
    return time ? [...ids, terms.idOf(time, 'date')] : ids;
  }
  const isDateOrTime =
    /^\d{1,2}(?:([/.-])\d{1,2}\1\d{4}|\/\d{1,2}\/\d{2})$/.test(key) ||
    /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:am|pm)?$/.test(key);
  return isDateOrTime ? [terms.idOf(key, 'date')] : undefined;
}
