import { agents, measuredRun, setUpRow } from '@ctx/agents-test';
import { contextFetch } from '@ctx/fetch';
import { documentedRows } from './documented-rows.js';

const window = 12_000;
/** Requests that are refused as too long although they fit: a first one, one in the middle of a task, and one when much has left. */
const overflowAt = [5, 22, 41];

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s with contextFetch', (_name, agent) => {
  const isStreamed = agent.name.endsWith('streamed');
  // Without a stream the overflow comes by status in any case.
  test.each([
    ...(isStreamed ? [['by status', { overflowBy: 'status' }] as const] : []),
    [
      `${isStreamed ? 'in streams' : 'by status'}, in answers that come compressed and in small pieces`,
      { overflowBy: 'stream', chunkBytes: 7, compress: true },
    ] as const,
  ])('finishes everything, overflows told %s', async (_told, told) => {
    const warnings: string[] = [];
    const fetch = contextFetch({
      config: { contextWindow: window },
      // What is said of a window as small as this, and learned of it, depends on what was refused.
      onWarning: ({ code }) => !code.startsWith('window-') && warnings.push(code),
    });
    const run = await measuredRun(agent, { window, overflowAt, ...told }, { fetch });
    const { largest, problems, accepted, ...rest } = run;
    expect({ ...rest, warnings }).toEqual({
      agent: agent.name,
      finished: 12,
      errors: [],
      invalid: 0,
      overflowed: overflowAt.length,
      otherwiseRefused: 0,
      lost: [],
      warnings: [],
    });
    expect(problems).toHaveLength(overflowAt.length);
    expect(accepted).toBe(48);
    expect(largest).toBeLessThanOrEqual(window);
    expect(largest).toBeGreaterThan(window / 4);
    expect(documentedRows).toContain(setUpRow(run, 'contextFetch'));
  });
});
