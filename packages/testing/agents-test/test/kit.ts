import type { MeasuredRun } from '@ctx/agents-test';
import { type ProxyOptions, type RunningProxy, startProxy } from '@ctx/proxy';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What is started, to be closed when the test has ended. */
export async function opened<One extends { close(): Promise<unknown> }>(
  starting: Promise<One>,
): Promise<One> {
  const one = await starting;
  closing.push(() => one.close());
  return one;
}

/** A `fetch` through a proxy, which its first request starts. */
export function throughProxy(options: ProxyOptions): typeof globalThis.fetch {
  let proxy: Promise<RunningProxy> | undefined;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    proxy ??= opened(startProxy({ upstream: url.origin, port: 0, ...options }));
    const address = `${(await proxy).url}${url.pathname}${url.search}`;
    return globalThis.fetch(input instanceof Request ? new Request(address, input) : address, init);
  };
}

/** Expects that an agent did all its work and lost nothing, although so many of its requests were refused as too long. */
export function expectWhole({ largest, problems, ...run }: MeasuredRun, overflowed = 0): void {
  expect(run).toEqual({
    agent: run.agent,
    finished: 12,
    errors: [],
    accepted: 48,
    invalid: 0,
    overflowed,
    otherwiseRefused: 0,
    lost: [],
  });
  expect(problems).toHaveLength(overflowed);
}
