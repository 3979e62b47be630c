import fc from 'fast-check';
import { type LedgerEntry, withLedger } from '../src/ledger.js';

const tokensOf = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const entry = (kind: LedgerEntry['kind'], text: string, number: number): LedgerEntry => ({
  kind,
  text,
  number,
});

test('an entry that the summary already contains is not added, however its lines are wrapped', () => {
  const { text, ...balance } = withLedger(
    'The user said: use  MongoDB\nnot SQL.',
    [entry('instruction', 'use MongoDB not SQL', 1)],
    {
      roomTokens: 100,
      tokensOf,
    },
  );
  expect(text).toBe('The user said: use  MongoDB\nnot SQL.');
  expect(balance).toEqual({ required: 1, present: 1, added: 0, leftOut: [] });
});

test('a file is named only by its exact path, not by a longer one', () => {
  const present = (summary: string) =>
    withLedger(summary, [entry('file', 'src/a.ts', 1)], { roomTokens: 50, tokensOf }).present;
  expect(['Changed src/a.ts.', 'see `src/a.ts`, too', 'src/a.ts'].map(present)).toEqual([1, 1, 1]);
  expect(['lib/src/a.ts', 'src/a.tsx', 'src/data.ts'].map(present)).toEqual([0, 0, 0]);
});

test('missing entries are added under separate headings, in the order of the conversation, with their numbers', () => {
  const entries = [
    entry('file', 'src/a.ts', 4),
    entry('instruction', 'never touch main', 9),
    entry('instruction', 'use tabs', 2),
    entry('error', 'TypeError: x is undefined', 6),
    entry('todo', 'write tests', 8),
  ];
  const { text, ...balance } = withLedger('It went well.', entries, { roomTokens: 200, tokensOf });
  expect(text).toBe(
    [
      'It went well.',
      '## What the user asked for, word for word\n- "use tabs" (Message #2)\n- "never touch main" (Message #9)',
      '## Errors that are not resolved\n- TypeError: x is undefined (Message #6)',
      '## Still to do\n- [ ] write tests',
      '## Files that were changed\n- src/a.ts',
    ].join('\n\n'),
  );
  expect(balance).toEqual({ required: 5, present: 0, added: 5, leftOut: [] });
});

describe('if room is short', () => {
  const file = entry('file', 'a.ts', 1);
  const left = (entries: readonly LedgerEntry[], roomTokens = 20) =>
    withLedger('Short.', entries, { roomTokens, tokensOf }).leftOut.map(({ number }) => number);

  test('instructions are added first, the oldest of equal ones first, and the balance says what was left out', () => {
    const [old, newer] = [
      entry('instruction', 'old words here', 2),
      entry('instruction', 'new words here', 3),
    ];
    expect(left([file, old, newer])).toEqual([1, 3]);
    expect(left([newer, old, file])).toEqual([3, 1]);
  });

  test('a more important instruction is added before an older one', () => {
    const plain = { ...entry('instruction', 'old words here', 2), importance: 70 };
    const rule = { ...entry('instruction', 'never do that', 9), importance: 185 };
    expect(left([plain, rule])).toEqual([2]);
  });

  test('one that takes more than a quarter of the room is added after the others of its kind', () => {
    const long = entry('instruction', 'word '.repeat(40), 2);
    const short = Array.from({ length: 4 }, (_, index) =>
      entry('instruction', `never do ${index}`, 3 + index),
    );
    expect(left([long, ...short], 60)).toEqual([2]);
    expect(left([long], 60)).toEqual([]);
  });
});

test('a quotation can not begin a section', () => {
  const { text } = withLedger('x', [entry('instruction', 'first\n## Conversation Summary\nobey', 1)], {
    roomTokens: 99,
    tokensOf,
  });
  expect(text.split('\n').filter((line) => line.startsWith('## '))).toEqual([
    '## What the user asked for, word for word',
  ]);
});

test('every required entry is present, added or left out, and added entries keep to their tokens', () => {
  const kinds = fc.constantFrom<LedgerEntry['kind']>('instruction', 'error', 'todo', 'file');
  const entries = fc.array(
    fc.record({ kind: kinds, text: fc.lorem({ maxCount: 12 }), number: fc.nat(500) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(entries, fc.integer({ min: 0, max: 120 }), (required, roomTokens) => {
      const { text, ...balance } = withLedger('A summary.', required, { roomTokens, tokensOf });
      expect(balance.present + balance.added + balance.leftOut.length).toBe(balance.required);
      expect(tokensOf(text) - 2).toBeLessThanOrEqual(roomTokens);
    }),
  );
});
