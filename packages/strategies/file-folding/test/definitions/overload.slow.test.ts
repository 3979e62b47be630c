import { extractDefinitions } from '../../src/definitions/extract.js';

describe('Texts that overload a parser', () => {
  // Each takes the parser many seconds or for ever, or crashes it for all later texts.
  test.each<[string, string, number]>([
    ['a.ts', 'a<b<', 1_000_000],
    ['a.cpp', '{!;.', 65_536],
    ['a.sh', '||||@', 1_000_000],
    ['a.sh', '//::', 262_144],
    ['a.sh', '<<)case ', 262_144],
    ['a.rs', '*r#"', 262_144],
    ['a.go', '||!', 262_144],
    ['a.cpp', '/*\n', 262_144],
    ['a.ts', '->', 262_144],
  ])(
    '%s full of %j is given up',
    async (path, unit, length) => {
      const found = await extractDefinitions(unit.repeat(length / unit.length), { path });
      expect(found ?? []).toBeInstanceOf(Array);
    },
    60_000,
  );

  test('leave the parser as it was', async () => {
    for (const path of ['a.ts', 'a.cpp', 'a.rs', 'a.sh']) {
      const text = path === 'a.rs' ? 'fn a() {}' : path === 'a.cpp' ? 'int a() {}' : 'function a() { :; }';
      expect(await extractDefinitions(text, { path })).toMatchObject([{ kind: 'function', name: 'a' }]);
    }
  });
});
