/**
 * Bundles examples/runtimes for a browser and runs it with the globals that browsers have, and none of Node's.
 * Usage: node --experimental-vm-modules scripts/browser-smoke.mjs
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, SourceTextModule } from 'node:vm';
import { build } from 'esbuild';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../examples/runtimes');
const { outputFiles } = await build({
  entryPoints: [join(folder, 'smoke.mjs')],
  outdir: join(folder, 'dist'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  write: false,
  logLevel: 'error',
});
const chunks = new Map(outputFiles.map(({ path, text }) => [path, text]));

const shared = { console, setTimeout, clearTimeout, queueMicrotask, structuredClone, performance };
const web = {
  URL,
  TextEncoder,
  TextDecoder,
  AbortController,
  AbortSignal,
  Event,
  EventTarget,
  crypto,
  atob,
  btoa,
};
const context = createContext({ ...shared, ...web });
const modules = new Map();

function load(name, from) {
  const path = resolve(dirname(from.identifier), name);
  const text = chunks.get(path);
  if (text === undefined) throw new Error(`${from.identifier} imports ${name}, which no browser has`);
  const module =
    modules.get(path) ?? new SourceTextModule(text, { context, identifier: path, importModuleDynamically });
  modules.set(path, module);
  return module;
}

async function importModuleDynamically(name, from) {
  const module = load(name, from);
  if (module.status === 'unlinked') await module.link(load);
  await module.evaluate();
  return module;
}

await importModuleDynamically('./smoke.js', { identifier: join(folder, 'dist/start') });
