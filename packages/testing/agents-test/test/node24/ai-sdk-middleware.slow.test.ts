import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type ManagedReport, newNode } from '@ctx/agents-test';

const node = newNode();
const main = join(__dirname, '../../dist/node24/middleware-main.js');
const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const title = (name: string) => (node === undefined ? `${name} (skipped: ${missing})` : name);
const forced = [5, 20, 33];

(node === undefined ? test.skip : test).each(['status', 'stream'])(
  title('AI SDK 7 with middleware does all its work in a small window; overflows by %s are recovered'),
  (overflowBy) => {
    const options = { window: 12_000, overflowAt: forced, overflowBy, chunkBytes: 5 };
    const output = execFileSync(String(node), [main, JSON.stringify(options)], { encoding: 'utf8' });
    const reports = JSON.parse(output) as ManagedReport[];
    expect(reports.map(({ agent }) => agent)).toEqual([
      'chat, generated',
      'chat, streamed',
      'responses, generated',
      'responses, streamed',
      'messages, generated',
      'messages, streamed',
    ]);
    for (const { agent, texts, transcripts, problems, ...report } of reports) {
      expect({ agent, ...report }).toEqual({
        agent,
        errors: [],
        // Who does not name the window when it refuses a request teaches one that is smaller.
        warnings: agent.startsWith('responses') ? ['window-learned'] : [],
        toolCalls: 48,
        accepted: 48,
        refused: forced.length,
        overflowed: forced.length,
        invalid: 0,
      });
      expect(problems).toHaveLength(forced.length);
      expect(texts.map((text) => text.replace(/:.*/, ''))).toEqual(
        Array.from({ length: 12 }, (_, at) => `Done – Task ${at + 1}`),
      );
      expect(transcripts).toHaveLength(1);
      const [{ users, calls, results } = { users: 0, calls: [], results: [] }] = transcripts;
      expect([users, calls.length, new Set(calls).size, results]).toEqual([12, 48, 48, calls]);
    }
  },
);
