import { candidates, madeChats, measureChats, randomMessages } from '../../src/index.js';
import { countWords } from '../small-cut.js';

const chats = madeChats();

test('there is a chat in each of four languages, with a question about each fact', () => {
  expect(chats.map(({ id }) => id)).toEqual([
    'made, English',
    'made, German',
    'made, Spanish',
    'made, Chinese',
  ]);
  for (const { turns, questions } of chats) {
    expect(turns).toHaveLength(400);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(2);
    expect(questions).toHaveLength(24);
    const texts = [
      ...turns.map(({ text }) => text),
      ...questions.flatMap((one) => [one.question, one.answer]),
    ];
    expect(texts.filter((text) => /[{}]|undefined/.test(text))).toEqual([]);
  }
});

test('the words of an answer stand in its evidence', () => {
  for (const { turns, questions } of chats) {
    const texts = new Map(turns.map(({ id, text }) => [id, text]));
    for (const { answer, evidence } of questions) {
      const told = evidence.map((id) => texts.get(id)).join(' ');
      expect(evidence.length).toBeGreaterThan(0);
      for (const figure of answer.match(/\d+/g) ?? []) expect(told).toContain(figure);
    }
  }
});

test('no fact is told twice, and the same seed gives the same chats', () => {
  for (const { turns, questions } of chats) {
    const evidence = questions.flatMap((question) => question.evidence);
    expect(new Set(evidence).size).toBe(evidence.length);
    const told = turns.filter(({ id }) => evidence.includes(id)).map(({ text }) => text);
    expect(new Set(told).size).toBe(told.length);
  }
  expect(madeChats()).toEqual(chats);
  expect(madeChats({ seed: 2 })).not.toEqual(chats);
});

test('chance and a plain window keep about their share of the evidence', async () => {
  const keepLast = candidates.filter(({ name }) => name === 'keep-last');
  const results = await measureChats(chats, {
    candidates: [...keepLast, randomMessages],
    tokensOf: countWords,
  });
  for (const candidate of ['keep-last', 'random messages']) {
    const at = results.filter((one) => one.candidate === candidate && one.share === 0.5);
    const evidence = at.reduce((sum, one) => sum + one.evidence, 0) / at.length;
    expect(evidence).toBeGreaterThan(35);
    expect(evidence).toBeLessThan(65);
  }
});
