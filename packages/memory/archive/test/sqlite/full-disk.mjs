// Fills a small disk with an archive and something else, forgets, and puts again; then once more with the archive opened on the full disk.
// Prints the codes of what failed, one line for each step.
// Usage: node full-disk.mjs <built sqlite door> <folder on a disk of some megabytes>
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [, , door, folder] = process.argv;
const { sqliteArchive } = await import(door);
const file = join(folder, 'archive.db');
const conversation = 'one';
const entry = (message) => ({
  ...{ conversation, message, part: 0, line: 1, kind: 'user', heading: 'user', time: 0 },
  text: `word${message} other `.repeat(400),
});

async function step(name, act) {
  const code = await act().then(
    () => 'done',
    (error) => error.code ?? String(error),
  );
  console.log(`${name}: ${code}`);
  return code;
}

/** Takes every block that is left. */
function fillDisk(name) {
  const other = openSync(join(folder, name), 'w');
  try {
    for (;;) writeSync(other, Buffer.alloc(4096, 1));
  } catch {
    closeSync(other);
  }
}

let archive = await sqliteArchive(file);
let message = 0;
let error;
while (error === undefined) {
  message += 1;
  error = await archive.put([entry(message)]).then(
    () => undefined,
    ({ code }) => code,
  );
}
fillDisk('other');
await step('put', () => archive.put([entry(message)]));
await step('forget some', () => archive.forget(conversation, { from: '#m2', to: '#m20' }));
await step('put after it', () => archive.put([entry(2)]));
await step('read', () => archive.get('#m1', { conversation }));
await step('read what was forgotten', () => archive.get('#m3', { conversation }));
await archive.close();
fillDisk('another');
await step('open', async () => {
  archive = await sqliteArchive(file);
});
await step('forget all', () => archive.forget(conversation));
await step('put after all', () => archive.put([entry(1)]));
await step('read after all', () => archive.get('#m1', { conversation }));
await step('find after all', async () => {
  const found = await archive.search('word1', { conversation });
  if (found.length === 0) throw new Error('nothing was found');
});
await archive.close();
