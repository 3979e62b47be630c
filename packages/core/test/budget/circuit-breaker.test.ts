import { assistant, managerOf, user, words } from '@ctx/testing';
import { CircuitBreaker } from '../../src/budget/circuit-breaker.js';
import { defineStrategy, type PlanContext } from '../../src/index.js';
import { drop, planning, replace } from '../edits.js';

const idle = [0, 0, 0];
test.each<[reductions: number[], at: number, tokens: number, rests: boolean]>([
  [[0.01, 0.04], 1, 100, false],
  [[0.01, 0.04, 0], 1, 100, true],
  [idle, 59_999, 100, true],
  [idle, 60_000, 100, false],
  [idle, 1, 109, true],
  [idle, 1, 110, false],
  [[0, 0, 0.5, 0, 0], 1, 100, false],
])(
  'after compressions that free %j of 100 tokens, at %d ms and %d tokens none is made: %s',
  (all, at, tokens, rests) => {
    const breaker = new CircuitBreaker();
    for (const reduction of all) breaker.record(reduction, 0, 100);
    const reason = breaker.reason(at, tokens);
    if (rests) expect(reason).toMatch(/cooling down: the last 3 compressions/);
    else expect(reason).toBeUndefined();
    breaker.reset();
    expect(breaker.reason(at, tokens)).toBeUndefined();
  },
);

test('a stage that frees a single word each time is asked three times, then rests until the window is nearly full', async () => {
  let plans = 0;
  const nibble = defineStrategy({
    name: 'nibble',
    emits: ['replace'],
    plan({ view }: PlanContext) {
      plans += 1;
      const { id = '', tokens = 2 } = view.find(({ verbatim, tokens }) => !verbatim && tokens > 2) ?? {};
      return { edits: [replace(id, words(tokens - 1))] };
    },
  });
  const manager = managerOf([assistant(words(600)), user('go')], {
    strategies: [nibble],
    config: { contextWindow: 1000, trigger: { fraction: 0.5 } },
  });
  const reasons: string[] = [];
  for (let check = 0; check < 6; check += 1) {
    const { reason } = await manager.checkAndCompress();
    reasons.push(reason.split(':')[0] as string);
  }
  expect(plans).toBe(3);
  expect(reasons.slice(3)).toEqual(['cooling down', 'cooling down', 'cooling down']);
  manager.append(user(words(390)));
  await manager.checkAndCompress();
  expect(plans).toBe(4);
});

test('figures and status show what happened', async () => {
  const messages = Array.from({ length: 50 }, () => assistant(words(3000)));
  const manager = managerOf(messages, { config: { throttleMs: 0 }, now: 0 });
  expect(manager.status()).toEqual({
    contextUsage: '0%',
    messagesCount: 50,
    compressionCount: 0,
    lastCompression: 'never',
  });
  const oldest = Array.from({ length: 46 }, (_, at) => drop(`m${at + 1}`));
  await manager.compress({ strategy: planning(...oldest), targetTokens: 1 });
  expect(manager.stats()).toMatchObject({ compressions: 1, tokensRemoved: 138_000, messagesRemoved: 46 });
  await manager.compress({ strategy: planning(), targetTokens: 1 });
  expect(manager.status()).toMatchObject({
    messagesCount: 4,
    compressionCount: 1,
    lastCompression: 'just now',
  });
});
