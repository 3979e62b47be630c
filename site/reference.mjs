import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, LogLevel, PageEvent } from 'typedoc';
import { packages, readJson, root } from '../scripts/tools.mjs';
import { putFirst } from './put-first.mjs';

/** What TypeDoc calls a module: where it is in `packages`. */
const placeOf = (types) => relative(join(root, 'packages'), types).replace(/(\/index)?\.d\.ts$/, '');

/** What users import from: every door of every published package, and the declarations behind it. Core's zod is zod's own. */
const doors = packages.flatMap((folder) => {
  const { name, private: isPrivate, exports = {} } = readJson(join(folder, 'package.json'));
  if (isPrivate === true) return [];
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return Object.entries(exports)
    .filter(([door, { types }]) => door !== './zod' && types !== undefined)
    .map(([door, { types }]) => ({
      name: name + door.slice(1),
      types: join(folder, types),
      place: placeOf(join(folder, types)),
      readme,
    }));
});

/** What the snippets of a README import from a door, in their order. */
const importedFrom = (door, readme) =>
  [...readme.matchAll(/^import \{([^}]+)\} from '([^']+)';$/gm)]
    .filter(([, , from]) => from === door)
    .flatMap(([, names]) => names.split(','))
    .map((name) => name.trim().split(' as ')[0])
    .filter((name) => name !== '' && !name.startsWith('type '));

/**
 * Writes a page for each door into `out`, from the docstrings of the compiled declarations, and returns them as items of the sidebar.
 * TypeDoc needs the TypeScript of this folder: the one of the repository has no API for it.
 */
export async function writeReference(out) {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: doors.map(({ types }) => types),
    tsconfig: fileURLToPath(new URL('tsconfig.reference.json', import.meta.url)),
    plugin: ['typedoc-plugin-markdown'],
    out,
    name: 'API',
    readme: 'none',
    skipErrorChecking: true,
    disableSources: true,
    excludePrivate: true,
    excludeExternals: true,
    validation: false,
    logLevel: LogLevel.Warn,
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    useCustomAnchors: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('The declarations can not be read. Run `npm run build` first.');
  const modules = project.children ?? [];
  for (const module of modules) {
    const door = doors.find(({ place }) => place === module.name);
    if (door === undefined) throw new Error(`No door of a package is ${module.name}.`);
    module.name = door.name;
    module.groups = putFirst(module.groups ?? [], importedFrom(door.name, door.readme));
  }
  const urls = new Map();
  app.renderer.on(PageEvent.BEGIN, ({ model, url }) => urls.set(model, url));
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('The reference can not be written.');
  return modules.map((module) => ({
    text: module.name,
    link: `/api/${urls.get(module).replace(/\.md$/, '')}`,
  }));
}
