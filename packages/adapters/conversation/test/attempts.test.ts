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
