// Fills a small disk with an archive and something else, which it then removes.
// Prints the codes of what failed, one line for each step.
// Usage: node full-disk.mjs <built sqlite door> <folder on a disk of some megabytes>
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
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

const archive = await sqliteArchive(file);
await archive.put([entry(1)]);
fillDisk('other');
let message = 1;
let error;
while (error === undefined) {
  message += 1;
  error = await archive.put([entry(message)]).then(
    () => undefined,
    ({ code }) => code,
  );
}
await step('put', () => archive.put([entry(message)]));
await step('read', () => archive.get('#m1', { conversation }));
rmSync(join(folder, 'other'));
await step('put with room', () => archive.put([entry(message)]));
await step('read it', () => archive.get(`#m${message}`, { conversation }));
await archive.close();
