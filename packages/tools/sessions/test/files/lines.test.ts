import { linesOf } from '../../src/files/records.js';
import { all, sessionFile } from '../session-file.js';

test('gives lines with their numbers', async () => {
  const lines = await all(linesOf(sessionFile('one\n\ntwo\r\nthree')));
  expect(lines).toEqual([
    { line: 1, text: 'one' },
    { line: 2, text: '' },
    { line: 3, text: 'two\r' },
    { line: 4, text: 'three' },
  ]);
});

test('joins lines that a chunk of the stream has cut', async () => {
  const long = 'ä€😀'.repeat(200_000);
  const lines = await all(linesOf(sessionFile(`${long}\n${long}\n`)));
  expect(lines.map(({ text }) => text === long)).toEqual([true, true]);
});

test('a line too long for a string has no text', async () => {
  const lines = await all(linesOf(sessionFile('12345\n123456\n1\n'), 5));
  expect(lines.map(({ text }) => text)).toEqual(['12345', undefined, '1']);
});
