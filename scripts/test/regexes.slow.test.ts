import { check as checkBy, write } from './checked-tree.js';

function check(code: string, path = 'packages/core/src/a.ts') {
  write({ [path]: code });
  const { status, offences, stdout } = checkBy('regexes');
  expect(status).toBe(offences.length === 0 ? 0 : 1);
  return { offences, said: stdout.trim() };
}

test('expressions that take linear time are no offence, however they are made', () => {
  const code = `
    const word = 'b';
    export const all = [/a+/, new RegExp('a' + word), RegExp(\`x\${word}\`, 'g'), new RegExp(/c+/), 'a'.match('d+')];
    export const joined = new RegExp(['a', String.raw\`\\d\`, /e/.source].join('|'), 'u');`;
  expect(check(code)).toMatchObject({
    offences: [],
    said: expect.stringMatching(/^7 regular expressions, 0 excused/),
  });
});

test.each<[what: string, code: string, offence: RegExp]>([
  ['a literal', 'x = /(a|a)*$/;', /:1 \/\(a\|a\)\*\$\/ takes exponential time$/],
  ['one behind a comment', '/* a */\n// ü\nx = /(a|a)*$/;', /:3 .*exponential/],
  ['a text', `x = new RegExp('(a|a)*$', 'u');`, /:1 \/\(a\|a\)\*\$\/u takes exponential/],
  ['a constant', `const part = '(a|a)*';\nexport const x = RegExp(\`^\${part}$\`);`, /:2 .*exponential/],
  ['a list', `const parts = ['^(a|a)*', '$'] as const;\nx = new RegExp(parts.join(''));`, /:2 .*exponential/],
  ['a source', `const part = /(a|a)*/;\nx = new RegExp(part.source + '$');`, /:2 .*exponential/],
  ['a text that a method takes for one', `'a'.search('(a|a)*$');`, /:1 .*exponential/],
  [
    'one of what is known only later',
    `x = new RegExp(\n  given,\n);`,
    /:1 new RegExp\( given, \) is known only when it runs$/,
  ],
  ['one with flags that are known only later', `x = new RegExp('a', flags);`, /is known only when it runs$/],
  ['a constant that names itself', `const a = a + 'b';\nx = new RegExp(a);`, /:2 .*known only/],
])('%s that may take more is an offence', (_, code, offence) => {
  const { offences } = check(code);
  expect(offences).toHaveLength(1);
  expect(offences[0]).toMatch(/^packages\/core\/src\/a\.ts:\d/);
  expect(offences[0]).toMatch(offence);
});

test.each(['scripts/a.mjs', 'examples/a.ts', 'packages/tools/bench/src/a.ts'])(
  '%s is checked too',
  (path) => {
    expect(check('export const x = /(a|a)*$/;', path).offences).toHaveLength(1);
  },
);
