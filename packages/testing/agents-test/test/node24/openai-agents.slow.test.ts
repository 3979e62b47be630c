import { isDeepStrictEqual } from 'node:util';
import { newerRuns, newNode } from '@ctx/agents-test';
import type { AgentsSdkOrder, AgentsSdkRun } from '../../src/node24/agents-sdk-run.js';

const node = newNode();
const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const testWithNode = node === undefined ? test.skip : test;
const title = (name: string) => (node === undefined ? `${name} (skipped: ${missing})` : name);

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = 12_000;
/** Twelve tasks: a prompt, four rounds with reasoning, three with a text and four calls with results, and a final text. */
const itemsOfAll = 12 * 17;
const overflowAt = [6, 20, 33];

/** What the same run does without ctx and without a limit. */
const unlimited = new Map<string, AgentsSdkRun>();
function unlimitedRun({ session = false, streamed = false }: AgentsSdkOrder): AgentsSdkRun {
  const key = JSON.stringify({ session, streamed });
  const known = unlimited.get(key) ?? newerRuns('agents-sdk', { session, streamed });
  unlimited.set(key, known);
  return known;
}

/** Items as they were said, without the ids that the server makes up. */
const said = (items: readonly object[]): unknown =>
  JSON.parse(
    JSON.stringify(items, (key, value) =>
      ['id', 'callId', 'providerData'].includes(key) ? undefined : value,
    ),
  );

const done = { finished: 12, errors: [], lost: [], accepted: 12 * 4, invalid: 0, otherwiseRefused: 0 };

testWithNode(title('an agent without ctx stops at the window'), () => {
  const { overflowed, errors } = newerRuns('agents-sdk', { server: { window } });
  expect({ overflowed, errors: errors.length }).toEqual({ overflowed: 1, errors: 1 });
});

testWithNode.each<[string, AgentsSdkOrder]>([
  ['generated', { managed: true, server: { window, overflowAt } }],
  ['streamed', { managed: true, streamed: true, server: { window, overflowAt, overflowBy: 'stream' } }],
  ['with a session', { managed: true, session: true, server: { window, overflowAt } }],
])(
  title('with contextFetch, %s, it does all its work, recovers from overflows, and keeps all items'),
  (_, order) => {
    const whole = unlimitedRun(order);
    const run = newerRuns('agents-sdk', order);
    expect(run).toMatchObject({ ...done, overflowed: overflowAt.length });
    expect(run.largest).toBeLessThan(whole.largest / 4);
    expect(run.items).toHaveLength(itemsOfAll);
    expect(isDeepStrictEqual(said(run.items), said(whole.items))).toBe(true);
  },
);
