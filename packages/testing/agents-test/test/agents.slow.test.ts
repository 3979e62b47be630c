import { agents, bedrock, bedrockStreamed, measuredRun, newerAgents } from '@ctx/agents-test';
import { named } from '../src/agents.js';
import { expectWhole } from './kit.js';

/** Google's own way to the global one looks for a symbol of undici's that jest's global does not have. */
const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

describe.each([
  ...agents,
  ...newerAgents,
  named('bedrock', 'converse', bedrock()),
  named('bedrock, streamed', 'converse', bedrockStreamed()),
])('$name', (agent) => {
  test('does all its work, and the server refuses nothing', async () => {
    expectWhole(await measuredRun(agent, { chunkBytes: 7 }, { fetch }));
  });

  test('stops at a request that is too long, and at one that is said to be', async () => {
    const errors = [expect.any(String)];
    const { finished, ...long } = await measuredRun(agent, { window: 12_000 }, { fetch });
    expect(long).toMatchObject({ overflowed: 1, invalid: 0, errors });
    expect(finished).toBeLessThan(12);
    const told = await measuredRun(agent, { overflowAt: [3], overflowBy: 'stream' }, { fetch });
    expect(told).toMatchObject({ accepted: 2, overflowed: 1, finished: 0, errors });
  });
});
