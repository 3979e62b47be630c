import { readdirSync } from 'node:fs';
import { RepositoryCopy } from './repository-copy.js';

const copy = new RepositoryCopy();
afterAll(() => copy.remove());

// Two names, as the width of lines and the order of imports depend on the name.
test.each(['zeta', 'another-provider'])(
  'a new codec, %s, is a folder that keeps the rules and the laws',
  (name) => {
    const folder = `packages/codecs/${name}`;
    expect(copy.run('scripts/new-codec.mjs', name)).toMatchObject({ status: 0 });
    expect(copy.filesIn(folder)).toEqual(
      [
        'LICENSE',
        'README.md',
        'package.json',
        'src/decode.ts',
        'src/index.ts',
        'src/slots.ts',
        'src/turn-form.ts',
        'src/turn.ts',
        'src/validate.ts',
        `src/${name}-codec.ts`,
        `test/${name}-laws.test.ts`,
        'tsconfig.json',
      ].sort(),
    );
    expect(copy.read('tsconfig.json')).toContain(`"path": "${folder}"`);
    expect(copy.read('examples/package.json')).toContain(`"@ctx/codec-${name}": "workspace:^"`);
    expect(copy.read('docs/README.md')).toContain(`- [\`@ctx/codec-${name}\`](../${folder}/README.md)`);
    expect(copy.run('scripts/boundaries.mjs').said).not.toContain(name);
    expect(copy.run('scripts/manifests.mjs').said).not.toContain(name);

    copy.install();
    expect(copy.compile()).toEqual({ status: 0, said: '' });
    const biome = copy.path('node_modules/@biomejs/biome/bin/biome');
    expect(copy.run(biome, 'check', '--error-on-warnings', folder)).toMatchObject({ status: 0 });
    expect(copy.run('scripts/strategies.mjs', '--check')).toMatchObject({ status: 0 });
    expect(copy.knip()).toMatchObject({ status: 0 });
    const jest = copy.jest('--selectProjects', `codec-${name}`);
    expect(jest.status).toBe(0);
    expect(jest.said).toContain(`${name} keeps the laws of a codec`);
  },
);

test.each([
  ['', 'kebab-case'],
  ['NewCodec', 'kebab-case'],
  ['../x', 'kebab-case'],
  ['google', 'already'],
])('%p is refused as a name', (name, why) => {
  const before = readdirSync(copy.path('packages/codecs'));
  const { status, said } = copy.run('scripts/new-codec.mjs', name);
  expect([status, said]).toEqual([1, expect.stringContaining(why)]);
  expect(readdirSync(copy.path('packages/codecs'))).toEqual(before);
});
