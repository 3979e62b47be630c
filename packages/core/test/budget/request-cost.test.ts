import type { Config, ContextManager, Edit, Message } from '@ctx/core';
import { assistant, call, deepFreeze, managerOf, result, transcript, user, words } from '@ctx/testing';
import {
  type CachePrices,
  type RequestCost,
  type RequestMessage,
  requestCost,
} from '../../src/budget/request-cost.js';
import { drop, planner, planning } from '../edits.js';

const prices: CachePrices = { cacheRead: 0.1, cacheWrite: 1.25 };

const said = (message: Message, tokens: number): RequestMessage => deepFreeze({ message, tokens });

/** Two rounds of question and answer, and a question that has not been sent yet. */
const [question, answer, second, secondAnswer, newest] = [
  said(user('why?'), 1000),
  said(assistant('because'), 200),
  said(user('and then?'), 3000),
  said(assistant('nothing'), 400),
  said(user('go on'), 50),
] as const;
const conversation = deepFreeze([question, answer, second, secondAnswer, newest]);

const cost = (after: readonly RequestMessage[], over: Partial<CachePrices> = {}, fixedTokens = 100) =>
  requestCost(deepFreeze({ before: conversation, after, fixedTokens }), { ...prices, ...over });

function expectCost(actual: RequestCost, expected: RequestCost): void {
  expect(actual.breakEvenRequests).toBe(expected.breakEvenRequests);
  for (const key of Object.keys(expected) as (keyof RequestCost)[])
    expect([key, actual[key]]).toEqual([
      key,
      expected[key] === null ? null : expect.closeTo(expected[key], 6),
    ]);
}

describe('by hand', () => {
  test('dropping the oldest leaves only the tools in the cache', () => {
    // In the cache: 100 + 1000 + 200 + 3000 = 4300. New on both sides: 400 + 50.
    expectCost(cost([second, secondAnswer, newest]), {
      prefixTokens: 100,
      rewrittenTokens: 3000,
      withoutCompression: 4300 * 0.1 + 450 * 1.25,
      withCompression: 100 * 0.1 + 3450 * 1.25,
      savedPerRequest: 1200 * 0.1,
      // It costs 3330 more, and later requests cost 120 less: that takes 27.75 requests after the first.
      breakEvenRequests: 29,
    });
  });

  test('shortening the newest cached message leaves everything before it cached', () => {
    const shortened = said(user('and?'), 500);
    expectCost(cost([question, answer, shortened, secondAnswer, newest]), {
      prefixTokens: 1300,
      rewrittenTokens: 0,
      withoutCompression: 430 + 562.5,
      withCompression: 130 + 950 * 1.25,
      savedPerRequest: 250,
      // It costs 325 more, and later requests cost 250 less.
      breakEvenRequests: 3,
    });
  });

  test('a conversation that was never answered is not in the cache', () => {
    const before = [question, second];
    expectCost(requestCost(deepFreeze({ before, after: [second], fixedTokens: 100 }), prices), {
      prefixTokens: 100,
      rewrittenTokens: 0,
      withoutCompression: 4100 * 1.25,
      withCompression: 3100 * 1.25,
      savedPerRequest: 100,
      breakEvenRequests: 1,
    });
  });

  test('if a conversation begins with an answer, its tools are in the cache', () => {
    const before = [answer, newest];
    const { withoutCompression } = requestCost({ before, after: before, fixedTokens: 100 }, prices);
    expect(withoutCompression).toBeCloseTo(100 * 0.1 + 250 * 1.25);
  });

  test.each<[string, Partial<CachePrices>, number | null]>([
    ['reading from the cache is free: it never pays', { cacheRead: 0 }, null],
    ['writing costs nothing extra: sooner', { cacheWrite: 1 }, 23],
    ['the discount is a half: soon', { cacheRead: 0.5, cacheWrite: 1 }, 3],
    ['there is no cache: at once', { cacheRead: 1, cacheWrite: 1 }, 1],
    ['nothing costs anything: at once', { cacheRead: 0, cacheWrite: 0 }, 1],
  ])('if %s', (_title, over, requests) => {
    expect(cost([second, secondAnswer, newest], over).breakEvenRequests).toBe(requests);
  });

  test('binary fractions do not delay a break-even that falls exactly on a request', () => {
    const [first, middle, reply] = [said(user('a'), 100), said(user('b'), 200), said(assistant('c'), 0)];
    const { breakEvenRequests } = requestCost(
      { before: [first, middle, reply], after: [middle, reply], fixedTokens: 0 },
      { cacheRead: 0.1, cacheWrite: 0.85 },
    );
    // 200 × 0.85 − 300 × 0.1 = 140, and each later request saves 100 × 0.1 = 10: 14 requests after the first.
    expect(breakEvenRequests).toBe(15);
  });

  test('a message rebuilt with the same fields is the same message', () => {
    const rebuilt = conversation.map(({ message, tokens }) => ({
      message: structuredClone(message),
      tokens,
    }));
    expect(cost(rebuilt).prefixTokens).toBe(4750);
  });
});

describe('a manager', () => {
  const rounds = transcript(
    user(words(10)),
    call('a', 'read'),
    result('a', words(100)),
    assistant(words(20)),
    user(words(30)),
    call('b', 'read'),
    result('b', words(200)),
  );

  async function compressed(edits: readonly Edit[], config: Config = {}): Promise<ContextManager> {
    const manager = managerOf(rounds, { config });
    manager.setTools('five words of a tool');
    await manager.compress({ strategy: planning(...edits), targetTokens: 0 });
    return manager;
  }

  test('adds up its compressions, including undone ones', async () => {
    const manager = await compressed([drop('m2', 'm3')]);
    await manager.compress({ strategy: planning(drop('m1')), targetTokens: 0 });
    const costs = manager.history.map((record) => record.cost as RequestCost);
    expect(costs).toHaveLength(2);
    const { cost: sum } = manager.stats();
    for (const key of ['prefixTokens', 'rewrittenTokens', 'withoutCompression', 'withCompression'] as const)
      expect(sum[key]).toBeCloseTo(costs.reduce((all, one) => all + one[key], 0));
    const needed = sum.breakEvenRequests as number;
    const balance = (each: number) =>
      costs.reduce(
        (all, one) => all + one.withoutCompression - one.withCompression + (each - 1) * one.savedPerRequest,
        0,
      );
    expect(balance(needed)).toBeGreaterThanOrEqual(0);
    expect(balance(needed - 1)).toBeLessThan(0);
    manager.undo('compression-1');
    expect(manager.stats().cost).toEqual(sum);
  });

  test('counts the whole request, with overhead, tools and marker', async () => {
    const config: Config = {
      marker: true,
      overhead: { message: 3, conversation: 7 },
      prices: { cacheRead: 1, cacheWrite: 1 },
    };
    const manager = await compressed([drop('m2', 'm3')], config);
    const [record] = manager.history;
    expect(manager.view()).toHaveLength(6);
    expect(record?.cost).toMatchObject({
      withoutCompression: record?.tokensBefore,
      withCompression: record?.tokensAfter,
    });
  });

  test('compares the views at the moment the edits apply, including messages appended meanwhile', async () => {
    const manager = managerOf(rounds);
    const late = planner('late', () => {
      manager.append(user(words(40)));
      return [drop('m4')];
    });
    await manager.compress({ strategy: late, targetTokens: 0 });
    const { savedPerRequest, withCompression, rewrittenTokens } = manager.stats().cost;
    expect([savedPerRequest, rewrittenTokens]).toEqual([expect.closeTo(0.1 * 20), 30]);
    // Read: 10 + 1 + 101. Written: the task (30), the call (1), the result (201), and the late message (40).
    expect(withCompression).toBeCloseTo(0.1 * 112 + 1.25 * 272);
  });
});
