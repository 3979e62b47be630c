import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openaiCodec } from '@ctx/codec-openai';
import { CtxError, type Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import {
  type ExamPoint,
  type ExamView,
  evidencePoints,
  examRows,
  examSessions,
  examTable,
  examViews,
  gradedPoints,
  prepareExam,
  writeSheets,
  writeViews,
} from '../../src/index.js';
import { codingSession, countWords as tokensOf } from '../small-cut.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-exam-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as never;

const question = {
  id: 1,
  kind: 'needed',
  question: 'Which port?',
  key: 'port 8123 of gateway-b',
  where: [1],
};
const next = { id: 2, kind: 'next', question: 'What now?', key: 'restart gateway-b', where: [1] };
const messages: Message[] = [user('Find the port.'), assistant('gateway-b listens on 8123.'), user('Good.')];

function session(name = 'one', fields: { questions?: unknown; summary?: string } = {}) {
  mkdirSync(join(folder, name));
  write(join(name, 'prefix.json'), { messages: openaiCodec.fromMessages(messages) });
  write(join(name, 'questions.json'), fields.questions ?? [question, next]);
  if (fields.summary !== undefined) writeFileSync(join(folder, name, 'summary.txt'), fields.summary);
  return examSessions(folder).find((one) => one.name === name) as ReturnType<typeof examSessions>[number];
}

const view = (candidate: string, kept: readonly Message[]): ExamView => ({
  candidate,
  budget: 8_000,
  messages: kept,
  tokens: 1,
});

describe('a session of an exam', () => {
  test('is its messages, its questions and a summary if there is one', () => {
    const whole = { name: 'one', messages, questions: [question, next], summary: 'Port 8123.' };
    expect(session('one', { summary: whole.summary })).toMatchObject(whole);
    expect(session('two')).not.toHaveProperty('summary');
  });

  test.each([
    ['no list', {}, 'questions.json'],
    ['no question', [{ ...question, question: undefined }], 'questions.json[0]'],
    ['an unknown kind', [question, { ...next, kind: 'trivia' }], 'questions.json[1]'],
    ['an id twice', [question, { ...next, id: 1 }], 'questions.json[1]'],
  ])('names the place of %s', (_, questions, place) => {
    expect(() => session('one', { questions })).toThrow(
      expect.objectContaining({ code: 'session-record-invalid', place: join(folder, 'one', place) }),
    );
  });

  test('is missing in a folder without one', () => {
    expect(() => examSessions(folder)).toThrow(expect.objectContaining({ code: 'session-missing' }));
  });
});

test('the bundled exam has eighteen questions whose keys are in the messages they name', () => {
  const [bundled] = examSessions(join(__dirname, '../../../../../examples/exam'));
  const { questions = [], messages: all = [], summary } = bundled ?? {};
  const ofKind = (kind: string) => questions.filter((one) => one.kind === kind).length;
  expect(['needed', 'state', 'user', 'superseded', 'next'].map(ofKind)).toEqual([8, 4, 3, 2, 1]);
  for (const { where } of questions) expect(where.every((at) => all[at] !== undefined)).toBe(true);
  expect(summary).toContain('NEXT');
  const points = evidencePoints(bundled as NonNullable<typeof bundled>, [view('all', all)]);
  expect(points.length).toBeGreaterThanOrEqual(16);
});

describe('a cut session', () => {
  const long = codingSession(60);
  const prepare = (prefixTokens: number) => {
    writeFileSync(
      join(folder, 'work.openai.json'),
      JSON.stringify({ messages: openaiCodec.fromMessages(long) }),
    );
    return prepareExam(folder, join(folder, 'work.openai.json'), { prefixTokens, tokensOf });
  };

  test('ends before a message of the agent, as late as the tokens allow, and what follows is written too', async () => {
    const all = long.reduce((sum, message) => sum + tokensOf(message), 0);
    const made = await prepare(all / 2);
    expect(made.tokens).toBeLessThanOrEqual(all / 2);
    expect(made.tokens).toBeGreaterThan(all / 2.5);
    const [cut] = examSessions(folder);
    expect(cut).toMatchObject({ name: 'work.openai', questions: [] });
    expect(cut?.messages).toHaveLength(made.messages);
    expect(readFileSync(join(made.folder, 'full.txt'), 'utf8')).toContain(`### [${made.messages - 1}] `);
    expect(readFileSync(join(made.folder, 'future.txt'), 'utf8')).toMatch(/^### \[0\] assistant\n/);
  });

  test('that is too short is refused', async () => {
    await expect(prepare(1e9)).rejects.toThrow(expect.objectContaining({ code: 'option-invalid' }));
  });
});

describe('the views of a session', () => {
  test('are in budget, and those of a summary are made if there is one', async () => {
    const one = { ...session('one', { summary: 'The port is 8123.' }), messages: codingSession(14) };
    const views = await examViews(one, { budgets: [900, 500], tokensOf });
    expect(new Set(views.map(({ candidate }) => candidate))).toEqual(
      new Set([
        'default pipeline',
        'keep-last',
        'head and tail of results',
        'summary and newest',
        'condense with the summary',
      ]),
    );
    const shorter = views.filter(({ candidate }) => /keep-last|head|newest/.test(candidate));
    for (const { tokens, budget } of shorter) expect(tokens).toBeLessThanOrEqual(budget);
    for (const { candidate, messages: kept } of views)
      if (candidate.includes('summary')) expect(JSON.stringify(kept)).toContain('The port is 8123.');
    const { summary: _, ...without } = one;
    expect(await examViews(without, { budgets: [900], tokensOf })).toHaveLength(3);
  });

  test('of the method that cuts results keep the beginning and the end of old ones', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `line${at}`).join(' ');
    const calls = ['a', 'b', 'c', 'd'].flatMap((id) => [call(id, 'read', {}), result(id, long)]);
    const one = { ...session(), messages: transcript(user('Read all.'), ...calls) };
    const [cut] = await examViews(one, { budgets: [1_200], tokensOf, only: ['head and tail of results'] });
    const [first, last] = [cut?.messages[2], cut?.messages.at(-1)].map((message) => JSON.stringify(message));
    expect(first).toMatch(/line0 .*characters left out.* line399/);
    expect(first).not.toContain('line200');
    expect(last).toContain('line200');
  });
});

test('evidence is the share of the telling words of a key that a view holds, without the next step', () => {
  const one = session();
  const [half, none] = [[user('There is a gateway-b.')], [user('Which port?')]];
  const points = evidencePoints(one, [view('all', messages), view('half', half), view('none', none)]);
  const values = points.map(({ candidate, value }) => [candidate, value]);
  expect(values).toEqual([
    ['all', 100],
    ['half', 50],
    ['none', 0],
  ]);
});

describe('readers', () => {
  test('get views whose names give nothing away, and questions without keys', () => {
    const files = writeViews(folder, session(), [view('ours', messages), view('theirs', messages)]);
    expect(new Set(files).size).toBe(2);
    expect(read('key.json')).toEqual({
      [`one/${files[0]}`]: 'ours@8000',
      [`one/${files[1]}`]: 'theirs@8000',
    });
    expect(readFileSync(join(folder, 'one', `${files[0]}.txt`), 'utf8')).toContain('listens on 8123');
    const asked = readFileSync(join(folder, 'one', 'questions.txt'), 'utf8');
    expect(asked).toBe('1. Which port?\n2. What now?\n');
  });

  test('are graded blind: a sheet has their answers under labels, and each answer is put on one sheet', () => {
    const one = session();
    const [file] = writeViews(folder, one, [view('ours', messages)], 'after');
    const answer = (name: string, said: string) =>
      write(join('one', `answers-${name}.json`), [{ id: 1, answer: said }]);
    answer(file as string, '8123');
    expect(writeSheets(folder, [one])).toEqual([join(folder, 'sheet-1-one.json')]);
    expect(writeSheets(folder, [one])).toEqual([]);
    answer('full', '8124');
    expect(writeSheets(folder, [one])).toEqual([join(folder, 'sheet-2-one.json')]);
    const sheet: { key: string; answers: Record<string, string> }[] = read('sheet-1-one.json');
    expect(sheet[0]).toMatchObject({ key: question.key });
    expect(Object.values(sheet[0]?.answers ?? {})).toEqual(['8123']);
    expect(Object.values(sheet[1]?.answers ?? {})).toEqual(['']);
    expect(readFileSync(join(folder, 'sheet-1-one.json'), 'utf8')).not.toMatch(/ours|after/);

    expect(gradedPoints(folder, [one])).toMatchObject({
      points: [],
      ungraded: [expect.any(String), expect.any(String)],
    });
    for (const [tag, grades] of [
      ['1', { 1: 1, 2: -1 }],
      ['2', { 1: 0.5, 2: 1 }],
    ] as const) {
      const [label = ''] = Object.values(read(`labels-${tag}-one.json`) as Record<string, string>);
      write(`grades-${tag}-one.json`, { [label]: grades });
    }
    const { points, ungraded } = gradedPoints(folder, [one]);
    expect(ungraded).toEqual([]);
    expect(points).toEqual([
      { candidate: 'ours after', budget: 8_000, session: 'one', kind: 'needed', value: 100 },
      { candidate: 'ours after', budget: 8_000, session: 'one', kind: 'next', value: -100 },
      { candidate: 'the whole conversation', budget: undefined, session: 'one', kind: 'needed', value: 50 },
      { candidate: 'the whole conversation', budget: undefined, session: 'one', kind: 'next', value: 100 },
    ]);
  });

  test('whose answers a grader forgot are named', () => {
    const one = session();
    write('one/answers-full.json', [{ id: 1, answer: '8123' }]);
    writeSheets(folder, [one]);
    const [label = ''] = Object.values(read('labels-1-one.json') as Record<string, string>);
    for (const grades of [{}, { [label]: { 1: 1 } }, { [label]: { 1: 1, 2: 7 } }]) {
      write('grades-1-one.json', grades);
      expect(() => gradedPoints(folder, [one])).toThrow(CtxError);
    }
    expect(existsSync(join(folder, 'sheet-1-one.json')) && readdirSync(folder).length).toBe(4);
  });
});

test('the table has a row for each candidate and size, with the difference to the default paired by session', () => {
  const point = (candidate: string, name: string, value: number): ExamPoint => ({
    candidate,
    budget: 16_000,
    session: name,
    kind: 'user',
    value,
  });
  const rows = examRows([
    ...['a', 'b'].flatMap((name, at) => [
      point('default pipeline', name, 40 + 40 * at),
      point('other', name, 50 + 40 * at),
    ]),
    { ...point('the whole conversation', 'a', 100), budget: undefined },
  ]);
  const names = rows.map(({ candidate }) => candidate);
  expect(names).toEqual(['the whole conversation', 'other', 'default pipeline']);
  expect(rows[1]).toMatchObject({
    points: { mean: 70, sessions: 2 },
    sessions: [50, 90],
    kinds: { user: 70 },
  });
  const table = examTable(rows, 'Grades');
  expect(table.rows[1]?.slice(0, 5)).toEqual(['other', '16,000', '70.0 ± 20.0', 2, '+10.0 ± 0.0']);
  expect(table.rows[0]?.slice(0, 5)).toEqual(['the whole conversation', 'all', '100.0', 1, '–']);
});
