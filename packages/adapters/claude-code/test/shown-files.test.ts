import { isShownWhole, shownFiles } from '@ctx/claude-code';
import { answers, calls } from './rows.js';

const path = '/repo/a.js';
const text = '1\tone\n2\ttwo';
const read = [calls('r', 'Read', { file_path: path }), answers('r', text)];

test('a file that was read and not touched since is shown', () => {
  expect(shownFiles(read)).toEqual(new Map([[path, text]]));
});

test.each([
  ['edited later', [...read, calls('e', 'Edit', { file_path: path }), answers('e', 'done')]],
  ['read from the middle', [calls('r', 'Read', { file_path: path, offset: 9 }), answers('r', text)]],
  ['not there', [calls('r', 'Read', { file_path: path }), answers('r', 'no such file', true)]],
  ['read without an answer', [calls('r', 'Read', { file_path: path })]],
])('a file that was %s is not', (_, rows) => {
  expect(shownFiles(rows).size).toBe(0);
});

test('what is shown is the whole file, with or without a line break at its end', () => {
  expect(isShownWhole('one\ntwo', text)).toBe(true);
  expect(isShownWhole('one\ntwo\n', text)).toBe(true);
  expect(isShownWhole('one\ntwo\n', `${text}\n3\t`)).toBe(true);
});

test.each(['one\ntwo\nthree', 'one\n2', 'one'])('a file that has changed since, %j, is not shown', (file) => {
  expect(isShownWhole(file, text)).toBe(false);
});

test('a shortened result does not show its file', () => {
  expect(isShownWhole('one\ntwo\nthree', '1\tone\n[2 lines left out #m4]')).toBe(false);
});
