import type { Message } from '@ctx/core';
import { user } from '@ctx/testing';
import { type Candidate, type Chat, chatTables, measureChats, noCompression } from '../../src/index.js';
import { countWords as tokensOf } from '../small-cut.js';

const chat: Chat = {
  id: 'c',
  source: 'own',
  turns: [
    { id: '0', speaker: 'Ada', text: 'I adopted a turtle.' },
    { id: '1', speaker: 'Ben', text: 'Uh.' },
    { id: '2', speaker: 'Ada', text: 'Her name is Pebble.\nShe eats lettuce.' },
    { id: '3', speaker: 'Ben', text: 'Mine has grown since March.' },
  ],
  questions: [
    { question: 'What is the turtle called?', answer: 'Pebble, the turtle', evidence: ['0', '1', '2'] },
    { question: 'Since when?', answer: 'since march', evidence: ['3'] },
  ],
};

/** Returns these messages, whatever the chat; small enough for every budget. */
const returning = (...messages: Message[]): Candidate => ({
  name: 'made up',
  kind: 'baseline',
  compress: async () => ({ messages, ms: 0 }),
});

async function measure(candidate: Candidate, of = chat) {
  const results = await measureChats([of], { candidates: [candidate], tokensOf });
  const at = results.find(({ share, form }) => share === 0.5 && form === 'lines');
  if (at === undefined) throw new Error('It was not measured.');
  const { answerable, evidence, answerWords } = at;
  return [answerable, evidence, answerWords];
}

describe('of the evidence', () => {
  test.each<[string, string, [number, number, number]]>([
    // One of two questions has all its evidence, and the other has none.
    ['a turn that survives answers its question', 'Ben: Mine has grown since March.', [50, 50, 50]],
    ['a part of a turn does not', 'grown since March.', [0, 0, 50]],
    ['one turn of two is half of it', 'Ada: I adopted a turtle.', [0, 25, 25]],
    ['lines may be indented', '    Her name is Pebble.\n\n    She eats lettuce.', [0, 25, 25]],
    ['lines may not be apart', 'Her name is Pebble.\n…\nShe eats lettuce.', [0, 0, 25]],
    ['words of the answer may stand alone', 'turtle pebble', [0, 0, 50]],
  ])('%s', async (_what, text, expected) => {
    expect(await measure(returning(user(text)), long)).toEqual(expected);
  });

  /** Long enough for the texts above to be within half of it. */
  const long: Chat = {
    ...chat,
    turns: [
      ...chat.turns,
      ...Array.from({ length: 80 }, (_, index) => ({
        id: String(index + 4),
        speaker: 'Ben',
        text: index % 2 === 0 ? 'Uh.' : 'The weather is fine.',
      })),
    ],
  };

  test('a turn without a word of content needs not survive', async () => {
    const kept = chat.turns.filter(({ id }) => id !== '1').map(({ text }) => user(text));
    expect(await measure(returning(...kept), long)).toEqual([100, 100, 100]);
  });

  test('nothing counts over the budget, or if the result is not valid', async () => {
    expect(await measure(noCompression)).toEqual([0, 0, 0]);
    expect(await measure(returning({ role: 'assistant', content: 'since March' }), long)).toEqual([0, 0, 0]);
  });
});

test('a chat of two is measured in both forms, and each has a table', async () => {
  const results = await measureChats([chat, { ...chat, id: 'without', questions: [] }], {
    candidates: [returning(user('Pebble'))],
    tokensOf,
  });
  expect(results).toHaveLength(2 * 3);
  const tables = chatTables(results);
  expect(tables.map(({ title }) => title)).toEqual([
    'Questions about chats: own, as user and assistant',
    'Questions about chats: own, each turn a user message with its name',
  ]);
  for (const { columns, rows } of tables)
    expect(rows).toEqual([Array(columns.length).fill(expect.anything())]);
  expect(tables[0]?.rows[0]?.slice(0, 2)).toEqual(['made up', '0.0']);
});
