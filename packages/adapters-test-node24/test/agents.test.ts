import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type AgentReport, newNode } from '@ctx/adapters-test-node24';

const node = newNode();
const main = join(__dirname, '../dist/main.js');

/** What the agents did, in a process of their own, because this Node may be too old for their SDKs. */
function reports(options: object): AgentReport[] {
  const output = execFileSync(String(node), [main, JSON.stringify(options)], { encoding: 'utf8' });
  return JSON.parse(output) as AgentReport[];
}

const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const testWithNode = node === undefined ? test.skip : test;
const title = (name: string) => (node === undefined ? `${name} (skipped: ${missing})` : name);

testWithNode(title('the agents that need a newer Node do all their work'), () => {
  const done = reports({ chunkBytes: 5 });
  expect(done.map(({ agent }) => agent)).toHaveLength(9);
  for (const report of done) {
    const { agent, errors, problems, refused, accepted, toolCalls } = report;
    expect({ agent, errors, problems, refused, accepted, toolCalls }).toEqual({
      agent,
      errors: [],
      problems: [],
      refused: 0,
      accepted: 48,
      toolCalls: 48,
    });
    expect(report.texts.map((text) => text.replace(/:.*/, ''))).toEqual(
      Array.from({ length: 12 }, (_, at) => `Done – Task ${at + 1}`),
    );
  }
});

testWithNode(title('they stop at a request that is too long'), () => {
  for (const { agent, overflowed, invalid, errors, texts } of reports({ window: 12_000 })) {
    expect({ agent, overflowed, invalid, errors: errors.length }).toEqual({
      agent,
      overflowed: 1,
      invalid: 0,
      errors: 1,
    });
    expect(texts.length).toBeLessThan(12);
  }
});
