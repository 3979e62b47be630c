/** Texts that are generated, whole files or what stands between two marks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

export const read = (path) => readFileSync(join(root, path), 'utf8');

/** A text with what stands between two marks replaced. Both have to be there. */
export function replaced(path, [start, end], content, text = read(path)) {
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (from < start.length || to < 0) throw new Error(`${path} has no "${start.trim()}" … "${end.trim()}"`);
  return `${text.slice(0, from)}${content}${text.slice(to)}`;
}

export const block = (name) => [`<!-- ${name}:start -->\n`, `<!-- ${name}:end -->`];

/**
 * Writes texts by path, as far as they changed.
 * @param isCheck writes nothing
 * @returns false if something is out of date that was to be checked
 */
export function writeAll(texts, isCheck) {
  const current = (path) => (existsSync(join(root, path)) ? read(path) : undefined);
  const stale = Object.keys(texts).filter((path) => current(path) !== texts[path]);
  for (const path of stale) {
    if (isCheck) console.error(`${path} is out of date: npm run generate`);
    else writeFileSync(join(root, path), texts[path]);
  }
  const all = `${Object.keys(texts).length} generated files`;
  console.log(
    stale.length === 0
      ? `${all} are up to date.`
      : `${stale.length} of ${all} ${isCheck ? 'are out of date' : 'were written'}`,
  );
  return stale.length === 0 || !isCheck;
}
