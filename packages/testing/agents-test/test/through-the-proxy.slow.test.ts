import { agents, measuredRun } from '@ctx/agents-test';
import { type RunningProxy, startProxy } from '@ctx/proxy';

const window = 12_000;
const overflowAt = [5, 22, 41];

/** One for each form of requests; what else SDKs do is tried with `contextFetch`. */
const chosen = [
  'openai chat, streamed',
  'openai responses, streamed',
  'anthropic, streamed',
  'google, streamed',
  'ollama, streamed',
];

describe.each(
  agents.filter(({ name }) => chosen.includes(name)).map((agent) => [agent.name, agent] as const),
)('%s through the proxy', (_name, agent) => {
  test('finishes everything, overflows told in streams', async () => {
    let proxy: RunningProxy | undefined;
    const warnings: string[] = [];
    const config = { contextWindow: window };
    const onWarning = ({ code }: { code: string }) => void warnings.push(code);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      proxy ??= await startProxy({ upstream: url.origin, port: 0, config, onWarning });
      const address = `${proxy.url}${url.pathname}${url.search}`;
      return globalThis.fetch(input instanceof Request ? new Request(address, input) : address, init);
    };
    const options = { window, overflowAt, overflowBy: 'stream', chunkBytes: 7 } as const;
    const run = await measuredRun(agent, options, { fetch });
    await proxy?.close();
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
    expect([problems.length, accepted]).toEqual([overflowAt.length, 48]);
    expect(largest).toBeLessThanOrEqual(window);
  });
});
