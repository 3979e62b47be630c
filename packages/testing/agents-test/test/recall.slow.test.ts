import { agents, startServerFor } from '@ctx/agents-test';
import { memoryArchive } from '@ctx/archive';
import type { ContextManager } from '@ctx/core';
import { contextFetch } from '@ctx/fetch';
import { done, early, query, recallFirst, recallTasks } from './recalling.js';

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = 3_800;

const inputs = {
  'by words': { query, maxTokens: 600 },
  'with arguments of wrong types': { query, ref: '', kind: 'tool', maxTokens: '600', path: null },
};

describe.each(agents)('$name', (agent) => {
  // A call that came in a stream has the same arguments.
  const tried = Object.entries(inputs).slice(0, agent.name.endsWith('streamed') ? 1 : 2);
  test.each(tried)('recalls mid-run what left its view, %s', async (_args, input) => {
    const warnings: string[] = [];
    let manager: ContextManager | undefined;
    const fetch = contextFetch({
      archive: memoryArchive(),
      config: { contextWindow: window },
      onManager: (made) => {
        manager = made;
      },
      onWarning: ({ code }) => warnings.push(code),
    });
    const server = await startServerFor(agent, { window, script: recallFirst(input) });
    const recall = () => manager;
    const run = await agent.run({ baseURL: server.url, fetch, recall, tasks: recallTasks });
    await server.close();
    // Two of its results do not fit this window.
    expect([run.errors, warnings, server.problems]).toEqual([[], ['window-small'], []]);
    expect(run.texts.map((text) => text.replace(/:.*/, ''))).toEqual(done);
    const bodies = server.requests.map(({ body }) => body.toString());
    // Four tasks of four requests, the last one with a recall in place of its first call.
    expect(bodies).toHaveLength(4 * 4);
    const holding = bodies.map((body) => body.includes(early));
    expect(holding.slice(-4, -2)).toEqual([false, true]);
    expect(bodies.at(-3)).toContain('From earlier in this conversation, word for word.');
    // The tools are a prefix of the prompt: recall is there from the first request, and nothing changes.
    const declared = bodies.map((body) => {
      const { tools, toolConfig } = JSON.parse(body) as { tools: unknown; toolConfig: unknown };
      return JSON.stringify(tools ?? toolConfig);
    });
    expect(declared[0]).toContain('"recall"');
    expect(new Set(declared).size).toBe(1);
  });
});
