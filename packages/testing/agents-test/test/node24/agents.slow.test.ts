import { newerRuns, newNode, setUpRow } from '@ctx/agents-test';
import { documentedRows } from '../documented-rows.js';

const node = newNode();

const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const testWithNode = node === undefined ? test.skip : test;
const title = (name: string) => (node === undefined ? `${name} (skipped: ${missing})` : name);

const whole = { finished: 12, errors: [], accepted: 48, invalid: 0, otherwiseRefused: 0, lost: [] };

testWithNode(title('the agents that need a newer Node stop at a request that is too long'), () => {
  const done = newerRuns('agents', { window: 12_000 });
  expect(done).toHaveLength(10);
  for (const { agent, overflowed, invalid, errors, finished } of done) {
    expect({ agent, overflowed, invalid, errors: errors.length }).toEqual({
      agent,
      overflowed: 1,
      invalid: 0,
      errors: 1,
    });
    expect(finished).toBeLessThan(12);
  }
});

testWithNode(
  title('with any adapter they finish everything, overflows told in streams, as docs/adapters.md says'),
  () => {
    const done = newerRuns('set-ups');
    expect(done).toHaveLength(12);
    for (const { largest, problems, adapter, ...run } of done) {
      expect(run).toEqual({ agent: run.agent, ...whole, overflowed: 3 });
      expect(documentedRows).toContain(setUpRow({ largest, problems, ...run }, adapter));
    }
  },
);
