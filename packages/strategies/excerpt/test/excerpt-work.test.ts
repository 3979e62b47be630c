import { finish, type Message } from '@ctx/core';
import { call, result, transcript } from '@ctx/testing';
import { candidatesOf } from '../src/candidates.js';
import { linesIn, linesShown } from '../src/unit-text.js';
import { excerptFrom, read } from './reading.js';

const words = 'window budget message parser result filter export import session value'.split(' ');

function conversation(rounds: number): Message[] {
  return Array.from({ length: rounds }, (_, round) => {
    const id = `call-${round}`;
    const line = (at: number) => `${words[(round + at) % words.length]} of item${round * 7 + at} is ${at}.`;
    const output = Array.from({ length: 12 }, (_, at) => line(at)).join('\n');
    return transcript(call(id, 'read', { path: `src/file-${round}.ts` }), result(id, output));
  }).flat();
}

function excerptAndWork(excerptTokens: number) {
  const said = read(conversation(120));
  let counted = 0;
  const tokensOf = (text: string) => {
    counted += text.length;
    return Math.ceil(text.length / 4);
  };
  const excerpt = finish(excerptFrom(said, excerptTokens, { olderLength: 400_000, tokensOf }));
  return { excerpt, counted, units: finish(candidatesOf(said.sources, 0.25)).units.length };
}

test.each([2_000, 8_000])('an excerpt of %d tokens counts what does not change once', (tokens) => {
  const { excerpt, counted, units } = excerptAndWork(tokens);
  expect(excerpt.tokens).toBeLessThanOrEqual(tokens);
  expect(excerpt.kept).toBeLessThan(units);
  // Each section when it is written, the sections that grew with each correction of the estimates, and the whole.
  expect(counted / excerpt.text.length).toBeLessThan(3);
});

test.each([
  ['', 0, 0],
  ['one', 1, 1],
  ['one\n\n  \t\ntwo\n', 2, 2],
  ['one\n…\ntwo', 3, 2],
  ['…one\n …\n…', 3, 2],
  ['\u00a0\u3000\n\u2028\ufeff\r\né\n\u0000\n\u007f', 3, 3],
])('%j has %d lines, of which %d say something', (text, all, shown) => {
  expect([linesIn(text), linesShown(text)]).toEqual([all, shown]);
  const filled = text.split('\n').filter((line) => line.trim() !== '');
  expect([filled.length, filled.filter((line) => line !== '…').length]).toEqual([all, shown]);
});
