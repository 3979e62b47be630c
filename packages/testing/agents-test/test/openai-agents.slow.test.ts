import { isDeepStrictEqual } from 'node:util';
import { type AgentsSdkOptions, agentsSdkAgent, measuredRun, setUpOptions } from '@ctx/agents-test';
import { contextFetch } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/servers';
import { MemorySession } from '@openai/agents';

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = setUpOptions.config.contextWindow;
/** Twelve tasks: a prompt, four rounds with reasoning, three with a text and four calls with results, and a final text. */
const itemsOfAll = 12 * 17;
const overflowAt = [6, 20, 33];

/** A run with the items that it or its session holds in the end. */
async function runOf(options: Partial<AgentsSdkOptions>, server: ModelServerOptions = {}) {
  let items: readonly unknown[] = [];
  const run: typeof agentsSdkAgent = async (where) => {
    const done = await agentsSdkAgent({ ...where, ...options });
    items = done.history;
    return done;
  };
  return { ...(await measuredRun({ name: 'openai agents', api: 'responses', run }, server)), items };
}

/** Items as they were said, without the ids that the server makes up. */
const said = (items: readonly unknown[]): unknown =>
  JSON.parse(
    JSON.stringify(items, (key, value) =>
      ['id', 'callId', 'providerData'].includes(key) ? undefined : value,
    ),
  );

test.each([
  ['generated', false, false],
  ['streamed', true, false],
  ['with a session', false, true],
])(
  'with contextFetch, %s, it does all its work, recovers from overflows, and keeps all items',
  async (_, streamed, inSession) => {
    const how = () => ({ streamed, ...(inSession && { session: new MemorySession() }) });
    const whole = await runOf(how());
    const fetch = contextFetch({ ...setUpOptions, onWarning: () => {} });
    const overflowBy = streamed ? 'stream' : 'status';
    const run = await runOf({ ...how(), fetch }, { window, overflowAt, overflowBy });
    expect(run).toMatchObject({ finished: 12, errors: [], lost: [], accepted: 12 * 4, invalid: 0 });
    expect(run).toMatchObject({ otherwiseRefused: 0, overflowed: overflowAt.length });
    expect(run.largest).toBeLessThan(whole.largest / 4);
    expect(run.items).toHaveLength(itemsOfAll);
    expect(isDeepStrictEqual(said(run.items), said(whole.items))).toBe(true);
  },
);
