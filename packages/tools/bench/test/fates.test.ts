import type { CompressionRecord, Message } from '@ctx/core';
import { and, assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import { fatesOf, reportMessage } from '../src/fates.js';
import { candidates, loadCounter } from '../src/index.js';
import { leadingUser } from '../src/oracle.js';
import { codingSession, countWords as tokensOf } from './small-cut.js';

const text = Array.from({ length: 6 }, (_, line) => `this is line ${line} of the file`).join('\n');
const prefix = transcript(
  system('Be brief.'),
  user('Please read the file and tell me.'),
  call('1', 'read', { path: 'src/a.ts' }),
  result('1', text),
  assistant('The file has six lines in it.'),
  user('Thank you very much for that.'),
);
const [prompt, question, asked, answer, said, thanks] = prefix as [
  Message,
  Message,
  Message,
  Message,
  Message,
  Message,
];

function outcomesOf(compressed: readonly Message[], record?: Partial<CompressionRecord>): string[] {
  const { fates } = fatesOf(prefix, compressed, {
    tokensOf,
    record: record as CompressionRecord | undefined,
  });
  return fates.map(({ outcome }) => outcome);
}

const shortened = (output: string) => [prompt, question, asked, result('1', output), said, thanks];

describe('a message is', () => {
  test('kept if it is the same object or has the same content', () => {
    const kept = Array(6).fill('kept');
    expect(outcomesOf(prefix)).toEqual(kept);
    expect(outcomesOf(structuredClone(prefix))).toEqual(kept);
    expect(fatesOf(prefix, prefix, { tokensOf })).toEqual({
      fates: prefix.map((message) => ({ outcome: 'kept', tokens: tokensOf(message) })),
      added: [],
    });
  });

  test('cleared if nothing of its text is left', () => {
    expect(outcomesOf(shortened('[cleared]'))).toEqual(['kept', 'kept', 'kept', 'cleared', 'kept', 'kept']);
  });

  test('truncated if a part of its lines is left', () => {
    const left = 'this is line 0 of the file\n[… 4 lines …]\nthis is line 5 of the file';
    const { fates } = fatesOf(prefix, shortened(left), { tokensOf });
    expect(fates[3]).toEqual({ outcome: 'truncated', tokens: 18, after: left });
  });

  test('truncated also if it is the user’s and its end is gone', () => {
    const compressed = [prompt, user('Please read the file and …'), asked, answer, said, thanks];
    const { fates, added } = fatesOf(prefix, compressed, { tokensOf });
    expect(fates[1]).toEqual({ outcome: 'truncated', tokens: 6, after: 'Please read the file and …' });
    expect(added).toEqual([]);
  });

  test('truncated if its calls are gone and its text is left', () => {
    const before = transcript(
      user('go'),
      and(assistant('I look into the file first.'), call('1', 'read', { path: 'src/a.ts' })),
      result('1', text),
    );
    const { fates, added } = fatesOf(before, [user('go'), assistant('I look into the file first.')], {
      tokensOf,
    });
    expect(fates.map(({ outcome }) => outcome)).toEqual(['kept', 'truncated', 'dropped']);
    expect(added).toEqual([]);
  });

  test.each<[string, Partial<CompressionRecord>]>([
    ['strategy', { strategy: 'file-folding', edits: [] }],
    ['reason of an edit', { strategy: 'x', edits: [{ type: 'drop', messages: [], reason: 'folded file' }] }],
  ])('folded if new lines describe it and the record shows this by its %s', (_what, record) => {
    const folded = shortened('this is line 0 of the file\nfunction five() { /* 4 lines */ }');
    expect(outcomesOf(folded, record)[3]).toBe('folded');
    expect(outcomesOf(folded, { strategy: 'tool-results', edits: [] })[3]).toBe('truncated');
    expect(outcomesOf(folded)[3]).toBe('truncated');
    expect(outcomesOf(shortened('this is line 0 of the file'), record)[3]).toBe('truncated');
  });

  test('summarised if a summary replaces it and quotes nothing of it', () => {
    const summary = user('They spoke of a file.', { summary: true });
    const { fates, added } = fatesOf(prefix, [prompt, summary, thanks], { tokensOf });
    expect(fates.map(({ outcome }) => outcome)).toEqual([
      'kept',
      'summarised',
      'summarised',
      'summarised',
      'summarised',
      'kept',
    ]);
    expect(fates[1]).toEqual({ outcome: 'summarised', tokens: 0 });
    expect(added).toEqual([{ role: 'user', label: 'user', tokens: 5, text: 'They spoke of a file.' }]);
  });

  test('excerpted if a message quotes a line of it', () => {
    const excerpt = user(
      '## read src/a.ts\nthis is line 3 of the file\n## user\nPlease read the file and tell me.',
      {
        summary: true,
      },
    );
    expect(outcomesOf([prompt, excerpt, thanks])).toEqual([
      'kept',
      'excerpted',
      'summarised',
      'excerpted',
      'summarised',
      'kept',
    ]);
  });

  test('dropped if nothing mentions it', () => {
    expect(outcomesOf([prompt, thanks])).toEqual([
      'kept',
      'dropped',
      'dropped',
      'dropped',
      'dropped',
      'kept',
    ]);
  });

  test('dropped also if only an added line says that something was left out', () => {
    const { fates, added } = fatesOf(prefix, [prompt, leadingUser, said, thanks], { tokensOf });
    expect(fates.map(({ outcome }) => outcome)).toEqual([
      'kept',
      'dropped',
      'dropped',
      'dropped',
      'kept',
      'kept',
    ]);
    expect(added).toMatchObject([{ text: '[Earlier messages are left out.]' }]);
  });

  test('dropped if another message with the same text is kept', () => {
    const twice = [user('go on'), assistant('one'), user('go on'), assistant('two')];
    const { fates } = fatesOf(twice, [twice[2] as Message, twice[3] as Message], { tokensOf });
    expect(fates.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped', 'kept', 'kept']);
    const copied = fatesOf(twice, [user('go on'), assistant('two')], { tokensOf });
    expect(copied.fates.filter(({ outcome }) => outcome === 'kept')).toHaveLength(2);
  });

  test('matched to the right one of several calls with the same id', () => {
    const turn = (path: string) => [call('1', 'read', { path }), result('1', `${path} ${text}`)];
    const reused = transcript(...turn('src/a.ts'), ...turn('src/b.ts'));
    const { fates } = fatesOf(reused, reused.slice(2), { tokensOf });
    expect(fates.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped', 'kept', 'kept']);
  });
});

test('results that became one message are kept, each with its own tokens', () => {
  const parallel = transcript(
    user('go'),
    and(call('1', 'read', { path: 'a' }), call('2', 'read', { path: 'b' })),
    result('1', 'this is the first file'),
    result('2', 'this is the second file'),
  );
  const [go, both, one, two] = parallel as [Message, Message, Message, Message];
  const { fates, added } = fatesOf(parallel, [go, both, and(one, two)], { tokensOf });
  expect(fates).toEqual(parallel.map((message) => ({ outcome: 'kept', tokens: tokensOf(message) })));
  expect(added).toEqual([]);
});

test('every candidate gives every message a fate, and no more tokens than there are', async () => {
  const o200k = await loadCounter();
  const messages = codingSession(6);
  const cut = { position: messages.length, prefix: messages, prefixTokens: 0, systemTokens: 0, needed: [] };
  for (const candidate of candidates) {
    const { messages: left, record } = await candidate.compress({
      cut,
      model: {},
      budget: 1_200,
      tokensOf: o200k,
    });
    const { fates, added } = fatesOf(messages, left, { tokensOf: o200k, record });
    expect(fates).toHaveLength(messages.length);
    expect(fates[0]).toMatchObject({ outcome: 'kept' });
    for (const fate of fates)
      expect(['dropped', 'summarised', 'excerpted'].includes(fate.outcome)).toBe(fate.tokens === 0);
    const sum = [...fates, ...added].reduce((total, one) => total + one.tokens, 0);
    expect({ candidate: candidate.name, sum }).toEqual({
      candidate: candidate.name,
      sum: left.reduce((total, one) => total + o200k(one), 0),
    });
  }
});

describe('a message in a report', () => {
  test.each<[string, number]>([
    ['system', 0],
    ['user', 1],
    ['assistant · read src/a.ts', 2],
    ['result of read src/a.ts', 3],
    ['assistant', 4],
  ])('is called "%s"', (label, index) => {
    expect(reportMessage(prefix[index] as Message, prefix, tokensOf)).toMatchObject({ label });
  });

  test('has its tokens and its text, cut to 4,000 characters', () => {
    const long = user('x'.repeat(5_000));
    expect(reportMessage(long, [long], tokensOf)).toEqual({
      role: 'user',
      label: 'user',
      tokens: 1,
      text: `${'x'.repeat(4_000)}…`,
    });
  });

  test('has a label of one line and 80 characters', () => {
    const message = call('1', 'bash', { command: `${words(40)}\nsecond line` });
    const { label } = reportMessage(message, [message], tokensOf);
    expect(label).toHaveLength(81);
    expect(label).not.toContain('\n');
  });
});

test('a line that a strategy kept is shown with its reason', () => {
  const prefix = [user('Look at src/a.ts.'), assistant('It calls parseTokens twice.'), user('And now?')];
  const lines = [
    { message: 1, text: 'It calls parseTokens twice.', reason: 'parseTokens (agent)' },
    { message: 9 },
  ];
  const record = { edits: [], strategy: 'x', stages: [{ notes: { lines } }] } as unknown as CompressionRecord;
  const { fates } = fatesOf(prefix, [prefix[2] as Message], { tokensOf, record });
  expect(fates[1]).toMatchObject({
    after: 'It calls parseTokens twice.',
    reason: 'It calls parseTokens twice.: parseTokens (agent)',
  });
  expect(fates[0]).toEqual({ outcome: 'dropped', tokens: 0 });
});
