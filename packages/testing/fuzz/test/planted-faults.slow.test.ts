import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

test('no-unhandled-rejection: a rejected promise that nobody awaits is found', () => {
  // Runs in a separate process, because Jest's own does not get the event.
  const fuzz = pathToFileURL(join(__dirname, '../dist/index.js')).href;
  const script = `
    const { failureOf, historyOf } = await import(${JSON.stringify(fuzz)});
    const plant = (manager) => {
      Promise.reject(new Error('nobody waits for this'));
      return manager;
    };
    console.log((await failureOf(historyOf(1), { plant }))?.law);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('no-unhandled-rejection');
});
