import { agents, measuredRun, setUpRow } from '@ctx/agents-test';
import { contextFetch } from '@ctx/fetch';
import { documentedRows } from './documented-rows.js';
import { expectWhole } from './kit.js';

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
      onWarning: ({ code }) => warnings.push(code),
    });
    const run = await measuredRun(agent, { window, overflowAt, ...told }, { fetch });
    expectWhole(run, overflowAt.length);
    // Larger requests were answered between the refusals: nothing is learned from them.
    expect(warnings).toEqual([]);
    expect(run.largest).toBeLessThanOrEqual(window);
    expect(run.largest).toBeGreaterThan(window / 4);
    expect(documentedRows).toContain(setUpRow(run, 'contextFetch'));
  });
});

/** One for each form of requests and refusals: some name the window; where they only say that it is full, a larger one is tried once. */
const refused: Readonly<Record<string, number>> = {
  'openai chat': 2,
  'openai chat, streamed': 2,
  'openai responses': 3,
  'openai responses, streamed': 3,
  'ai sdk, anthropic': 2,
  'ai sdk, anthropic streamed': 2,
  'google, streamed': 2,
  'ai sdk, bedrock streamed': 3,
};

test.each(agents.filter(({ name }) => name in refused).map((agent) => [agent.name, agent] as const))(
  '%s learns of two refusals that the window is smaller than configured, which is told once',
  async (name, agent) => {
    const warnings: string[] = [];
    const fetch = contextFetch({
      config: { contextWindow: 20_000 },
      onWarning: ({ code }) => warnings.push(code),
    });
    const run = await measuredRun(agent, { window, overflowBy: 'stream' }, { fetch });
    expect({ ...run, warnings }).toMatchObject({
      finished: 12,
      errors: [],
      overflowed: refused[name],
      otherwiseRefused: 0,
      lost: [],
      warnings: ['window-learned'],
    });
  },
);
