import { newerRuns, newNode } from '@ctx/agents-test';

const node = newNode();
const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const title = (name: string) => (node === undefined ? `${name} (skipped: ${missing})` : name);
const forced = [5, 20, 33];

(node === undefined ? test.skip : test).each(['status', 'stream'] as const)(
  title('AI SDK 7 with middleware does all its work in a small window; overflows by %s are recovered'),
  (overflowBy) => {
    const options = { window: 12_000, overflowAt: forced, overflowBy, chunkBytes: 5 };
    const reports = newerRuns('middleware', options);
    expect(reports.map(({ agent }) => agent)).toEqual([
      'chat, generated',
      'chat, streamed',
      'responses, generated',
      'responses, streamed',
      'messages, generated',
      'messages, streamed',
    ]);
    for (const { agent, largest, transcripts, problems, ...report } of reports) {
      expect({ agent, ...report }).toEqual({
        agent,
        errors: [],
        warnings: [],
        finished: 12,
        lost: [],
        accepted: 48,
        overflowed: forced.length,
        otherwiseRefused: 0,
        invalid: 0,
      });
      expect(problems).toHaveLength(forced.length);
      expect(largest).toBeLessThanOrEqual(options.window);
      expect(transcripts).toHaveLength(1);
      const [{ users, calls, results } = { users: 0, calls: [], results: [] }] = transcripts;
      expect([users, calls.length, new Set(calls).size, results]).toEqual([12, 48, 48, calls]);
    }
  },
);
