import fc from 'fast-check';

/** The first of the surrogates, and their number. Half a pair is not a character. */
const [firstSurrogate, surrogates] = [0xd800, 0x800];

/**
 * Any character: the unit of a random text, as in `fc.string({ unit: codePoint })`. fast-check's own `binary` makes a table of a million
 * characters, which takes half a second in each test file that only imports it.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogates)
  .map((code) => String.fromCodePoint(code < firstSurrogate ? code : code + surrogates));
