import fc from 'fast-check';
import { apis } from './apis.js';
import { answerTo, type Json } from './post.js';

/** Calls of each round. */
const arbitraryRounds = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 });

test.each(Object.entries(apis))('%s: whole rounds are accepted, and no half of one is', async (_, api) => {
  const server = await api.start();
  await fc.assert(
    fc.asyncProperty(arbitraryRounds, fc.nat(), async (rounds, seed) => {
      const items = rounds.flatMap((calls, round) =>
        api.round({ ids: Array.from({ length: calls }, (_, at) => `call_${round}_${at}`) }),
      );
      const ask = (list: Json[]) =>
        answerTo(server, api.path, api.body([api.user('Look.'), ...list]), api.headers);
      const whole = await ask(items);
      expect(whole.json.error ?? undefined).toBeUndefined();
      const { status } = await ask(items.filter((_, at) => at !== seed % items.length));
      expect(status).toBe(400);
    }),
    { numRuns: 9 },
  );
  await server.close();
});
