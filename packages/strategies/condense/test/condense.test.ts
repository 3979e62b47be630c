import { ContextManager, createContainer, type Message } from '@ctx/core';
import { excerptSections, intro, workIntro } from '@ctx/excerpt';
import { register as registerRelevance, relevance } from '@ctx/strategy-relevance';
import { deepFreeze, testStrategy, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { condense, createSummarizer, register } from '../src/index.js';
import { condensing, containerWith, counter, session, summariesIn, textsOf } from './condensing.js';

testStrategy('condense', () => condense({ excerpt: relevance(), summarizer: createSummarizer() }));

const long = deepFreeze(session(40));
const summary = 'The parser reads too late; parts 0 to 39 were looked at. Next: the tests.';

beforeAll(() => counter.load?.());

describe('a compression with a model', () => {
  test.each([6000, 8000, 12_000])(
    'fills a target of %d tokens with one summary and an excerpt, and asks once',
    async (target) => {
      const { manager, asked, run } = condensing(summary, long);
      const { status, record } = await run(target);
      expect([status, asked.length]).toEqual(['compressed', 1]);
      expect(record?.tokensAfter).toBeLessThanOrEqual(target);
      expect(record?.tokensAfter).toBeGreaterThan(0.9 * target);
      const [text, ...others] = summariesIn(manager);
      expect(others).toEqual([]);
      expect(text).toMatch(new RegExp(`^## Conversation Summary\n${summary}\n\n\\[Done so far`));
      expect(excerptSections(text?.slice(text.indexOf(workIntro)) ?? '').length).toBeGreaterThan(5);
    },
  );

  test.each([
    [6000, 2000],
    [8000, 2660],
    [12_000, 3000],
  ])('of a target of %d tokens asks for a summary of some %d', async (target, tokens) => {
    const { asked, run } = condensing(summary, long);
    await run(target);
    expect(asked[0]?.maxTokens).toBeGreaterThan(0.9 * tokens);
    expect(asked[0]?.maxTokens).toBeLessThanOrEqual(tokens * 1.01);
  });

  test('gives the room to the excerpt that the summary does not use', async () => {
    const [short, full] = [condensing(summary, long), condensing(words(1800, 'said'), long)];
    for (const { run } of [short, full]) expect((await run(8000)).record?.tokensAfter).toBeGreaterThan(7200);
    const excerptOf = ([text = '']: string[]) => text.slice(text.indexOf(workIntro)).length;
    expect(excerptOf(summariesIn(short.manager))).toBeGreaterThan(
      excerptOf(summariesIn(full.manager)) + 2000,
    );
  });

  test('cuts the middle out of a summary that is longer than asked for, where the user’s rules leave it no more room', async () => {
    const rules = Array.from({ length: 30 }, (_, n) => `- Never touch part ${n} before its tests pass.`);
    const said = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word} ${n}`);
    const lines = [...said(200, 'First, in part'), ...said(200, 'Then, in part'), 'Next: the tests.'];
    const { manager, run } = condensing(lines.join('\n'), [
      user(rules.join('\n')),
      ...session(40, 1),
      user('Go on.'),
    ]);
    const { record } = await run(3000);
    expect(record?.tokensAfter).toBeLessThanOrEqual(3000);
    const [text] = summariesIn(manager);
    for (const part of ['First, in part 0\n', 'tokens (', 'left out …]', 'Next: the tests.'])
      expect(text).toContain(part);
    expect(textsOf(manager).join('\n')).toContain(rules.join('\n'));
  });

  test.each([3, 4, 5, 6, 7])(
    'keeps a summary that is half as long again as asked for if the newest task has only %d rounds of work',
    async (rounds) => {
      const messages = [...long, user('Now the printer.'), ...session(rounds, 40)];
      const { manager, run } = condensing(words(1400, 'said'), messages);
      expect((await run(3000)).record?.tokensAfter).toBeLessThanOrEqual(3000);
      expect(summariesIn(manager)).toHaveLength(1);
    },
  );

  test('keeps its target whatever the length of the answer, or does not use it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6000 }),
        fc.constantFrom(3000, 8000),
        async (length, target) => {
          const { manager, run } = condensing(words(length, 'said'), long);
          const { record } = await run(target);
          expect(record?.tokensAfter ?? 0).toBeLessThanOrEqual(target);
          expect(summariesIn(manager).length).toBe(record === undefined ? 0 : 1);
        },
      ),
      {
        numRuns: 4,
        examples: [
          [2000, 8000],
          [5000, 8000],
          [1500, 3000],
          [2900, 3000],
        ],
      },
    );
  });

  test('shows the model everything up to the next message of the user, and what is kept too', async () => {
    const { asked, run } = condensing(summary, [...long, user('And the tests?')]);
    await run();
    expect(asked[0]?.user).toContain('Fix the parser. Never touch src/legacy.ts.');
    expect(asked[0]?.user).toContain('Part 39 reads its values too late');
    expect(asked[0]?.user).not.toContain('And the tests?');
  });

  test('takes the caller’s instructions along, and notes what it cost', async () => {
    const { manager, asked, run } = condensing(summary, long);
    await run(8000, { instructions: 'keep the names' });
    expect(asked[0]?.user).toContain('keep the names');
    expect(manager.history[0]?.stages[0]?.notes).toMatchObject({
      resolutions: [{ by: 'stub', calls: 1, inputTokens: 7, outputTokens: 3, cost: 0.5 }],
    });
  });
});

describe('a later compression', () => {
  test('brings the summary up to date: the model gets the earlier one and what is new, and there is only one', async () => {
    const { manager, asked, run } = condensing((n) => `Summary number ${n}: it went on.`, long);
    await run();
    for (let round = 1; round <= 4; round += 1) {
      for (const message of session(15, 100 * round)) manager.append(message);
      await run();
      expect(summariesIn(manager)).toHaveLength(1);
      expect(summariesIn(manager)[0]).toContain(`Summary number ${round + 1}: it went on.`);
      expect(manager.stats().countedTokens).toBeLessThanOrEqual(8000);
      const history = asked[round]?.user ?? '';
      expect(history).toMatch(
        /, earlier summary \[\w{8}\]\n## Conversation Summary\nSummary number \d: it went on\.\n/,
      );
      expect(history).toContain(`Part ${100 * round} reads its values too late`);
      expect(history).not.toContain(workIntro);
      expect(history).not.toContain(intro);
    }
    expect(asked).toHaveLength(5);
  });

  test('makes the excerpt from the original messages, not from a summary', async () => {
    const { manager, run } = condensing((n) => `Invented ${n}.`, long);
    await run();
    for (const message of session(30, 100)) manager.append(message);
    await run();
    const [text = ''] = summariesIn(manager);
    expect(text).not.toContain('Invented 1.');
    expect(text.slice(text.indexOf(workIntro))).not.toContain('Conversation Summary');
  });

  test('after a new task leaves one summary, behind the newest message of the user that it can stand behind', async () => {
    const { manager, run } = condensing((n) => `Summary number ${n}.`, long);
    await run();
    manager.append(user('Good. Now write the documentation.'));
    for (const message of session(30, 100)) manager.append(message);
    await run();
    expect(summariesIn(manager)).toHaveLength(1);
    const texts = textsOf(manager);
    const at = (part: string) => texts.findIndex((text) => text.includes(part));
    expect(at('Summary number 2.')).toBeGreaterThan(at('Now write the documentation.'));
  });
});

describe('nobody is asked', () => {
  const earlier = { ...user('## Conversation Summary\nThe parser was fixed.'), summary: true };
  test.each([
    ['Not enough messages to condense context', [user('Fix the parser.')]],
    ['Context was condensed recently; skipping this attempt', [earlier, user('And the tests?')]],
  ])('if there is nothing to sum up: %s', async (reason, messages) => {
    const { asked, run } = condensing(summary, messages);
    const { stages } = await run(1);
    expect([asked.length, stages?.[0]?.reason]).toEqual([0, reason]);
  });

  test('without a model: condense then leaves what relevance leaves', async () => {
    const viewBy = async (strategy: string) => {
      const container = createContainer();
      registerRelevance(container);
      register(container);
      const manager = new ContextManager({ container, counter, config: { contextWindow: 1_000_000 } });
      for (const message of long) manager.append(message);
      const { record } = await manager.compress({ strategy, targetTokens: 8000 });
      expect(record?.stages[0]).toMatchObject({ strategy, status: 'progress' });
      return manager.view();
    };
    expect(await viewBy('condense')).toEqual(await viewBy('relevance'));
  });

  test('in a window under 8,000 tokens, unless told otherwise', async () => {
    for (const [contextWindow, minWindow, calls] of [
      [7999, undefined, 0],
      [8000, undefined, 1],
      [7999, 4000, 1],
    ] as const) {
      let asked = 0;
      const model = async () => `Summary ${++asked}.`;
      const container = containerWith({ model, minWindow });
      const manager = new ContextManager({ container, counter, config: { contextWindow } });
      for (const message of session(6)) manager.append(message);
      await manager.compress({ strategy: 'condense', targetTokens: 2000 });
      expect([contextWindow, asked]).toEqual([contextWindow, calls]);
      expect(manager.history).toHaveLength(1);
    }
  });

  test('if what must stay leaves no room for a summary', async () => {
    const none = condensing(summary, [{ ...user(words(8000, 'task')), pinned: true }, ...long]);
    await none.run(8000);
    expect(none.asked.length).toBe(0);
  });
});

test('the same conversation and answer give the same view', async () => {
  const views: (readonly Message[])[] = [];
  for (let at = 0; at < 2; at += 1) {
    const { manager, run } = condensing(summary, long);
    await run();
    views.push(manager.view());
  }
  expect(views[0]).toEqual(views[1]);
});
