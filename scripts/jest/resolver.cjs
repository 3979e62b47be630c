const { existsSync } = require('node:fs');
const { join, resolve, sep } = require('node:path');
const { packagesIn } = require('../packages.cjs');

const root = join(__dirname, '../..');
const dependency = `${sep}node_modules${sep}`;

/** What zod says in English, for its index of all languages: no test reads another, and each test file would load fifty. */
const english = join(root, 'packages/core/node_modules/zod/v4/locales/en.cjs');

/** `@ctx/NAME` and `@ctx/NAME/DOOR` are read from the sources. */
const sources = new Map(
  packagesIn(root).map(({ name, folder }) => [`@ctx/${name}`, join(root, folder, 'src')]),
);

function sourceOf(name) {
  const [, packageName = '', door = 'index'] = /^(@ctx\/[^/]+)(?:\/([^/]+))?$/.exec(name) ?? [];
  const folder = sources.get(packageName);
  return folder !== undefined && existsSync(join(folder, 'index.ts'))
    ? join(folder, `${door}.ts`)
    : undefined;
}

function replaced(name, folder) {
  if (name === 'fast-check') return join(__dirname, 'fast-check.ts');
  if (name === '../locales/index.cjs') return english;
  const [, encoding] = /^gpt-tokenizer\/encoding\/(.*)$/.exec(name) ?? [];
  if (encoding !== undefined) return join(__dirname, `encodings/${encoding}.cjs`);
  if (name.startsWith('@ctx/')) return sourceOf(name);
  if (!/^\.{1,2}\/.*\.js$/.test(name) || folder.includes(dependency)) return undefined;
  const source = resolve(folder, name.replace(/\.js$/, '.ts'));
  return existsSync(source) ? source : undefined;
}

/**
 * Says which file a module's name means in tests. Jest remembers what a resolver says for all test files of a worker, but works out what
 * `moduleNameMapper` says each time.
 */
module.exports = (name, options) => replaced(name, options.basedir) ?? options.defaultResolver(name, options);
