import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patternsFor, sizeFor, textFunctions } from './text-functions.js';

/** Runs every function on every pattern, and says which before each: the last line is the one that hangs. */
const folder = mkdtempSync(join(tmpdir(), 'ctx-text-'));
for (const [name, run] of Object.entries(textFunctions(folder))) {
  for (const pattern of patternsFor(name)) {
    console.log(`${name} on ${JSON.stringify(pattern)}`);
    await run(pattern.repeat(Math.ceil(sizeFor(name) / pattern.length)));
  }
}
rmSync(folder, { recursive: true });
console.log('done');
