import { type NamedAgent, startServerFor, wireForms } from '@ctx/agents-test';
import type { Script, Turn } from '@ctx/servers';
import { throughProxy } from './kit.js';
import { done, early, prompts, query, recallFirst, recalling, recallTasks } from './recalling.js';

/** Tokens. Small enough that the work of all tasks does not fit. */
const small = 6_500;
const input = { query, maxTokens: 600 };
const recall = { name: 'recall', input };
const alone = recallFirst(input);
const beside = (usual: Turn, round: number) =>
  round === 0 ? { ...usual, calls: [recall, ...usual.calls] } : undefined;
const mixed = recalling(beside);
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
  const done = await agent.run({ baseURL: server.url, fetch, tasks: recallTasks });
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

describe.each(wireForms)('$name', (agent) => {
  test.each([
    ['by itself', alone],
    ['beside a tool of the agent', mixed],
    ['twice and says nothing', twice],
    ['without a word', silent],
  ] as const)('recalls %s', async (_case, script) => {
    const { bodies, errors, warnings, problems, texts, history } = await run(agent, script);
    expect([errors, warnings, problems]).toEqual([[], [], []]);
    expect(texts.map((text) => text.match(/Done – Task \d/)?.[0])).toEqual(done);
    expect(bodies).toHaveLength(4 * 4);
    const said = bodies.map((body) => JSON.stringify(body));
    const called = bodies.map((body) => JSON.stringify(listOf(body)).includes('"name":"recall"'));
    expect(called.indexOf(true)).toBe(bodies.length - 3);
    // What left the view came back. Beside another result it is shortened again in some, as the window is small.
    if (script !== mixed) {
      expect(said.at(-3)).toContain('From earlier in this conversation, word for word.');
      expect(said.at(-3)).toContain(early);
    }
    // The tools are the beginning of the prompt: recall is there from the first request on.
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(JSON.stringify(bodies[0]?.tools)).toContain('"recall"');
    // The agent knows nothing of it.
    expect(JSON.stringify(history).match(/"recall"|.{40}word for word/)).toBeNull();
  });

  test('each request extends the one before it', async () => {
    const second = recalling(beside, prompts[1]);
    const both: Script = (seen) => (seen.said.includes(prompts[2] as string) ? alone(seen) : second(seen));
    const { bodies, errors, problems } = await run(agent, both, 100_000);
    expect([errors, problems]).toEqual([[], []]);
    expect(breaks(bodies)).toBe(0);
    // Both calls are still there, each with its answer.
    const said = JSON.stringify(listOf(bodies.at(-1) as Record<string, unknown>));
    expect(said.split('"name":"recall"')).toHaveLength(agent.api === 'generate' ? 5 : 3);
    expect(said.match(/Nothing (has left|was found)/g)).toHaveLength(2);
  });
});
