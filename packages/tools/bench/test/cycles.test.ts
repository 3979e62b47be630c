import { assistant, call, result, system, user, words } from '@ctx/testing';
import { type Reduce, reducing } from '../src/candidates/candidate.js';
import { cycleTables, measureCycles, plantedTexts, streamOf } from '../src/cycles.js';
import { noCompression } from '../src/index.js';
import { sessionOf, countWords as tokensOf } from './small-cut.js';

const read = [call('1', 'read'), result('1', words(100, 'line'))];
const session = sessionOf(system('not this one'), user(words(10)), ...read, assistant(words(10)));
const planted = plantedTexts();
const first = (count: number) => {
  const stream = streamOf([session], planted);
  return Array.from({ length: count }, () => stream.next().value ?? user('the end'));
};

describe('a stream', () => {
  test('begins with the rules and repeats the sessions with calls of their own', () => {
    const messages = first(19);
    expect(messages.slice(1, 11).filter(({ role }) => role === 'user')).toEqual(
      planted.rules.map((rule) => user(rule)),
    );
    const ids = messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
    );
    expect(ids).toEqual(['0-0-1', '0-0-1', '1-0-1', '1-0-1']);
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1);
  });

  test('says every fact once, and never between a call and its result', () => {
    const messages = first(2_000);
    for (const fact of planted.facts) {
      const at = messages.findIndex(({ content }) => content === fact);
      expect(messages.filter(({ content }) => content === fact)).toHaveLength(1);
      expect(messages[at + 1]?.role).toBe('assistant');
    }
  });
});

describe('many compressions', () => {
  const measured = (reduce: Reduce) =>
    measureCycles([session], reducing('one', 'baseline', reduce), {
      tokensOf,
      limit: 600,
      compressions: 30,
    });
  const isSaid = (content: unknown) =>
    [...planted.rules, ...planted.facts].includes(typeof content === 'string' ? content : '');

  test('that keep what was said once free the same each time', async () => {
    const kept = await measured((messages) => [
      ...messages.slice(0, 1),
      ...messages.slice(1).filter(({ content }) => isSaid(content)),
      user(`newest ${tokensOf(messages.at(-1) ?? user(''))}`),
    ]);
    expect(kept).toMatchObject({ compressions: 30, rules: 5, rulesKept: 5 });
    expect(kept?.factsKept).toBeGreaterThan(10);
  });

  test('that forget everything are found out', async () => {
    let calls = 0;
    const forgetful = await measured(() => [user(`nothing ${calls++}`)]);
    expect(forgetful).toMatchObject({ rulesKept: 0, factsKept: 0 });
  });

  test('that leave more and more behind free less at the end', async () => {
    let calls = 0;
    const growing = await measured(() => [user(words(10 * calls++))]);
    expect((growing?.lastFreed ?? 0) / (growing?.firstFreed ?? 1)).toBeLessThan(0.7);
    expect(cycleTables(growing === undefined ? [] : [growing])[0]?.rows[0]?.[4]).toMatch(/^0\.[0-6]/);
  });

  test('end early for a view that grows far over the limit', async () => {
    const unable = await measured((messages) => messages.slice(1));
    expect(unable?.compressions).toBeLessThan(30);
  });

  test('are not made by a control, nor of nothing', async () => {
    const whole = reducing('one', 'baseline', (messages) => messages);
    expect(await measureCycles([session], noCompression, { tokensOf })).toBeUndefined();
    expect(await measureCycles([], whole, { tokensOf })).toBeUndefined();
    expect(cycleTables([])).toEqual([]);
  });
});
