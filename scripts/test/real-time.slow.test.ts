import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-real-time-'));
  mkdirSync(join(root, 'packages/core/test'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function said(text: string): string {
  writeFileSync(join(root, 'packages/core/test/a.test.ts'), text);
  const script = join(__dirname, '../real-time.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr.replace('packages/core/test/', '').trim();
}

test.each([
  ['setTimeout(() => {}, 5);', 'waits in real time: setTimeout'],
  ['const limit = 5;\nsetInterval(look, limit);', 'waits in real time: setInterval'],
  ["import { setTimeout as wait } from 'node:timers/promises';", 'waits in real time: timers/promises'],
  ['const signal = AbortSignal.timeout(60_000);', 'ends in real time: AbortSignal.timeout'],
  ['const begun = performance.now();', 'measures real time: performance.now'],
  ['const config = { timeoutMs: 50 };', 'a slow machine reaches this limit: timeoutMs: 50'],
  ['jest.useFakeTimers({ advanceTimers: true });', 'mixes real time into fake timers: advanceTimers'],
])('%s is found', (text, message) => {
  expect(said(text)).toBe(`a.test.ts:${text.split('\n').length}  ${message}`);
});

test.each([
  'setTimeout(() => {}, 0);',
  "import { setImmediate } from 'node:timers/promises';",
  'const config = { timeoutMs: 60_000 };',
  "import { VirtualTime } from '@ctx/testing';\nconst config = { timeoutMs: 50, wait: new VirtualTime().wait };",
  'jest.useFakeTimers();\nsetTimeout(() => {}, 50);',
])('%s is not', (text) => {
  expect(said(text)).toBe('');
});
