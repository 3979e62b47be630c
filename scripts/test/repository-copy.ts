import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { packagesIn } from '../packages.cjs';

const here = join(__dirname, '../..');
/** What tsc and the scripts do not read, what they write, and the installed packages, which are linked instead. */
const leftOut = ['.git', '.ctx', '.cache', '.bin', '.pnpm', 'fixtures', 'sessions', 'results'];

/** A copy of the repository as it is built, with its tests, in which a script may write. */
export class RepositoryCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'ctx-copy-'));

  constructor() {
    const entries = readdirSync(here, { withFileTypes: true }).filter(
      ({ name }) => name !== 'site' && !leftOut.includes(name),
    );
    for (const { name } of entries)
      cpSync(join(here, name), join(this.folder, name), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
        filter: (path) => path.endsWith('packages/tools/sessions') || !leftOut.includes(basename(path)),
      });
    symlinkSync(join(here, 'node_modules/.pnpm'), join(this.folder, 'node_modules/.pnpm'));
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** The files in a folder, sorted. */
  filesIn(folder: string): string[] {
    const entries = readdirSync(this.path(folder), { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map((one) => join(one.parentPath, one.name));
    return names.map((name) => name.slice(this.path(folder).length + 1).replaceAll('\\', '/')).sort();
  }

  /** Runs Node in the copy. */
  run(...args: string[]): { status: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    return { status, said: `${stdout}${stderr}` };
  }

  /** Compiles every package, and checks the types of every test, script and example. */
  compile() {
    return this.run(this.path('node_modules/typescript/bin/tsc'), '-b');
  }

  /** Looks for exports and dependencies that nothing uses. */
  knip() {
    return this.run(this.path('node_modules/knip/bin/knip.js'), '--no-config-hints');
  }

  jest(...args: string[]) {
    return this.run(this.path('node_modules/jest/bin/jest.js'), '--runInBand', ...args);
  }

  /** Links the dependencies that an installation would link. Others than ours are taken from a package that has them. */
  install(): void {
    const packages = packagesIn(this.folder);
    for (const folder of [...packages.map((one) => one.folder), 'examples']) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(this.read(`${folder}/package.json`));
      for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
        const link = this.path(folder, 'node_modules', name);
        if (existsSync(link)) continue;
        mkdirSync(dirname(link), { recursive: true });
        const installed = packages
          .map((one) => join(here, one.folder, 'node_modules', name))
          .find(existsSync);
        const ours = packages.find((one) => `@ctx/${one.name}` === name);
        symlinkSync(ours ? this.path(ours.folder) : (installed ?? name), link);
      }
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
