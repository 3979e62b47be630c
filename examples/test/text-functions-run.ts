import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textFunctions } from './text-functions.js';
import { patternsFor, sizeFor } from './text-patterns.js';

/** Seconds of the processor that one call may take. Linear work takes less than one, quadratic work more than ten, most of it minutes. */
const mostSeconds = 10;

/** Runs every function on every pattern, and says which before each: the last line is the one that hangs or takes too long. */
const folder = mkdtempSync(join(tmpdir(), 'ctx-text-'));
for (const [name, run] of Object.entries(textFunctions(folder))) {
  for (const pattern of patternsFor(name)) {
    console.log(`${name} on ${JSON.stringify(pattern)}`);
    const before = process.cpuUsage();
    await run(pattern.repeat(Math.ceil(sizeFor(name) / pattern.length)));
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    if (seconds > mostSeconds) throw new Error(`${name} took ${seconds} s of the processor`);
  }
}
rmSync(folder, { recursive: true });
console.log('done');
