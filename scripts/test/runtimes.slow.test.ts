import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const script = join(__dirname, '../runtimes.mjs');
const isThere = (command: string, args: string[]) =>
  spawnSync(command, args, { timeout: 60_000 }).status === 0;
const chromium = process.env.CTX_CHROMIUM ?? '/usr/bin/chromium';

/** Whether a runtime is installed. The project does not install them: each has some 100 MB. */
const installed = {
  bun: isThere(process.env.CTX_BUN ?? 'bun', ['--version']),
  deno: isThere(process.env.CTX_DENO ?? 'deno', ['--version']),
  workerd: isThere(process.env.CTX_WORKERD ?? 'workerd', ['--version']),
  chromium: existsSync(chromium),
};

for (const [name, is] of Object.entries(installed)) {
  const title = `${name} compresses a conversation as Node does`;
  if (!is) test.skip(`${title} (skipped: ${name} is not installed)`, () => {});
  else
    test(title, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, name], { encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      const [node, runtime] = stdout.trim().split(`\n${name}\n`);
      expect(node).toBe(`node\n${runtime}`);
      expect(runtime).toMatch(/^openai: \d+ tokens → \d+, .+\nanthropic: \d+ tokens → \d+, .+$/);
    });
}

test('a runtime that is asked for by name has to be there', () => {
  const { status, stdout } = spawnSync(process.execPath, [script, 'workerd'], {
    encoding: 'utf8',
    env: { ...process.env, CTX_WORKERD: join(__dirname, 'no-such-command') },
  });
  expect(stdout).toContain('workerd is not installed');
  expect(status).toBe(1);
});
