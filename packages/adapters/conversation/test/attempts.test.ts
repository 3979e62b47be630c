import type { StateStore } from '../src/index.js';
import { LearnedWindows } from '../src/learned-windows.js';
import { Turn } from '../src/turn.js';

/** A conversation that counts how often it is checked, and says so in what it sends. */
function counting() {
  let checks = 0;
  const conversation = {
    check: async () => {
      checks += 1;
    },
    request: () => `view ${checks}`,
    manager: { epoch: 0 },
  };
  return { conversation, checks: () => checks };
}

test('a request is prepared three times at most if another process is quicker each time', async () => {
  const { conversation, checks } = counting();
  const live = () => ({ says: () => true, conversation, preparing: 0, shared: {} });
  const owner = { shared: async () => live() };
  const turn = new Turn<string>(owner as never, live() as never, {} as never);
  expect(await turn.prepare()).toBe('view 3');
  expect(checks()).toBe(3);
});

test('and once if nobody else has compressed', async () => {
  const { conversation, checks } = counting();
  const live = { says: () => true, conversation, preparing: 0, shared: {} };
  const turn = new Turn<string>({ shared: async () => live } as never, live as never, {} as never);
  await turn.prepare();
  expect(checks()).toBe(1);
});

test('a learned window is written five times at most if another process has written each time', async () => {
  let puts = 0;
  const states: StateStore = {
    get: async () => ({ value: String(9_000 - puts), version: puts + 1 }),
    put: async () => {
      puts += 1;
      return false;
    },
  } as never;
  const windows = new LearnedWindows(states, () => {});
  const request = { provider: 'openai', model: 'local' };
  await windows.learn(request, 2_000);
  expect(puts).toBe(5);
  expect(await windows.of(request)).toBe(2_000);
});
