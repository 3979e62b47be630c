import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { withoutComments } from './comments.mjs';
import { parse } from './sources.mjs';

const declaredNames = (declaration) =>
  declaration.type === 'VariableDeclaration'
    ? declaration.declarations.map(({ id }) => id.value)
    : [(declaration.id ?? declaration.identifier)?.value];

/** A declaration as it is compared: without comments, private members and blank lines. */
function signature(text) {
  const isPrivate = (line) => line.trim() === '#private;' || line.trim().startsWith('private ');
  return withoutComments(text)
    .replace(/\bexport declare |\bexport |\bdeclare /, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !isPrivate(line))
    .join('\n');
}

const modules = new Map();

/** What a declaration file declares, imports and exports, by name. */
function moduleAt(file) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const { body, slice } = parse(file);
  const module = { declared: new Map(), imported: new Map(), exported: new Map(), all: [] };
  modules.set(file, module);
  const declare = (declaration, span) => {
    for (const name of declaredNames(declaration))
      module.declared.set(name, [...(module.declared.get(name) ?? []), signature(slice(span))]);
  };
  for (const item of body) {
    if (item.type === 'ImportDeclaration') {
      for (const { local, imported } of item.specifiers)
        module.imported.set(local.value, { name: (imported ?? local).value, source: item.source.value });
    } else if (item.type === 'ExportDeclaration') {
      declare(item.declaration, item.span);
      for (const name of declaredNames(item.declaration)) module.exported.set(name, { name });
    } else if (item.type === 'ExportNamedDeclaration') {
      for (const { orig, exported } of item.specifiers)
        module.exported.set((exported ?? orig).value, { name: orig.value, source: item.source?.value });
    } else if (item.type === 'ExportAllDeclaration') module.all.push(item.source.value);
    else if (item.type.endsWith('Declaration')) declare(item, item.span);
  }
  return module;
}

const fileOf = (source, from) => resolve(dirname(from), source.replace(/\.js$/, '.d.ts'));

/** The declarations behind a name of a file. */
function found(name, file) {
  const { declared, imported, exported } = moduleAt(file);
  const elsewhere = exported.get(name) ?? imported.get(name);
  if (declared.has(elsewhere?.name ?? name)) return declared.get(elsewhere?.name ?? name);
  const via = elsewhere?.source === undefined ? imported.get(elsewhere?.name ?? name) : elsewhere;
  if (via === undefined) throw new Error(`${file} does not say what ${name} is`);
  if (!via.source.startsWith('.')) return [`${via.name} of ${via.source}`];
  return found(via.name, fileOf(via.source, file));
}

/** Every name that a declaration file exports, sorted, with its declarations; of a dependency that it passes on, only that it does. */
export function apiOf(file) {
  if (!existsSync(file)) throw new Error(`${file} is missing: build first (npm run build)`);
  const { exported, all } = moduleAt(file);
  const inherited = all.flatMap((source) =>
    source.startsWith('.')
      ? [...apiOf(fileOf(source, file))]
      : [[`everything of ${source}`, [`everything of ${source}`]]],
  );
  const own = [...exported.keys()].map((name) => [name, found(name, file)]);
  return new Map([...inherited, ...own].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
