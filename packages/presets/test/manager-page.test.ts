import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContextManager, restore } from '@ctx/presets';

const page = readFileSync(join(__dirname, '../../../docs/manager.md'), 'utf8');

test('the page of the manager writes calls with (), and properties without', () => {
  const manager = createContextManager({ config: { contextWindow: 40_000 } });
  const known: Readonly<Record<string, unknown>> = { restore };
  const rows = page.split('\n').filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| to …'));
  const used = rows.flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-zA-Z]+)(\(.*?\))?`/g)]);
  expect(used.length).toBeGreaterThan(25);
  for (const [, name = '', call] of used) {
    const value = known[name] ?? Reflect.get(manager, name);
    const isCalled = typeof value === 'function';
    expect([name, value === undefined, isCalled]).toEqual([name, false, call !== undefined]);
  }
});
