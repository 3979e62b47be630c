import { messageText } from '@ctx/core';
import { transcript, user } from '@ctx/testing';
import { type Candidate, reducing } from '../../src/candidates/candidate.js';
import { measurePlanted, noCompression, plantedTables } from '../../src/index.js';
import { plantedConversation } from '../../src/planted/planted-conversation.js';
import { textOf } from '../../src/spoken.js';
import { countWords as tokensOf } from '../small-cut.js';

const sets = ['repeating', 'varied'] as const;

describe.each(sets)('a conversation with planted facts in noise that is %s', (set) => {
  const conversation = plantedConversation(1, set);

  test('is the same each time for one number, and another for another', () => {
    expect(plantedConversation(1, set)).toEqual(conversation);
    expect(plantedConversation(2, set).facts).not.toEqual(conversation.facts);
  });

  test('says each fact once, by who is to say it', () => {
    const roles = { tool: 'tool', assistant: 'assistant', user: 'user' };
    for (const { text, speaker } of conversation.facts) {
      const forms = [text, JSON.stringify(text).slice(1, -1)];
      const saying = conversation.messages.filter((message) =>
        forms.some((form) => textOf(message).includes(form)),
      );
      expect(saying.map(({ role }) => role)).toEqual([roles[speaker]]);
    }
  });

  test('has facts with an id or a number, and as many without', () => {
    const plain = conversation.facts.filter(({ isPlain }) => isPlain);
    expect(plain).toHaveLength(conversation.facts.length / 2);
    for (const { text } of plain) expect(text).not.toMatch(/[\d"@/]/);
    expect(new Set(plain.map(({ speaker }) => speaker)).size).toBe(3);
  });
});

describe('the noise', () => {
  const conversation = plantedConversation(1);

  test('of the two sets shares no line', () => {
    const linesOf = (set: (typeof sets)[number]) =>
      plantedConversation(1, set)
        .messages.filter(({ role }) => role === 'tool')
        .flatMap((message) => messageText(message).split('\n'));
    const known = new Set(linesOf('repeating').map(formOf));
    expect(linesOf('varied').filter((line) => known.has(formOf(line)))).toEqual([]);
  });

  test('of many forms seldom has a number, but in facts', () => {
    const { messages, facts } = plantedConversation(1, 'varied');
    const lines = messages
      .filter(({ role }) => role === 'tool')
      .flatMap((message) => messageText(message).split('\n'));
    const numbered = lines.filter((line) => /\d/.test(line));
    expect(lines.length).toBeGreaterThan(2_000);
    expect(numbered.every((line) => facts.some(({ text }) => line.includes(text)))).toBe(true);
  });

  test('has facts in JSON as well, which stays valid', () => {
    const states = conversation.messages
      .map(messageText)
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as { note?: string });
    expect(states.filter(({ note }) => note !== undefined).length).toBeGreaterThan(0);
    expect(states.filter(({ note }) => note === undefined).length).toBeGreaterThan(0);
  });
});

/** A line with its words and numbers alike. */
const formOf = (line: string) => line.replaceAll(/\d+/g, '0').replaceAll(/[a-z]+/gi, 'a');

describe('planted facts', () => {
  const measured = async (candidate: Candidate, shares = [0.1]) =>
    (await measurePlanted({ candidates: [candidate], tokensOf, conversations: 2, shares })).filter(
      ({ set }) => set === 'repeating',
    );

  test('are all found in a view that has everything', async () => {
    const [whole] = await measured(reducing('whole', 'baseline', (messages) => messages));
    expect(whole).toMatchObject({ share: 0.1, left: 1, facts: { kept: 60, all: 60 } });
    expect(whole?.byTool).toEqual({ kept: 20, all: 20 });
    expect(whole?.plain).toEqual({ kept: 30, all: 30 });
  });

  test('are counted by who said them', async () => {
    const onlyUser = reducing('user only', 'baseline', (messages) =>
      messages.filter(({ role }) => role === 'user'),
    );
    const [result] = await measured(onlyUser);
    expect(result).toMatchObject({
      facts: { kept: 20, all: 60 },
      byTool: { kept: 0, all: 20 },
      byAssistant: { kept: 0, all: 20 },
      byUser: { kept: 20, all: 20 },
    });
    expect(result?.left).toBeLessThan(0.1);
  });

  test('count only word for word', async () => {
    const reworded = reducing('reworded', 'baseline', (messages) =>
      messages.map((message) => user(textOf(message).replaceAll('the', 'a'))),
    );
    const [result] = await measured(reworded);
    expect(result?.facts.kept).toBeLessThan(40);
  });

  test('get the budget of the share with the system prompt', async () => {
    const budgets: number[] = [];
    const asked = reducing('asked', 'baseline', (messages, budget) => {
      budgets.push(budget);
      return transcript(...messages.slice(0, 1));
    });
    const [half, tenth] = await measured(asked, [0.5, 0.1]);
    expect([half?.left, tenth?.left]).toEqual([0, 0]);
    expect((budgets[0] as number) / (budgets[2] as number)).toBeCloseTo(5, 1);
  });

  test('are not asked of a control, and have a table for each share', async () => {
    expect(await measured(noCompression)).toEqual([]);
    expect(plantedTables([])).toEqual([]);
    const nothing = reducing('nothing', 'baseline', (messages) => messages.slice(0, 1));
    const tables = plantedTables(await measured(nothing, [0.235, 0.05]));
    expect(tables.map(({ title }) => title)).toEqual([
      'Planted facts in noise that repeats: 60 said once each, in 23.5 % of the tokens',
      'Planted facts in noise that repeats: 60 said once each, in 5 % of the tokens',
    ]);
    expect(tables[0]?.rows).toEqual([['nothing', '0 %', 0, '0 of 20', '0 of 20', '0 of 20', '0 of 30']]);
  });
});
