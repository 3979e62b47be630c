import { and, assistant, call, deepFreeze, managerOf, result, user, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { ContextOverflowError, exchangesOf, type Message, messageText, partsOf } from '../../src/index.js';
import { drop, planner, replace } from '../edits.js';

const task = user('find out why the build fails');
const callsOf = (count: number) => Array.from({ length: count }, (_, at) => call(`new${at}`, 'read'));

/** A text of this many words, in lines of ten. */
const lined = (count: number, word: string) =>
  Array.from({ length: Math.ceil(count / 10) }, (_, at) => words(Math.min(10, count - at * 10), word)).join(
    '\n',
  );

/** Tokens of the task, of parallel calls and of their results, apart from the texts of the results. */
function tokensBeside(calls: number): number {
  const results = Array.from({ length: calls }, (_, at) => result(`new${at}`, ''));
  return managerOf([task, and(...callsOf(calls)), ...results]).stats().countedTokens;
}

/** Work that the model has read, and after it the results of parallel calls that it has not. */
function conversationOf(old: readonly number[], unread: readonly number[]): readonly Message[] {
  const read = old.flatMap((size, at) => [
    call(`old${at}`, 'read'),
    result(`old${at}`, lined(size, `old${at}`)),
  ]);
  const results = unread.map((size, at) => result(`new${at}`, lined(size, `new${at}`)));
  return deepFreeze([
    user('an older task'),
    assistant('done'),
    task,
    ...read,
    and(...callsOf(unread.length)),
    ...results,
  ]);
}

/** Shortens and drops whatever it can. */
const greedy = planner('greedy', ({ view }) => {
  const shortened = view.flatMap(({ id, message }) =>
    partsOf(message).map((_, part) => replace(id, 'x', part)),
  );
  const dropped = exchangesOf(view).map(({ messages }) => drop(...messages.map(({ id }) => id)));
  return [...shortened, ...dropped];
});

const share = (min: number, max: number) => fc.integer({ min, max }).map((percent) => percent / 100);
const conversations = fc
  .record({
    contextWindow: fc.integer({ min: 600, max: 5_000 }),
    reserve: fc.option(share(0, 40), { nil: undefined }),
    old: fc.array(share(1, 30), { maxLength: 6 }),
    unread: fc.array(share(1, 60), { minLength: 2, maxLength: 5 }),
  })
  .map(({ contextWindow, reserve, old, unread }) => {
    const tokens = (part: number) => Math.max(1, Math.floor(part * contextWindow));
    const kept = reserve === undefined ? 4_096 : tokens(reserve);
    const limit = contextWindow - Math.floor(Math.min(kept / 5, contextWindow / 10));
    const sizes = unread.map(tokens);
    const beside = tokensBeside(sizes.length);
    const staying = beside + sizes.reduce((sum, size) => sum + size, 0);
    const messages = conversationOf(old.map(tokens), sizes);
    return { contextWindow, reserve: reserve && kept, limit, sizes, beside, staying, messages };
  });

const inWindow = (one: { contextWindow: number; reserve: number | undefined }) => ({
  contextWindow: one.contextWindow,
  ...(one.reserve !== undefined && { reserve: one.reserve }),
});

describe('what the model has not read', () => {
  test('stays word for word at any target and in any window that it fits, whatever a strategy wants', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, share(0, 100), fc.boolean(), async (one, target, isByHand) => {
        fc.pre(one.staying <= one.limit);
        const { contextWindow, messages, sizes } = one;
        const manager = managerOf(messages, { strategies: [greedy], config: inWindow(one) });
        if (isByHand) await manager.compress({ targetTokens: Math.floor(target * contextWindow) });
        else await manager.checkAndCompress({ beforeSend: true });
        const view = manager.view();
        expect(view.slice(-sizes.length - 1)).toEqual(messages.slice(-sizes.length - 1));
        expect(view).toContain(task);
        expect(manager.stats().currentTokens).toBeLessThanOrEqual(one.limit);
      }),
      { numRuns: 67 },
    );
  });

  test('is cut only where it does not fit: the largest results to one size, by as little as that takes', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (one) => {
        fc.pre(one.staying > one.limit);
        const { sizes, limit, messages } = one;
        const manager = managerOf(messages, { config: inWindow(one) });
        await manager.checkAndCompress();
        const view = manager.view();
        const [said, shown] = [messages.slice(-sizes.length - 1), view.slice(-sizes.length - 1)];
        expect(view.slice(0, -sizes.length - 1)).toEqual([task]);
        expect(shown[0]).toBe(said[0]);
        const level = levelOf(sizes, limit - one.beside);
        for (const [at, size] of sizes.entries()) {
          const text = messageText(shown[at + 1] as Message);
          if (size <= level - leeway) expect(shown[at + 1]).toEqual(said[at + 1]);
          else if (size > level + leeway) {
            expect(text).toMatch(unreadMark);
            expect(Math.abs(wordCounter.count(text) - level)).toBeLessThanOrEqual(leeway * sizes.length);
          }
        }
        const { currentTokens } = manager.stats();
        expect(currentTokens).toBeLessThanOrEqual(limit);
        expect(currentTokens).toBeGreaterThan(limit - leeway * sizes.length);
      }),
      { numRuns: 67 },
    );
  });

  /** A text is cut at line breaks, and its mark is a line of its own. */
  const leeway = 25;
  const unreadMark =
    /^\[… [\d,]+ lines? \([\d,]+ tokens?\) left out, because they do not fit into the window: read them in parts …\]$/m;

  /** The size to which the largest of these have to be cut so that all together have this many tokens. */
  function levelOf(sizes: readonly number[], tokens: number): number {
    const sum = (level: number) => sizes.reduce((all, size) => all + Math.min(size, level), 0);
    let level = 0;
    while (sum(level + 1) <= tokens) level += 1;
    return level;
  }

  test('is word for word for a strategy too, unless it may be shortened', async () => {
    const seen: unknown[] = [];
    const looks = planner('looks', ({ view }) => {
      seen.push(view.at(-1)?.verbatim);
      return [];
    });
    for (const contextWindow of [5_000, 1_000])
      await managerOf(conversationOf([50], [700, 700]), { contextWindow }).compress({ strategy: looks });
    expect(seen).toEqual([true, false]);
  });
});

test('calls that may leave take no room from what must stay, whatever the provider adds for each', async () => {
  const messages = conversationOf([20, 20, 20, 20, 20, 20], [600]);
  const manager = managerOf(messages.slice(0, -2), {
    strategies: [greedy],
    config: { contextWindow: 1_000, prior: { offset: 0, factor: 1, perToolCall: 100 } },
  });
  manager.request();
  manager.reportUsage({ inputTokens: manager.stats().currentTokens });
  for (const message of messages.slice(-2)) manager.append(message);
  const { record } = await manager.checkAndCompress();
  expect(record?.relaxed).toBeUndefined();
  expect(manager.view().at(-1)).toEqual(messages.at(-1));
  expect(manager.stats().currentTokens).toBeLessThanOrEqual(900);
});

describe('before usage is reported', () => {
  const prior = { offset: 2_000, factor: 1.24, perToolCall: 0 };
  const managerIn = (contextWindow: number, ...messages: readonly Message[]) =>
    managerOf(deepFreeze(messages), { config: { contextWindow, prior } });

  test('a first message that fits by count is not cut, although the provider is expected to count more', async () => {
    const message = user(lined(9_000, 'log'));
    const manager = managerIn(10_000, message);
    expect(manager.stats().currentTokens).toBeGreaterThan(10_000);
    await manager.checkAndCompress({ beforeSend: true });
    expect(manager.view()).toEqual([message]);
    expect(manager.history).toEqual([]);
  });

  test('one that does not fit by count is cut to what fits by count', async () => {
    const manager = managerIn(10_000, user(lined(12_000, 'log')));
    await manager.checkAndCompress({ beforeSend: true });
    const { countedTokens } = manager.stats();
    expect(countedTokens).toBeLessThanOrEqual(10_000 - 819);
    expect(countedTokens).toBeGreaterThan(10_000 - 819 - 40);
  });

  test('an error is thrown only if what can not be cut is larger by count', async () => {
    const pinned = (tokens: number) => user(lined(tokens, 'rule'), { pinned: true });
    const fits = managerIn(10_000, pinned(9_900), assistant('yes'), user('go'));
    await fits.checkAndCompress();
    expect(fits.view()).toContainEqual(pinned(9_900));
    const tooLarge = managerIn(10_000, pinned(10_100), assistant('yes'), user('go'));
    await expect(tooLarge.checkAndCompress()).rejects.toThrow(ContextOverflowError);
  });

  test('and once it is reported, the provider’s measure decides', async () => {
    const config = { contextWindow: 10_000, prior: { offset: 0, factor: 1, perToolCall: 0 } };
    const manager = managerOf([user(lined(2_000, 'log'))], { minMessagesToKeep: 4, config });
    manager.view();
    expect(manager.reportUsage({ inputTokens: 2_600 })).toMatchObject({ used: true });
    manager.append(assistant('done'));
    const message = user(lined(9_000, 'trace'));
    manager.append(message);
    await manager.checkAndCompress();
    expect(manager.view()).not.toContain(message);
    expect(manager.view().at(-1)?.content).toMatch(/left out, because they do not fit/);
    expect(manager.stats().currentTokens).toBeLessThanOrEqual(10_000 - 819);
  });
});
