import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** A file of this package: TypeScript next to this source, JavaScript next to the compiled file. */
function fileOf(path: string): string {
  const compiled = fileURLToPath(new URL(path, import.meta.url));
  return existsSync(compiled) ? compiled : compiled.replace(/\.js$/, '.ts');
}

/** What no browser has is left out; the readers have another way in for texts. */
const withoutNode: Plugin = {
  name: 'without-node',
  setup(plugins) {
    plugins.onResolve({ filter: /^node:|^@photostructure\/sqlite$/ }, ({ path }) => ({
      path,
      namespace: 'nothing',
      sideEffects: false,
    }));
    plugins.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const bundled = new Map<string, Promise<string>>();

/** Bundles a script with everything it imports to one without imports; once for each. */
function bundle(path: string): Promise<string> {
  const known =
    bundled.get(path) ??
    build({
      entryPoints: [fileOf(path)],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [withoutNode],
    }).then(({ outputFiles }) => (outputFiles[0]?.text ?? '').trim());
  bundled.set(path, known);
  return known;
}

/** The page's script. */
export const bundlePage = (): Promise<string> => bundle('./page/main.js');

/** The script that reads and replays a session in a worker of the page. */
export const bundleReplay = (): Promise<string> => bundle('./replay-worker/main.js');
