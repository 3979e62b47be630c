import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The page's entry: TypeScript next to this source, JavaScript next to the compiled file. */
function entryPoint(): string {
  const compiled = fileURLToPath(new URL('./page/main.js', import.meta.url));
  return existsSync(compiled) ? compiled : compiled.replace(/\.js$/, '.ts');
}

/** Bundles the page's script, with everything it imports, to one script without imports. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint()],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return (outputFiles[0]?.text ?? '').trim();
}
