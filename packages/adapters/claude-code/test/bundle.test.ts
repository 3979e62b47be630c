import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const plugin = join(__dirname, '../plugin');
const bundle = readFileSync(join(plugin, 'hooks/ctx.js'), 'utf8');
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

test('the bundle is small, because Claude Code loads it at every start', () => {
  expect(Buffer.byteLength(bundle)).toBeLessThan(250_000);
});

test('the bundle has nothing that its worker does not know or that makes it large', () => {
  expect(bundle).not.toMatch(
    /import\(|eval|new Function|WeakRef|FinalizationRegistry|node:|require\(|reflect-metadata|tsyringe|~standard/,
  );
});

test('nothing in the bundle looks like a call of the host, which Claude Code searches for in the source', () => {
  expect(bundle).not.toMatch(/(?<![\w$])\$\.\w+\.\w+/);
});

test('the bundle names every function that the hooks use', () => {
  const hooks = readFileSync(join(plugin, 'hooks/register.ts'), 'utf8');
  const [, names = ''] = /import \{([^}]*)\} from '.\/ctx.js'/.exec(hooks) ?? [];
  const known = [...bundle.matchAll(/^export const (\w+)=/gm)].map(([, name]) => name);
  const used = names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  expect(used.length).toBeGreaterThan(0);
  expect(known).toEqual(expect.arrayContaining(used));
});

test('the plugin has the name and version of its package, and the marketplace its folder', () => {
  const root = join(__dirname, '../../../..');
  const market = json(join(root, '.claude-plugin/marketplace.json')) as {
    plugins: { name: string; source: string }[];
  };
  const { name, version } = json(join(plugin, '.claude-plugin/plugin.json'));
  expect(version).toBe(json(join(__dirname, '../package.json')).version);
  const [listed] = market.plugins;
  expect(listed?.name).toBe(name);
  expect(join(root, listed?.source ?? '')).toBe(plugin);
});
