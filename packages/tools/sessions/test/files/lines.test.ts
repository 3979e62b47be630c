import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSessions } from '@ctx/sessions';
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

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes, without what nobody refers to any more. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('30 MB are read as a stream', async () => {
  const path = sessionFile('');
  const conversation = { messages: [{ role: 'user', content: 'lorem ipsum '.repeat(8000) }] };
  const megabytes = `${JSON.stringify(conversation)}\n`.repeat(32);
  for (let written = 0; written < 10; written += 1) appendFileSync(path, megabytes);
  // From the tenth part on, so that what is compiled on first use does not count.
  const inUse: number[] = [];
  let count = 0;
  for await (const session of readSessions(path)) {
    count += session.messages.length;
    if (count % 32 === 0) inUse.push(heapInUse());
  }
  expect(count).toBe(320);
  expect(Math.max(...inUse) - (inUse[0] as number)).toBeLessThan(20e6);
});
