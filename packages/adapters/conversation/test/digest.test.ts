import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { digest } from '../src/seal.js';

test('is the SHA-256 of the text', async () => {
  expect(await digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('is the same where Node has none of its own', async () => {
  const texts = fc.sample(fc.string({ unit: codePoint }), 200).concat('\ud800', '🙂\udc00', '');
  const own = await Promise.all(texts.map(digest));
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  const elsewhere = await Promise.all(texts.map(digest)).finally(() =>
    Object.assign(process, { getBuiltinModule }),
  );
  expect(elsewhere).toEqual(own);
});
