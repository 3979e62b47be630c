import { reducing } from '../../src/candidates/candidate.js';
import { baselines, loadCounter } from '../../src/index.js';
import { runAgent } from '../../src/loop/agent-run.js';
import { arriving, holderOf, nobody, ours } from '../../src/loop/holder.js';
import { loopTables } from '../../src/loop/loop-table.js';
import { measureLoop } from '../../src/loop/measure-loop.js';
import type { Scenario } from '../../src/loop/scenario.js';

const small: Scenario = {
  name: 'small',
  files: 5,
  lines: 30,
  facts: 3,
  rules: 2,
  fixedTokens: 600,
  testLines: 10,
};
/** The number of requests: one for each rule, fact and question; three for each file, and the last word. */
const needed = 2 + 3 + 3 * 5 + 1 + 3;
const blameless = {
  end: 'done',
  parts: 5,
  readsAgain: 0,
  blindEdits: 0,
  doneAgain: 0,
  rulesBroken: 0,
  questions: 0,
  refused: [],
};

describe('a scripted agent', () => {
  test('without a limit does everything once and right', async () => {
    const run = await runAgent(small, nobody, { tokensOf: await loadCounter() });
    expect(run).toMatchObject({ ...blameless, requests: needed });
    expect(run.first).toBeGreaterThan(500);
    expect(run.cost).toBeLessThan(run.tokens);
  });

  test('does the same behind contextFetch in a generous window', async () => {
    const tokensOf = await loadCounter();
    expect(await runAgent(small, ours, { tokensOf, window: 20_000 })).toMatchObject({
      ...blameless,
      requests: needed,
    });
  });

  test('looks up what an excerpt lacks by its handle, and reads nothing twice', async () => {
    const tokensOf = await loadCounter();
    const large = { ...small, lines: 150 };
    const [whole, shortened] = [
      await runAgent(large, ours, { tokensOf, window: 40_000 }),
      await runAgent(large, arriving, { tokensOf, window: 40_000 }),
    ];
    expect(shortened).toMatchObject({ ...blameless, requests: needed + large.files });
    expect(shortened.cost).toBeLessThan(whole.cost);
  });

  test('comes out the same twice', async () => {
    const tokensOf = await loadCounter();
    const [one, other] = [
      await runAgent(small, ours, { tokensOf, window: 4_000, mostRequests: 40 }),
      await runAgent(small, ours, { tokensOf, window: 4_000, mostRequests: 40 }),
    ];
    expect(other).toEqual(one);
  });

  test('is refused where nothing is compressed and the window is too small', async () => {
    const tokensOf = await loadCounter();
    const run = await runAgent(small, nobody, { tokensOf, window: 3_000 });
    expect(run).toMatchObject({ end: 'refused' });
    expect(run.refused[0]).toMatch('maximum context length is 3000 tokens');
    expect(run.largest).toBeLessThanOrEqual(3_000);
  });

  const broken = async (reduce: Parameters<typeof reducing>[2], window = 3_000) => {
    const holder = holderOf(reducing('broken', 'baseline', reduce));
    if (holder === undefined) throw new Error('This can’t be replayed.');
    return runAgent(small, holder, { tokensOf: await loadCounter(), window, mostRequests: 3 * needed });
  };

  test('breaks rules and asks if what was said first is gone', async () => {
    const run = await broken((messages) => {
      const task = messages.findIndex(({ content }) => String(content).startsWith('Task: '));
      // Of the work only the first file leaves: a read, an edit and a test, each with its result.
      return [...messages.slice(0, 1), ...messages.slice(task, task + 1), ...messages.slice(task + 7)];
    }, 4_000);
    expect(run).toMatchObject({ end: 'done', blindEdits: 0, readsAgain: 0, doneAgain: 0, questions: 3 });
    expect(run.rulesBroken).toBeGreaterThan(0);
  });

  test('reads again and then edits blindly if results are cut', async () => {
    const run = await broken(
      (messages) =>
        messages.map((message) =>
          message.role === 'tool'
            ? { ...message, content: message.content.map((part) => ({ ...part, output: '[cut]' })) }
            : message,
        ),
      1_500,
    );
    expect(run.blindEdits).toBeGreaterThan(0);
    expect(run.readsAgain).toBeGreaterThan(0);
    expect(run.rulesBroken).toBe(0);
  });

  test('does parts twice if what follows the task is gone', async () => {
    const run = await broken((messages) => {
      const task = messages.findIndex(({ content }) => String(content).startsWith('Task: '));
      return task < 0 ? messages : messages.slice(0, task + 1);
    });
    expect(run).toMatchObject({ end: 'gave up', rulesBroken: 0 });
    expect(run.doneAgain).toBeGreaterThan(0);
  });
});

test('the table has a row for each candidate, and windows in which a file fits twice', async () => {
  const results = await measureLoop({ candidates: baselines, scenarios: [small], shares: [1.2, 0.5, 0.01] });
  const holders = ['keep-last', 'keep-first-and-last', 'observation masking'];
  expect(results.map(({ holder, share }) => [holder, share])).toEqual([
    ['without a limit', undefined],
    ...holders.map((name) => [name, 1.2]),
    ...holders.map((name) => [name, 0.5]),
  ]);
  const [overview] = loopTables(results);
  expect(overview?.columns.slice(0, 3)).toEqual(['candidate', 'generous', '1/2']);
  expect(overview?.rows.map(([name, generous]) => [name, generous])).toEqual(
    holders.map((name) => [name, '1.00']),
  );
  for (const row of overview?.rows ?? []) expect(row).toHaveLength(overview?.columns.length ?? 0);
});
