import {
  adaptedAgents,
  agents,
  measuredRun,
  newerAgents,
  setUpOptions,
  setUpRow,
  setUpServer,
} from '@ctx/agents-test';
import { contextFetch } from '@ctx/fetch';
import { documentedRows } from './documented-rows.js';

test.each([
  ...adaptedAgents.map((agent) => [agent.name, agent.adapter, agent] as const),
  ...newerAgents.map((agent) => [agent.name, 'contextFetch', agent] as const),
])('%s with %s finishes everything, as docs/adapters.md says', async (_, adapter, agent) => {
  const fetch = contextFetch({ ...setUpOptions, onWarning: () => {} });
  const options = adapter === 'contextFetch' ? { fetch } : {};
  const { lost, errors, ...run } = await measuredRun(agent, setUpServer, options);
  expect({ lost, errors }).toEqual({ lost: [], errors: [] });
  expect(documentedRows).toContain(setUpRow({ lost, errors, ...run }, adapter));
});

test('docs/adapters.md has a row for each set-up', () => {
  expect(new Set(documentedRows).size).toBe(documentedRows.length);
  expect(documentedRows).toHaveLength(agents.length + newerAgents.length + adaptedAgents.length);
});
