import { agents, startServerFor } from '@ctx/agents-test';

/** Small enough that the work of all tasks does not fit. */
const smallWindow = 12_000;

/**
 * Counts what goes through it. Google's SDK needs one in any case: its own way to the global one looks for a symbol of undici's that
 * jest's global does not have.
 */
function countingFetch() {
  const counted = { sent: 0, fetch: globalThis.fetch };
  counted.fetch = (...request) => {
    counted.sent += 1;
    return globalThis.fetch(...request);
  };
  return counted;
}

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (_name, agent) => {
  test('does all its work, and the server refuses nothing', async () => {
    const server = await startServerFor(agent, { chunkBytes: 7 });
    const counted = countingFetch();
    const run = await agent.run({ baseURL: server.url, fetch: counted.fetch });
    await server.close();
    expect(run.errors).toEqual([]);
    expect(server.problems).toEqual([]);
    expect(run.texts.map((text) => text.replace(/:.*/, ''))).toEqual(
      Array.from({ length: 12 }, (_, at) => `Done – Task ${at + 1}`),
    );
    // Each task: three rounds of calls, one of them with two, and a final text.
    expect(run.toolCalls).toBe(12 * 4);
    expect(server).toMatchObject({ accepted: 12 * 4, refused: 0 });
    expect(counted.sent).toBe(12 * 4);
    expect(server.requests.every(({ raw, json }) => raw.length > 0 && json !== undefined)).toBe(true);
  });

  test('stops at a request that is too long, and at one that is said to be', async () => {
    const server = await startServerFor(agent, { window: smallWindow });
    const run = await agent.run({ baseURL: server.url, fetch: countingFetch().fetch });
    await server.close();
    expect(server).toMatchObject({ overflowed: 1, invalid: 0, refused: 1 });
    expect(run.errors).toHaveLength(1);
    expect(run.texts.length).toBeLessThan(12);
    const told = await startServerFor(agent, { overflowAt: [3], overflowBy: 'stream' });
    const { errors, texts } = await agent.run({ baseURL: told.url, fetch: countingFetch().fetch });
    await told.close();
    expect({ errors: errors.length, texts }).toEqual({ errors: 1, texts: [] });
    expect(told.requests.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'overflow']);
  });
});
