import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'ctx-one-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

const root = join(__dirname, '../..');
const config = {
  rootDir: folder,
  testMatch: ['**/*.test.ts'],
  setupFilesAfterEnv: [join(root, 'scripts/jest/one-process.ts')],
  transform: { '\\.ts$': [require.resolve('@swc/jest'), { jsc: { parser: { syntax: 'typescript' } } }] },
};

/** What jest says of a test that does this. */
function saidOf(name: string, body: string): { readonly status: number | null; readonly said: string } {
  const head =
    "import { execFileSync, spawnSync } from 'node:child_process';\nimport { Worker } from 'node:worker_threads';\n";
  writeFileSync(join(folder, name), `${head}test('passes by itself', async () => { ${body} });`);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--config', JSON.stringify(config), '--runTestsByPath', join(folder, name)];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, said: stderr };
}

const starts = "spawnSync(process.execPath, ['--version'])";

test('a test that starts a process or a thread fails and says how to name it', () => {
  const process = saidOf('process.test.ts', `${starts}; ${starts};`);
  expect(process.status).toBe(1);
  expect(process.said).toMatch(/process\.test\.ts starts \S+, and 1 more\. Name it \*\.slow\.test\.ts/);
  const thread = saidOf('thread.test.ts', "await new Worker('0', { eval: true }).terminate();");
  expect(thread.status).toBe(1);
  expect(thread.said).toContain('thread.test.ts starts 0.');
});

test('a slow test may, and any may make a named pipe', () => {
  expect(saidOf('process.slow.test.ts', starts)).toMatchObject({ status: 0 });
  expect(
    saidOf('pipe.test.ts', `execFileSync('mkfifo', [${JSON.stringify(join(folder, 'pipe'))}]);`),
  ).toMatchObject({
    status: 0,
  });
});
