/**
 * Compresses the conversation of examples/runtimes on other runtimes than Node, and compares what comes of it with what Node says.
 * Usage: node scripts/runtimes.mjs [bun] [deno] [workerd] [chromium], after a build; without names those that are installed. Commands are
 * looked for on the PATH, or where CTX_BUN, CTX_DENO, CTX_WORKERD and CTX_CHROMIUM say.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './tools.mjs';

const folder = join(root, 'examples/runtimes');
const smoke = join(folder, 'smoke.mjs');
/** Ms. Deno compiles what it has not seen before; a machine may be slow. */
const timeout = 120_000;

/** What a command printed; undefined when there is no such command. */
function printed(command, args, cwd = root) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout });
  if (error?.code === 'ENOENT') return undefined;
  if (error) throw error;
  if (status !== 0) throw new Error(stderr || `${command} ended with ${status}`);
  return stdout.trim();
}

/** The smoke test as one module, as a user's bundler makes it without any flag for Node. */
async function bundled(contents, conditions = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions,
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** `workerd test` calls the handler `test` and needs no port. */
async function workerd(command) {
  const work = mkdtempSync(join(tmpdir(), 'ctx-workerd-'));
  const worker = `import { outcome } from './conversation.mjs';
    export default { async test() { console.log(await outcome()); } };`;
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2025-11-01"))]);`;
  try {
    writeFileSync(join(work, 'worker.js'), await bundled(worker, ['workerd', 'worker']));
    writeFileSync(join(work, 'config.capnp'), config);
    return printed(command, ['test', join(work, 'config.capnp')]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function chromium(executablePath) {
  const { chromium } = await import('playwright-core');
  let browser;
  try {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  } catch (error) {
    if (/doesn't exist|ENOENT/.test(error.message)) return undefined;
    throw error;
  }
  try {
    const page = await browser.newPage();
    const script = `import { outcome } from './conversation.mjs'; globalThis.outcome = outcome;`;
    await page.addScriptTag({ type: 'module', content: await bundled(script) });
    await page.waitForFunction('globalThis.outcome !== undefined', undefined, { timeout });
    return await page.evaluate('globalThis.outcome()');
  } finally {
    await browser.close();
  }
}

const runtimes = {
  bun: () => printed(process.env.CTX_BUN ?? 'bun', [smoke]),
  deno: () => printed(process.env.CTX_DENO ?? 'deno', ['run', '--no-remote', '--no-prompt', smoke]),
  workerd: () => workerd(process.env.CTX_WORKERD ?? 'workerd'),
  chromium: () => chromium(process.env.CTX_CHROMIUM ?? '/usr/bin/chromium'),
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(runtimes, name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There is ${Object.keys(runtimes).join(', ')}.`);

const expected = printed(process.execPath, [smoke]);
console.log(`node\n${expected}`);
for (const name of named.length > 0 ? named : Object.keys(runtimes)) {
  const found = await runtimes[name]();
  const missing = found === undefined;
  console.log(missing ? `${name} is not installed (skipped)` : `${name}\n${found}`);
  if (missing ? named.length > 0 : found !== expected) {
    console.error(`${name} does not do what Node does.`);
    process.exitCode = 1;
  }
}
