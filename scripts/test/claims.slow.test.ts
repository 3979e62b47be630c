import { readFileSync } from 'node:fs';
import { inTree, offencesOf } from './checked-tree.js';

const lines = (count: number, text = '') => Array.from({ length: count }, () => `${text}\n`).join('');

describe('lengths', () => {
  const long = (count: number) => `export function long() {\n${lines(count - 2, '  f();')}}\n`;

  test('files of 250 lines and functions of 60 are short enough', () => {
    const files = { 'packages/a/src/a.ts': lines(190) + long(60), 'packages/a/test/a.test.ts': long(300) };
    expect(offencesOf('lengths', files)).toEqual([]);
  });

  test.each<[what: string, path: string, text: string, offence: string]>([
    ['a file', 'packages/a/src/a.ts', lines(251), 'packages/a/src/a.ts:1  has 251 lines, more than 250'],
    ['a script', 'scripts/a.mjs', lines(251), 'scripts/a.mjs:1  has 251 lines, more than 250'],
    [
      'a function',
      'scripts/a.mjs',
      `// ä\n\n${long(61)}`,
      'scripts/a.mjs:3  long has 61 lines, more than 60',
    ],
    [
      'a method',
      'packages/a/src/a.ts',
      `class A {\n  #walk() {\n${lines(60, 'f();')}  }\n}\n`,
      'packages/a/src/a.ts:2  walk has 62 lines, more than 60',
    ],
    [
      'an arrow function',
      'packages/a/src/a.ts',
      `const go = () => {\n${lines(60, 'f();')}};\n`,
      'packages/a/src/a.ts:1  go has 62 lines, more than 60',
    ],
  ])('%s may not be longer', (_what, path, text, offence) => {
    expect(offencesOf('lengths', { [path]: text })).toEqual([offence]);
  });
});

describe('constants', () => {
  const file = 'packages/a/src/a.ts';

  test.each([
    '/** Ms. */\nexport const most = 5;\n',
    '// Bytes.\nconst most = 2 * 1024;\nconst least = -1;\n',
    'const most = 5; // messages\n',
    "const name = 'a';\nlet count = 0;\n",
    '// UTF-16 codes.\n\nconst tab = 9;\nconst lineFeed = 10;\n',
    'function f() {\n  const most = 5;\n}\n',
  ])('%j says why', (text) => {
    expect(offencesOf('constants', { [file]: text })).toEqual([]);
  });

  test.each<[text: string, line: number]>([
    ['const most = 5;\n', 1],
    ['/** Bytes. */\nconst most = 5;\n\nexport const least = -1;\n', 4],
    ['const most = 2 * 1024;\n', 1],
    ['\nconst most = 2 * 1024;\n', 2],
    ['// UTF-16 codes.\n\nconst tab = 9;\n\nconst most = 5;\n', 5],
    ["const MARK = 'x';\n", 1],
  ])('%j does not', (text, line) => {
    const offences = offencesOf('constants', { [file]: text });
    expect(offences).toEqual([expect.stringMatching(`^${file}:${line}  does not say why`)]);
  });
});

describe('what is exported', () => {
  const tree = {
    'packages/a/package.json': JSON.stringify({
      name: '@ctx/a',
      exports: { '.': { types: './dist/index.d.ts' }, './kit': { types: './dist/kit.d.ts' } },
    }),
    'packages/a/dist/index.d.ts':
      "export { f, type Options as FOptions } from './f.js';\nexport { inject } from 'tsyringe';\nexport * from './kit.js';\n",
    'packages/a/dist/f.d.ts':
      '/** Says f. */\nexport declare function f(a: string): void;\nexport declare function f(a: number): void;\ninterface Options {\n    /** Ms. */\n    readonly a: string;\n}\nexport type { Options };\nexport interface Hidden {\n}\n',
    'packages/a/dist/kit.d.ts':
      'export declare class Kit {\n    #private;\n    private secret;\n    readonly open: number;\n}\n',
  };

  test('is kept, and every change of it shows', () => {
    expect(offencesOf('api', tree)).toHaveLength(1);
    expect(offencesOf('api', {}, '--write')).toEqual([]);
    expect(offencesOf('api', {})).toEqual([]);
    expect(readFileSync(inTree('etc/api/a.md'), 'utf8')).toContain(`## \`@ctx/a\`: 4 names

\`\`\`ts
// FOptions
interface Options {
    readonly a: string;
}

class Kit {
    readonly open: number;
}

function f(a: string): void;
function f(a: number): void;

inject of tsyringe
\`\`\`
`);
    const changed = { 'packages/a/dist/kit.d.ts': 'export declare class Kit {\n}\n' };
    expect(offencesOf('api', changed)).toEqual([
      'etc/api/a.md:14  is not what is exported: run `npm run api` and look at the difference',
    ]);
    expect(offencesOf('api', { ...tree, 'etc/api/b.md': '' })).toEqual(['etc/api/b.md:1  is of no package']);
  });
});
