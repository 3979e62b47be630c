import { agents, startServerFor, type Task, tasks } from '@ctx/agents-test';
import { memoryArchive } from '@ctx/archive';
import type { ContextManager } from '@ctx/core';
import { contextFetch } from '@ctx/fetch';
import { agentScript, type Script } from '@ctx/servers';

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = 3_800;
const all: Task[] = tasks(4).map(({ prompt }) => ({ prompt }));
const prompts = all.map(({ prompt }) => prompt);
const last = prompts.at(-1);
/** What the first task read, and only that one. */
const early = "export const value17 = load('src/task-1-find-out-why-module-1-is-slow-a-1-0.ts', 17);";

const query = 'task-1-find-out-why-module-1-is-slow-a-1-0.ts value17';
const wrongTypes = { query, ref: '', kind: 'tool', maxTokens: '600', path: null };

/** Works on each task with the other tools; in the last task it first recalls what the first one read. */
const recalling =
  (input: Readonly<Record<string, unknown>>): Script =>
  ({ tools, ...seen }) => {
    // An adapter may put an excerpt behind the prompt.
    const prompt = seen.said.findLast((text) => prompts.includes(text)) ?? '';
    if (prompt === last && seen.round === 0)
      return { thinking: 'I saw that.', text: 'Moment …', calls: [{ name: 'recall', input }] };
    return agentScript()({ ...seen, prompt, tools: tools.filter((name) => name !== 'recall') });
  };

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['by words', { query: 'value17 task-1-find-out-why-module-1-is-slow-a-1-0.ts', maxTokens: 600 }],
    // A call that came in a stream has the same arguments.
    ...(agent.name.endsWith('streamed')
      ? []
      : [['with arguments of wrong types', wrongTypes] as [string, typeof wrongTypes]]),
  ])('recalls mid-run what left its view, %s', async (_args, input) => {
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
    const server = await startServerFor(agent, { window, script: recalling(input) });
    const recall = () => manager;
    const run = await agent.run({ baseURL: server.url, fetch, recall, tasks: all });
    await server.close();
    // Two of its results do not fit this window.
    expect([run.errors, warnings, server.problems]).toEqual([[], ['window-small'], []]);
    expect(run.texts.map((text) => text.replace(/:.*/, ''))).toEqual(
      all.map((_task, at) => `Done – Task ${at + 1}`),
    );
    const bodies = server.requests.map(({ body }) => body.toString());
    // Four tasks of four requests, the last one with a recall in place of its first call.
    expect(bodies).toHaveLength(4 * 4);
    const inJson = JSON.stringify(early).slice(1, -1);
    const holding = bodies.map((body) => body.includes(inJson));
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
