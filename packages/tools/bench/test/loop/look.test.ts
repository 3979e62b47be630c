import { reducing } from '../../src/candidates/candidate.js';
import { loadCounter } from '../../src/index.js';
import { type AgentRun, runAgent } from '../../src/loop/agent-run.js';
import { type Holder, holderOf, nobody, ours } from '../../src/loop/holder.js';
import type { Scenario } from '../../src/loop/scenario.js';

/** A rule that is said first, with a file of rules; two tasks one after another; "Yes, go on." in the middle of the second one. */
const twoTasks: Scenario = {
  name: 'two tasks',
  files: 12,
  lines: 40,
  facts: 2,
  rules: 1,
  fixedTokens: 3_000,
  testLines: 20,
  tasks: 2,
  rulesFileTokens: 1_000,
};
/** The number of requests: one for the rule, each fact and question; three for each file, the last word on each task, and the question halfway. */
const needed = 1 + 2 + 2 + 3 * 12 + 2 + 1;
const blameless = {
  end: 'done',
  parts: 12,
  requests: needed,
  readsAgain: 0,
  blindEdits: 0,
  doneAgain: 0,
  rulesBroken: 0,
  questions: 0,
  lacks: { task: 0, rules: 0, rulesFile: 0 },
};

async function look(holder: Holder, window?: number): Promise<AgentRun> {
  const tokensOf = await loadCounter();
  return runAgent(twoTasks, holder, { tokensOf, ...(window && { window }), mostRequests: 3 * needed });
}

/** Ours before a server that refuses some requests, by their numbers, without a word of their size. */
const refusing = (...numbers: readonly number[]): Holder => ({
  ...ours,
  open(task) {
    let requests = 0;
    const message = 'Your input exceeds the context window of this model.';
    const refusal = { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } };
    const send: typeof fetch = async (input, init) => {
      requests += 1;
      return numbers.includes(requests) ? Response.json(refusal, { status: 400 }) : task.send(input, init);
    };
    return ours.open({ ...task, send });
  },
});

describe('an agent with two tasks, a rule and a file of rules', () => {
  test('sees all of them in each request without a limit', async () => {
    expect(await look(nobody)).toMatchObject(blameless);
  });

  test.each([9_000, 10_000, 12_000, 14_000])('sees all of them in a window of %d tokens', async (window) => {
    expect(await look(ours, window)).toMatchObject(blameless);
  });

  test('goes on after the second request and one in the middle were refused', async () => {
    const { lacks, requests, ...run } = await look(refusing(2, 25), 20_000);
    expect(run).toMatchObject({ end: 'done', parts: 12, blindEdits: 0, doneAgain: 0 });
    expect(lacks.task).toBe(0);
    expect(requests).toBeLessThanOrEqual(needed * 1.1);
  });

  test('is seen to lack what was cut off', async () => {
    const holder = holderOf(
      reducing('broken', 'baseline', (messages) => messages.filter((_, at) => at !== 1)),
    ) as Holder;
    const { lacks, requests } = await look(holder, 14_000);
    expect(lacks.rules).toBeGreaterThan(0);
    expect(lacks.rulesFile).toBe(lacks.rules);
    expect(lacks.rules).toBeLessThanOrEqual(requests);
  });
});
