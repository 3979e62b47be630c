import { measuredRun, ollamaCut } from '@ctx/agents-test';
import { contextFetch } from '@ctx/fetch';
import { expectWhole } from './kit.js';

const agent = { name: 'ollama', api: 'ollama', run: ollamaCut } as const;

test('a request of an agent that is longer than num_ctx is cut, and the agent is not told', async () => {
  const { errors, overflowed, problems } = await measuredRun(agent);
  expect(errors).toEqual([]);
  expect(overflowed).toBeGreaterThan(20);
  expect(problems[0]).toMatch(/tokens were cut to 12000/);
});

test('with contextFetch num_ctx is the window of its requests, so that nothing is cut', async () => {
  const warnings: string[] = [];
  const fetch = contextFetch({ onWarning: ({ code }) => warnings.push(code) });
  const run = await measuredRun(agent, { chunkBytes: 7 }, { fetch });
  expectWhole(run);
  expect(warnings).toEqual([]);
  expect(run.largest).toBeGreaterThan(4_000);
});
