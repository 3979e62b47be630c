import { type NamedAgent, startServerFor, type Task, tasks, wireForms } from '@ctx/agents-test';
import { agentScript, type Script, type Turn } from '@ctx/servers';
import { throughProxy } from './kit.js';

/** Tokens. Small enough that the work of all tasks does not fit. */
const small = 6_500;
const all: Task[] = tasks(4).map(({ prompt }) => ({ prompt }));
const prompts = all.map(({ prompt }) => prompt);
const last = prompts.at(-1) as string;
/** What the first task read, and only that one. */
const early = "export const value17 = load('src/task-1-find-out-why-module-1-is-slow-a-1-0.ts', 17);";
const query = 'value17 task-1-find-out-why-module-1-is-slow-a-1-0.ts';
const recall = { name: 'recall', input: { query, maxTokens: 600 } };

/** Works on each task with the other tools; in the last task `first` says what comes before. */
const recalling =
  (first: (usual: Turn, round: number) => Turn | undefined, of = last): Script =>
  ({ tools, ...seen }) => {
    // An adapter may put an excerpt behind the prompt.
    const prompt = seen.said.findLast((text) => prompts.includes(text)) ?? '';
    const usual = agentScript()({ ...seen, prompt, tools: tools.filter((name) => name !== 'recall') });
    return (prompt === of ? first(usual, seen.round) : undefined) ?? usual;
  };

const alone = recalling((_, round) =>
  round === 0 ? { thinking: 'I saw that.', text: 'Moment …', calls: [recall] } : undefined,
);
const mixed = recalling((usual, round) =>
  round === 0 ? { ...usual, calls: [recall, ...usual.calls] } : undefined,
);
const twice = recalling((_, round) =>
  round < 2 ? { thinking: `Look ${round}.`, text: '', calls: [recall] } : undefined,
);
const silent = recalling((_, round) => (round === 0 ? { calls: [recall] } : undefined));

async function run(agent: NamedAgent, script: Script, window = small) {
  const warnings: unknown[] = [];
  const server = await startServerFor(agent, { window, script, chunkBytes: 11 });
  const fetch = throughProxy({
    recall: true,
    config: { contextWindow: window },
    onWarning: (warning) => void warnings.push(warning),
  });
  const done = await agent.run({ baseURL: server.url, fetch, tasks: all });
  await server.close();
  const bodies = server.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  return { ...done, bodies, warnings, problems: server.problems };
}

const listOf = (body: Record<string, unknown>) =>
  (body.messages ?? body.input ?? body.contents) as readonly unknown[];
/** What stands at other places in the next request. */
const plain = (entry: unknown) =>
  JSON.stringify(entry, (key, value: unknown) =>
    ['cache_control', 'id', 'status'].includes(key) ? undefined : value,
  );

/** Requests that do not begin with the one before them. */
const breaks = (bodies: readonly Record<string, unknown>[]) =>
  bodies.filter((body, at) => {
    const before = at === 0 ? [] : listOf(bodies[at - 1] as Record<string, unknown>).map(plain);
    return before.some((entry, index) => entry !== plain(listOf(body)[index]));
  }).length;

describe.each(wireForms.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  test.each([
    ['recalls by itself', alone, 4 * 4],
    ['recalls beside a tool of the agent', mixed, 4 * 4],
    ['recalls twice and says nothing', twice, 4 * 4],
    ['recalls without a word', silent, 4 * 4],
  ] as const)('%s', async (_case, script, requests) => {
    const { bodies, errors, warnings, problems, texts, history } = await run(agent, script);
    expect([errors, warnings, problems]).toEqual([[], [], []]);
    expect(texts.map((text) => text.split('Done')[1]?.replace(/:.*/s, ''))).toEqual(
      all.map((_task, at) => ` – Task ${at + 1}`),
    );
    expect(bodies).toHaveLength(requests);
    const said = bodies.map((body) => JSON.stringify(body));
    const called = bodies.map((body) => JSON.stringify(listOf(body)).includes('"name":"recall"'));
    expect(called.indexOf(true)).toBe(bodies.length - 3);
    // What left the view came back. Beside another result it is shortened again in some, as the window is small.
    if (script !== mixed) {
      expect(said.at(-3)).toContain('From earlier in this conversation, word for word.');
      expect(said.at(-3)).toContain(JSON.stringify(early).slice(1, -1));
    }
    // The tools are the beginning of the prompt: recall is there from the first request on.
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(JSON.stringify(bodies[0]?.tools)).toContain('"recall"');
    // The agent knows nothing of it.
    expect(JSON.stringify(history).match(/"recall"|.{40}word for word/)).toBeNull();
  });

  test('each request extends the one before it', async () => {
    const early = recalling(
      (usual, round) => (round === 0 ? { ...usual, calls: [recall, ...usual.calls] } : undefined),
      prompts[1],
    );
    const both: Script = (seen) => (seen.said.includes(prompts[2] as string) ? alone(seen) : early(seen));
    const { bodies, errors, problems } = await run(agent, both, 100_000);
    expect([errors, problems]).toEqual([[], []]);
    expect(breaks(bodies)).toBe(0);
    // Both calls are still there, each with its answer.
    const said = JSON.stringify(listOf(bodies.at(-1) as Record<string, unknown>));
    expect(said.split('"name":"recall"')).toHaveLength(agent.api === 'generate' ? 5 : 3);
    expect(said.match(/Nothing (has left|was found)/g)).toHaveLength(2);
  });
});
