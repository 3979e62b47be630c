import { assistant, call, managerOf, result, user, words } from '@ctx/testing';
import { ContextManager, type Message } from '../../src/index.js';
import { merge, planning } from '../edits.js';

const lined = (tokens: number, name: string) =>
  Array.from({ length: tokens / 10 }, (_, line) => words(9, `${name}${line}`)).join('\n');
const task = user('Raise the revision of each module, one by one. Never touch mod03.');
/** A task and the work on it, with a result of 200 tokens for each step. */
const work = (steps: number): Message[] => [
  task,
  ...Array.from({ length: steps }, (_, step) => [
    call(`c${step}`, 'read'),
    result(`c${step}`, lined(200, `m${step}`)),
  ]).flat(),
];
const rules = `<system-reminder>\nContents of /r/CLAUDE.md:\n\n${lined(800, 'rule')}\n</system-reminder>`;
const tooLong = (tokens: number, limit: number) => ({
  status: 400,
  error: { message: `prompt is too long: ${tokens} tokens > ${limit} maximum` },
});
const wordless = { status: 400, message: 'Your input exceeds the context window of this model.' };
const tooLarge = { status: 413, message: 'Payload too large' };
const manager = (messages: readonly Message[], contextWindow = 10_000) =>
  managerOf(messages, { config: { contextWindow } });

describe('after an overflow', () => {
  test('as much is taken off as the error names, and little more, of what is old', async () => {
    const messages = work(20);
    const made = manager(messages);
    const { currentTokens: before } = made.stats();
    expect((await made.recover(tooLong(before + 20, before - 111))).status).toBe('compressed');
    const { currentTokens: after } = made.stats();
    expect(after).toBeLessThan(before - 131);
    expect(after).toBeGreaterThan(before - 600);
    expect(made.view()[0]).toBe(task);
    expect(made.view().slice(-2)).toEqual(messages.slice(-2));
  });

  test('the figure that the provider names is learned', async () => {
    const made = manager(work(20));
    const { currentTokens: before } = made.stats();
    made.request();
    await made.recover(tooLong(Math.round(before * 1.2), Math.round(before * 1.1)));
    expect(made.stats().quality).toBe('calibrated');
    expect(made.stats().currentTokens).toBeLessThan(before * 1.1);
    expect(made.stats().currentTokens).toBeGreaterThan(before * 0.98);
  });

  test('that names no figures, a tenth is taken off', async () => {
    for (const error of [wordless, tooLarge]) {
      const messages = work(20);
      const made = manager(messages);
      const { currentTokens: before } = made.stats();
      expect((await made.recover(error)).status).toBe('compressed');
      expect(made.stats().currentTokens).toBeLessThanOrEqual(0.9 * before);
      expect(made.stats().currentTokens).toBeGreaterThan(0.8 * before);
      expect(made.view()[0]).toBe(task);
      expect(made.view().slice(-2)).toEqual(messages.slice(-2));
    }
  });

  test.each([
    ['that a program brings', [user(rules), task]],
    [
      'of an earlier task',
      [user([rules, 'Fix the typo.'].map((text) => ({ type: 'text', text }))), assistant('Done.'), task],
    ],
  ])('the rules %s are cut after what the model has not read', async (_, opening) => {
    for (const error of [wordless, tooLong(2_000, 1_900)]) {
      const messages = [...opening, call('c', 'read'), result('c', lined(1_000, 'm'))];
      const made = manager(messages);
      expect((await made.recover(error)).status).toBe('compressed');
      for (const message of [messages[0], task]) expect(made.view()).toContainEqual(message);
      expect(made.view().at(-1)).not.toEqual(messages.at(-1));
    }
  });

  test('the rules that a program brings are cut where a result gives no more', async () => {
    const messages = [user(rules), task, call('c', 'read'), result('c', lined(300, 'm'))];
    const made = manager(messages);
    expect((await made.recover(wordless)).status).toBe('compressed');
    expect(JSON.stringify(made.view()[0])).toMatch(/rule0 .*left out/s);
    expect(made.view().slice(1)).toEqual(messages.slice(1));
  });

  test('a second refusal without figures takes off a tenth again where half would cut the task', async () => {
    const messages = [user(lined(1_000, 'task')), call('c', 'read'), result('c', lined(1_000, 'm'))];
    const made = manager(messages);
    const { currentTokens: before } = made.stats();
    for (const share of [0.9, 0.81]) {
      expect((await made.recover(wordless)).status).toBe('compressed');
      expect(made.stats().currentTokens).toBeLessThanOrEqual(share * before);
    }
    expect(made.stats().currentTokens).toBeGreaterThan(0.7 * before);
    expect(made.view().slice(0, -1)).toEqual(messages.slice(0, -1));
  });

  test('a figure in bytes takes off the same share of the tokens', async () => {
    const made = manager(work(20));
    const { currentTokens: before } = made.stats();
    await made.recover({ status: 413, message: 'total message size 10000000 exceeds limit 8000000' });
    expect(made.stats().currentTokens).toBeLessThan(0.8 * before);
    expect(made.stats().currentTokens).toBeGreaterThan(0.7 * before);
  });

  test('small requests stay as they are: the error is the agent’s', async () => {
    for (const error of [wordless, tooLarge, tooLong(900, 10)]) {
      const messages = [task, call('a', 'list'), result('a', 'src\ntest')];
      const made = manager(messages);
      expect((await made.recover(error)).record).toBeUndefined();
      expect(made.view()).toEqual(messages);
      expect(made.history).toEqual([]);
    }
  });

  test('the task and the newest user message are never cut, whatever the provider takes', async () => {
    const said = user(words(900, 'wish'));
    const messages = [...work(3), assistant('Which one next?'), said];
    const made = manager(messages);
    const { currentTokens: tokens } = made.stats();
    const outcome = await made.recover(tooLong(tokens, 300));
    expect(outcome).toMatchObject({ status: 'unchanged', reason: expect.stringContaining('must stay') });
    expect(made.view()).toEqual(messages);
    for (let attempt = 0; attempt < 3; attempt += 1) await made.recover(wordless);
    expect(made.view()).toContain(said);
  });

  test('a result that is too large by itself is cut, keeps its end, and is whole again once there is room', async () => {
    const giant = result('z', `${lined(3_000, 'log')}\nerror: it failed at the end`);
    const made = manager([...work(2), call('z', 'run'), giant]);
    const { currentTokens: tokens } = made.stats();
    const { record } = await made.recover(tooLong(tokens, 2_000));
    expect(record?.relaxed).toBe('last-resort');
    // What could leave and what had to be cut is one record, whose figures are those of the request.
    expect(made.history).toEqual([record]);
    expect(record).toMatchObject({ tokensBefore: tokens, tokensAfter: made.stats().countedTokens });
    expect(made.stats().currentTokens).toBeLessThanOrEqual(2_000);
    expect(made.view()[0]).toBe(task);
    expect(JSON.stringify(made.view().at(-1))).toContain('it failed at the end');
    await made.checkAndCompress({ beforeSend: true });
    expect(made.view()).toContain(giant);
  });
});

describe('what a recovery took', () => {
  /** What the agent does next, with a result of so many tokens. */
  const goOn = async (made: ContextManager, step: string, tokens: number) => {
    const more = [call(step, 'read'), result(step, lined(tokens, step))];
    made.request();
    for (const one of more) made.append(one);
    await made.checkAndCompress({ beforeSend: true });
    return more;
  };
  const merging = planning(merge(['m2', 'm3', 'm4', 'm5', 'm6', 'm7'], 'read'));

  test.each([
    ['dropped', undefined],
    ['merged', [merging]],
  ])('and %s comes back once a larger request was answered', async (_, strategies) => {
    const messages = work(10);
    const made = managerOf(messages, { config: { contextWindow: 10_000 }, strategies });
    await made.recover(wordless);
    expect(made.history).toHaveLength(1);
    const small = await goOn(made, 'small', 50);
    expect(made.history).toHaveLength(1);
    const large = await goOn(made, 'large', 1_000);
    // Nobody knows yet whether it is taken.
    expect(made.history).toHaveLength(1);
    const answered = await goOn(made, 'next', 50);
    expect(made.history).toEqual([]);
    expect(made.view()).toEqual([...messages, ...small, ...large, ...answered]);
  });

  test('stays out where it would have to leave again at once', async () => {
    const made = managerOf(work(30), { config: { contextWindow: 10_000, trigger: { tokens: 7_200 } } });
    await made.recover(tooLong(made.stats().currentTokens, made.stats().currentTokens - 2_000));
    await goOn(made, 'large', 2_300);
    await goOn(made, 'next', 50);
    expect(made.history.map(({ reason }) => reason)).toContain('the provider reported a context overflow');
  });
});

test('what a small window took of the task comes back with the next check that has room', async () => {
  const first = user(words(600, 'wish'));
  const messages = [first, call('a', 'read'), result('a', lined(400, 'code'))];
  const small = manager(messages, 500);
  await small.checkAndCompress({ beforeSend: true });
  expect(small.view()).not.toContainEqual(first);
  const wide = ContextManager.restore(small.snapshot(), { config: { contextWindow: 5_000 } });
  await wide.checkAndCompress({ beforeSend: true });
  expect(wide.view()).toEqual(messages);
});
