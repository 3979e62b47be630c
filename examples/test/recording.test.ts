import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { toAnthropic, toOpenai } from '../recording/native.js';
import { play } from '../recording/play.js';
import { agent, bash, edit, failing, grep, list, read, type Task, user, write } from '../recording/task.js';
import { toolsIn } from '../recording/tools.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-recording-'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.txt'), `one\ntwo\nthree\nsee ${root}/src\n`);
});
afterEach(() => rmSync(root, { recursive: true }));

const played = (steps: Task['steps']) =>
  play({ id: 'small', system: 'Be brief.', steps }, toolsIn(root, '/elsewhere/repository'));

test('calls are made for real, and what they return is said', () => {
  const entries = played([
    user('What is in a.txt?'),
    agent('Looking.', [list('src'), read('src/a.txt', { offset: 2, limit: 1 })]),
    agent('', [grep('e$', 'src')], { hits: /(\d+) matches/ }),
    agent('{hits} lines end in e. I will change one.', [
      edit('src/a.txt', 'two', '2'),
      write('b.txt', 'b\n'),
    ]),
    agent('Done.'),
  ]);
  expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toContain('one\n2\nthree');
  expect(entries).toMatchObject([
    { text: 'What is in a.txt?' },
    { calls: [{ output: 'a.txt' }, { output: '    2  two\n(2 more lines)' }] },
    { calls: [{ output: '2 matches\nsrc/a.txt:1: one\nsrc/a.txt:3: three' }] },
    { text: '2 lines end in e. I will change one.' },
    { text: 'Done.' },
  ]);
  for (const [codec, native] of [
    [openaiCodec, toOpenai('Be brief.', entries)],
    [anthropicCodec, toAnthropic('Be brief.', entries)],
  ] as const) {
    expect(codec.validate(native as never)).toEqual([]);
  }
});

test('folders of the machine do not show', () => {
  const [, entry] = played([user('?'), agent('', [bash('cat src/a.txt | tail -1')])]);
  expect(entry).toMatchObject({ calls: [{ output: 'see /repo/src' }] });
});

test('a call that is meant to fail is recorded as an error', () => {
  const [, entry] = played([user('?'), agent('', [failing(bash('yarn test')), failing(read('../secret'))])]);
  expect(entry).toMatchObject({
    calls: [
      { isError: true, output: expect.stringContaining('yarn is not available') },
      { isError: true, output: 'Error: ../secret is outside of the repository' },
    ],
  });
});

test.each([
  ['fails', [agent('', [edit('src/a.txt', 'four', '4')])], 'occurs 0 times'],
  ['does not fail although it should', [agent('', [failing(read('src/a.txt'))])], 'small, step 1'],
  ['does not say what should be learned', [agent('', [list('.')], { figure: /(\d+) lines/ })], 'no /'],
] as const)('a call that %s stops the recording', (_, steps, message) =>
  expect(() => played(steps)).toThrow(message),
);
