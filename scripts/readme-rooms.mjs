/**
 * Checks that the README of core names every file of core once, under its room, and no other, and prints README:line or the file for each
 * offence. The files that lie in a folder of a room may be named one by one or as the folder.
 * Usage: node scripts/readme-rooms.mjs [root]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { conclude, root, sourcesIn } from './sources.mjs';

const readme = 'packages/core/README.md';
const folder = join(root, 'packages/core/src');
const offences = [];

const files = sourcesIn(folder)
  .map((file) => relative(folder, file).split(sep).join('/'))
  .filter((file) => file.includes('/'));
const expected = new Set(files);

/** Path in core → the line that names it. */
const named = new Map();
let room;
const lines = readFileSync(join(root, readme), 'utf8').split('\n');
for (const [at, text] of lines.entries()) {
  if (text.startsWith('## ')) room = undefined;
  room = /^\*\*`(\w+)\/`\*\*/.exec(text)?.[1] ?? room;
  if (room === undefined || !text.startsWith('- ')) continue;
  for (const [, name] of text.slice(0, text.indexOf(':')).matchAll(/`([\w./-]+)`/g)) {
    const path = `${room}/${name}`;
    const isFolder = name.endsWith('/');
    const message = named.has(path)
      ? `names ${path} a second time, after line ${named.get(path)}`
      : (isFolder ? existsSync(join(folder, path)) : expected.has(path))
        ? undefined
        : `names ${path}, which core has not`;
    if (message !== undefined) offences.push({ file: readme, line: at + 1, message });
    named.set(path, at + 1);
  }
}
for (const file of files) {
  const isNamed = named.has(file) || named.has(`${file.slice(0, file.lastIndexOf('/'))}/`);
  if (!isNamed)
    offences.push({ file: `packages/core/src/${file}`, line: 1, message: `is not named in ${readme}` });
}
conclude(offences, 'The README of core names every file of core.');
