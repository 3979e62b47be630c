import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a script in a process of its own and returns what it printed. */
function run(script: string, ...flags: string[]): string {
  const args = [...flags, '--no-warnings', join(__dirname, '../..', script)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

const compressed = /^(\w+: \d+ tokens → \d+, \d+ messages are sent\n){2}$/;

test('the built packages compress a conversation in Node', () => {
  expect(run('examples/runtimes/smoke.mjs')).toMatch(compressed);
});

test('and in a bundle that has only what browsers have', () => {
  expect(run('scripts/browser-smoke.mjs', '--experimental-vm-modules')).toMatch(compressed);
});
