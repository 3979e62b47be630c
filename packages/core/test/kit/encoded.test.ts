import { withoutEncoded } from '../../src/kit/encoded.js';

const bytes = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7919) % 251)).toString('base64');
const inLines = (bytes.match(/.{1,76}/g) ?? []).join('\n');

describe('encoded bytes leave a text', () => {
  test.each([
    [
      'a data URL',
      `![logo](data:image/png;base64,${bytes})`,
      /^!\[logo\]\(\[… [\d,]+ characters of base64 left out …\]\)$/,
    ],
    ['a run', `"icon": "${bytes}"`, /^"icon": "\[… 1,200 characters of base64 left out …\]"$/],
    ['lines', `-- BEGIN --\n${inLines}\n-- END --`, /^-- BEGIN --\n\[… .* left out …\]\n?-- END --$/],
    [
      'lines within JSON',
      JSON.stringify({ icon: `${inLines}\n` }),
      /^\{"icon":"\[… .* left out …\].{0,80}"\}$/,
    ],
    [
      'hexadecimal digits',
      `dump ${Buffer.from(bytes).toString('hex')} end`,
      /^dump \[… 2,400 characters of hexadecimal digits left out …\] end$/,
    ],
  ])('%s', (_, text, expected) => {
    expect(withoutEncoded(text)).toMatch(expected);
  });

  test.each([
    ['a path', `/a/${'long-name/'.repeat(60)}x.ts`],
    ['a hash', bytes.slice(0, 128)],
    ['a rule', '-'.repeat(900)],
    ['a number', '1234567890'.repeat(60)],
    ['words', 'abcdefghij'.repeat(60)],
    ['prose', 'Nothing here is encoded. '.repeat(60)],
  ])('but %s stays', (_, text) => {
    expect(withoutEncoded(text)).toBe(text);
  });
});
