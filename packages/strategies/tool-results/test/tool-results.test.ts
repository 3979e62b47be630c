import type { Edit } from '@ctx/core';
import { ContextManager, createContainer, type Message } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import {
  assistant,
  call,
  managerOf,
  planContextOf,
  result,
  testStrategy,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import { register, toolResults } from '../src/index.js';
import type { ToolResultsInput } from '../src/options.js';

testStrategy('tool-results', () =>
  toolResults({ reads: { keep: 1 }, duplicates: { includeReads: true }, giants: { maxTokens: 30 } }),
);

/** What the model says once it has read the results before. */
const answer = assistant('I see.');

/** What is planned after the model has read all of these messages. */
async function edited(messages: readonly Message[], options: ToolResultsInput, planning = {}) {
  const context = await planContextOf([...messages, answer], { targetTokens: 0, ...planning });
  const off = { reads: false, terminal: false, duplicates: false, giants: false } as const;
  const { edits, notes } = await toolResults({ ...off, ...options }).plan(context);
  const replaced = (edits as Edit<'replace'>[]).map((edit) => ({
    at: context.view.find(({ id }) => id === edit.message)?.index,
    text: edit.text,
  }));
  return { replaced, positions: replaced.map(({ at }) => at), notes };
}

const use = (id: string, tool: string, input: unknown, output: string, fields = {}) =>
  transcript(call(id, tool, input), result(id, output, fields));

test('calls with ids that JavaScript cannot tell apart are no duplicates', async () => {
  const idOf = (last: number) => parseJson(`{"order":123456789012345678${last}}`);
  // Longer than what says that it is gone.
  const output = 'There is no such order. '.repeat(20);
  const orders = [7, 8, 9].flatMap((last) => use(`c${last}`, 'find_order', idOf(last), output));
  expect((await edited(orders, { duplicates: {} })).positions).toEqual([]);
  const again = [8, 8].flatMap((last, at) => use(`c${at}`, 'find_order', idOf(last), output));
  expect((await edited(again, { duplicates: {} })).positions).toEqual([1]);
});

describe('terminal output is out of date', () => {
  const minute = 60_000;
  const now = 100 * minute;
  const run = (id: string, ageMinutes: number, output = words(30), fields = {}) =>
    use(id, 'terminal-execute', { command: id }, output, { createdAt: now - ageMinutes * minute, ...fields });
  const newest = Array.from({ length: 5 }, (_, index) =>
    use(`n${index}`, 'grep', { index }, words(9)),
  ).flat();

  test('if it is older than 15 minutes, but not at exactly 15', async () => {
    const runs = [...run('a', 15.001), ...run('b', 15), ...newest];
    const { replaced } = await edited(runs, { agent: 'snow', terminal: {} }, { now });
    expect(replaced).toEqual([{ at: 1, text: '此命令返回内容已过时' }]);
  });

  test('but never among the newest five results of any tool', async () => {
    const messages = [...run('a', 60), ...run('b', 59), ...newest.slice(2)];
    expect((await edited(messages, { terminal: {} }, { now })).positions).toEqual([1]);
  });

  test('but not if it is an error by its start, its flag or its stderr', async () => {
    const errors = [
      ...run('a', 60, `Error: ${words(30)}`),
      ...run('b', 60, words(30), { isError: true }),
      ...run('c', 60, JSON.stringify({ stdout: words(30), stderr: 'no such file' })),
    ];
    const fine = run('d', 60, JSON.stringify({ stdout: words(30), stderr: '' }));
    expect((await edited([...errors, ...fine, ...newest], { terminal: {} }, { now })).positions).toEqual([7]);
  });

  test('if its call says so, not its look, and never if its time is unknown', async () => {
    const look = use('x', 'fetch', {}, JSON.stringify({ stdout: words(30), exitCode: 0 }), { createdAt: 0 });
    const timeless = use('y', 'terminal-execute', { command: 'ls' }, words(30));
    const { positions } = await edited([...timeless, ...look, ...newest], { terminal: {} }, { now });
    expect(positions).toEqual([]);
  });
});

describe('of identical calls with identical results', () => {
  const search = (id: string, query: string, output = words(30)) => use(id, 'grep', { query }, output);

  test('the newest stays', async () => {
    const messages = [...search('1', 'a'), ...search('2', 'b'), ...search('3', 'a'), ...search('4', 'a')];
    const { replaced } = await edited(messages, { duplicates: {} });
    expect(replaced.map(({ at }) => at)).toEqual([5, 1]);
    expect(replaced[0]?.text).toBe('[Same result as that of the same call further down]');
  });

  test('a different result is distinguished, but not another order of the same arguments', async () => {
    const messages = [
      ...search('1', 'a', words(30, 'old')),
      ...use('2', 'list', { a: 1, b: 2 }, words(40)),
      ...use('3', 'list', { b: 2, a: 1 }, words(40)),
      ...search('4', 'a', words(30, 'new')),
    ];
    expect((await edited(messages, { duplicates: {} })).positions).toEqual([3]);
  });

  test('are found among thousands of calls that return the same, without comparing each with each', async () => {
    let compared = 0;
    const counted = (at: number) => ({
      get at() {
        compared += 1;
        return at;
      },
    });
    const calls = Array.from({ length: 1_000 }, (_, at) => use(`${at}`, 'write', counted(at), words(30)));
    expect((await edited(calls.flat(), { duplicates: {} })).positions).toEqual([]);
    compared = 0;
    const again = [...calls, use('again', 'write', { at: 7 }, words(30))].flat();
    expect((await edited(again, { duplicates: {} })).positions).toEqual([15]);
    expect(compared).toBeLessThan(20_000);
  });

  test('errors stay, and so do reads of files unless asked otherwise', async () => {
    const errors = ['1', '2'].flatMap((id) => search(id, 'a', `Error: ${words(30)}`));
    const reads = ['3', '4'].flatMap((id) => use(id, 'read', { path: 'a' }, words(30)));
    const both = [...errors, ...reads];
    expect((await edited(both, { duplicates: {} })).positions).toEqual([]);
    expect((await edited(both, { duplicates: { includeReads: true } })).positions).toEqual([5]);
  });
});

describe('a read of a file that has changed since', () => {
  const read = use('1', 'Read', { file_path: '/p/a.ts' }, words(30));
  const edit = (path: string, output = 'done') =>
    use(`e${path}${output}`, 'Edit', { file_path: path }, output);

  test('is cleared if asked to', async () => {
    const messages = [...read, ...edit('/p/a.ts')];
    expect((await edited(messages, { superseded: {} })).positions).toEqual([1]);
    expect((await edited(messages, {})).positions).toEqual([]);
  });

  test('stays after a change of another file, a failed change, or an earlier change', async () => {
    const messages = [...edit('/p/a.ts'), ...read, ...edit('/p/b.ts'), ...edit('/p/a.ts', 'Error: no match')];
    expect((await edited(messages, { superseded: {} })).positions).toEqual([]);
  });
});

describe('a result that the model has not read', () => {
  const options = { reads: { keep: 1 }, duplicates: { includeReads: true }, giants: { maxTokens: 50 } };
  const read = (id: string) => use(id, 'read', { path: 'a.ts' }, words(500));
  const positionsOf = async (messages: readonly Message[], planning = {}) => {
    const context = await planContextOf(messages, { targetTokens: 0, ...planning });
    const edits = (await toolResults(options).plan(context)).edits as Edit<'replace'>[];
    return edits.map((edit) => context.view.find(({ id }) => id === edit.message)?.index).toSorted();
  };

  test('stays whole, however large it is, until the model answers', async () => {
    const messages = [user('go'), ...read('1'), ...read('2')];
    expect(await positionsOf(messages)).toEqual([2]);
    expect(await positionsOf([...messages, answer])).toEqual([2, 4]);
  });

  test('is cut only if all that must stay is larger than the window', async () => {
    const manager = (contextWindow: number) => {
      const one = managerOf([user('go'), ...read('1')], { contextWindow, config: { reserve: 0 } });
      return one.compress({ strategy: toolResults(options), targetTokens: 400 }).then(() => one);
    };
    expect((await manager(600)).view().at(-1)).toEqual(read('1')[1]);
    const crowded = await manager(400);
    expect(crowded.history[0]?.relaxed).toBe('last-resort');
    expect(crowded.stats().currentTokens).toBeLessThanOrEqual(400);
    expect(crowded.stats().currentTokens).toBeGreaterThan(0.9 * 400);
  });
});

describe('a giant result', () => {
  test('keeps its head and tail up to its share of the window, and says what is gone', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const planning = { contextWindow: 1000 };
    const { replaced } = await edited(use('1', 'bash', {}, lines), { giants: { share: 0.3 } }, planning);
    const text = replaced[0]?.text as string;
    expect(text).toMatch(/^line 0\n[\s\S]*\n\[… \d+ tokens \(\d+ lines\) left out …\]\n[\s\S]*line 499$/);
    expect(wordCounter.count(text)).toBeLessThanOrEqual(300);
  });

  test('has an absolute cap too', async () => {
    const { replaced } = await edited(use('1', 'bash', {}, words(500)), { giants: { maxTokens: 50 } });
    expect(wordCounter.count(replaced[0]?.text as string)).toBeLessThanOrEqual(50);
  });

  test('stays valid JSON if asked to', async () => {
    const all = Array.from({ length: 900 }, (_, id) => ({ id, name: `row ${id}` }));
    const json = JSON.stringify({ rows: all });
    const giants = { maxTokens: 100, keepJson: true };
    const { replaced } = await edited(use('1', 'sql', {}, json), { giants });
    const { rows } = JSON.parse(replaced[0]?.text as string) as { rows: unknown[] };
    expect([rows[0], rows.at(-1)]).toEqual([all[0], all.at(-1)]);
  });

  test('with one line of a million characters is cut too, with a real tokenizer', async () => {
    const manager = new ContextManager({ config: { contextWindow: 10_000 } });
    for (const message of [user('go'), ...use('1', 'bash', {}, 'ab'.repeat(500_000)), answer])
      manager.append(message);
    await manager.compress({ strategy: toolResults(), targetTokens: 5000 });
    expect(manager.stats().currentTokens).toBeLessThan(3100);
    expect(JSON.stringify(manager.view()[2])).toMatch(/characters\) left out/);
  });
});

describe('for a prompt cache', () => {
  /** The number of turns that change what was sent before instead of only adding to it. */
  async function changedPrefixes(clearAtLeast: number): Promise<number> {
    const container = createContainer();
    register(container);
    const manager = new ContextManager({
      container,
      counter: wordCounter,
      config: {
        contextWindow: 100_000,
        throttleMs: 0,
        trigger: { tokens: 1 },
        pipeline: ['tool-results'],
        options: { 'tool-results': { clearAtLeast } },
      },
    });
    let changed = 0;
    for (let turn = 0; turn < 60; turn += 1) {
      const before = manager.view();
      for (const message of use(`r${turn}`, 'read', { path: 'a.ts' }, words(200))) manager.append(message);
      await manager.checkAndCompress();
      if (before.some((message, index) => manager.view()[index] !== message)) changed += 1;
    }
    return changed;
  }

  test('every turn clears a read, unless many tokens must be freed together', async () => {
    expect(await changedPrefixes(0)).toBe(55);
    expect(await changedPrefixes(2000)).toBe(5);
    expect(await changedPrefixes(1_000_000)).toBe(0);
  });
});

test('the record says how many results of each kind and of which files were cleared, and the tokens that this freed', async () => {
  const reads = Array.from({ length: 7 }, (_, index) =>
    use(`${index}`, 'read', { path: 'a.ts' }, words(50)),
  ).flat();
  const searches = ['g', 'h'].flatMap((id) => use(id, 'grep', {}, words(99)));
  const { notes } = await edited([...reads, ...searches], { reads: {}, duplicates: {} });
  const freed = 2 * (50 - 12) + 99 - 10;
  expect(notes).toEqual({ reads: 2, duplicates: 1, paths: { 'a.ts': 2 }, unextracted: 0, freed });
});
