import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../snippets/snippets.js';

const folder = join(root, 'examples/.ctx/sdk-types');

/** What the compiler says of a file in `examples`, with the settings of this repository but one. */
function said(file: string, exactOptionalPropertyTypes: boolean): string {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, `${exactOptionalPropertyTypes}.json`);
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declarationMap: false,
    exactOptionalPropertyTypes,
  };
  const base = join(root, 'tsconfig.base.json');
  const files = [join(root, 'examples', file)];
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], {
    cwd: root,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

test.each([true, false])(
  'the codecs fit the types of the SDKs, with exactOptionalPropertyTypes %p',
  (exact) => {
    expect(said('snippets/sdk-types.ts', exact)).toBe('');
  },
);
