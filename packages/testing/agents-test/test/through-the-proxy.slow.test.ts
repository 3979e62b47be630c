import { agents, measuredRun } from '@ctx/agents-test';
import { expectWhole, throughProxy } from './kit.js';

const window = 12_000;
const overflowAt = [5, 22, 41];

/** One for each form of requests; what else SDKs do is tried with `contextFetch`. */
const providers = ['openai chat', 'openai responses', 'anthropic', 'google', 'ollama'];
const chosen = providers.map((name) => `${name}, streamed`);

describe.each(
  agents.filter(({ name }) => chosen.includes(name)).map((agent) => [agent.name, agent] as const),
)('%s through the proxy', (_name, agent) => {
  test('finishes everything, overflows told in streams', async () => {
    const warnings: string[] = [];
    const fetch = throughProxy({
      config: { contextWindow: window },
      onWarning: ({ code }) => void warnings.push(code),
    });
    const options = { window, overflowAt, overflowBy: 'stream', chunkBytes: 7 } as const;
    const run = await measuredRun(agent, options, { fetch });
    expectWhole(run, overflowAt.length);
    expect(warnings).toEqual([]);
    expect(run.largest).toBeLessThanOrEqual(window);
  });
});
