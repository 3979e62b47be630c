import { adaptedAgents, agents, measuredRun, newNode, setUpRow, setUpServer } from '@ctx/agents-test';
import { documentedRows } from './documented-rows.js';

test.each(adaptedAgents.map((agent) => [`${agent.name} with ${agent.adapter}`, agent] as const))(
  '%s finishes everything, as docs/adapters.md says',
  async (_, agent) => {
    const { lost, errors, ...run } = await measuredRun(agent, setUpServer);
    expect({ lost, errors }).toEqual({ lost: [], errors: [] });
    expect(documentedRows).toContain(setUpRow({ lost, errors, ...run }, agent.adapter));
  },
);

test('docs/adapters.md has a row for each set-up', () => {
  /** Those of Node 24, which its own test compares. */
  const newer = documentedRows.filter((row) =>
    /\| (openai 7|openai agents|google 3|ai sdk 7)\b[^|]*\|$/.test(row),
  );
  expect(new Set(documentedRows).size).toBe(documentedRows.length);
  expect(documentedRows).toHaveLength(agents.length + adaptedAgents.length + newer.length);
  expect(newNode() === undefined || newer.length > 0).toBe(true);
});
