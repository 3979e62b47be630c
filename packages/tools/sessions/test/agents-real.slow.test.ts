import { join } from 'node:path';
import { openaiCodec } from '@ctx/codec-openai';
import { type Message, toolCallsOf } from '@ctx/core';
import { readSession, readSessions } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { all, expectAccepted, expectSendable } from './session-file.js';

const data = join(__dirname, '../../../../../shared/data');

/** How many messages of each role, calls, reports of usage, tokens of input in all and of output in all. */
interface Counts {
  readonly skipped?: number;
  readonly system?: number;
  readonly user: number;
  readonly assistant: number;
  readonly tool: number;
  readonly calls: number;
  readonly usage?: number;
  readonly input?: number;
  readonly output?: number;
  /** For each compaction the number of messages before it, and of those that replaced them. */
  readonly compactions?: readonly (readonly [before: number, replacement: number])[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

async function countsOf(path: string): Promise<Counts & { format: string; skipped: number }> {
  const { format, messages, usage, compactions, skipped } = await readSession(path);
  const of = (role: Message['role']) => messages.filter((message) => message.role === role).length;
  return {
    format,
    skipped: skipped.length,
    ...(of('system') > 0 && { system: of('system') }),
    user: of('user'),
    assistant: of('assistant'),
    tool: of('tool'),
    calls: sum(messages.map((message) => toolCallsOf(message).length)),
    ...(usage !== undefined && {
      usage: usage.length,
      input: sum(usage.map(({ inputTokens }) => inputTokens)),
      output: sum(usage.map(({ outputTokens }) => outputTokens)),
    }),
    ...(compactions !== undefined && {
      compactions: compactions.map(({ before, replacement }) => [before.length, replacement.length] as const),
    }),
  };
}

const files: readonly (readonly [format: string, file: string, counts: Counts])[] = [
  [
    'claude-code',
    'claude-code/entire-cli-2026-01-22-0cf3db51.jsonl',
    {
      ...{ user: 2, assistant: 169, tool: 171, calls: 171, usage: 169, input: 18_975_058, output: 372 },
      compactions: [
        [53, 1],
        [168, 1],
      ],
    },
  ],
  [
    'claude-code',
    'claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl',
    {
      ...{ user: 2, assistant: 143, tool: 177, calls: 177, usage: 143, input: 16_003_493, output: 40_320 },
      compactions: [[160, 1]],
    },
  ],
  [
    'claude-code',
    'claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl',
    {
      ...{ user: 4, assistant: 217, tool: 242, calls: 242, usage: 217, input: 16_790_991, output: 49_467 },
      compactions: [[287, 1]],
    },
  ],
  [
    'claude-code',
    'claude-code/agent-a7be2f0.jsonl',
    { user: 1, assistant: 13, tool: 19, calls: 19, usage: 13, input: 313_135, output: 33 },
  ],
  [
    'pi',
    'pi/large-session.jsonl',
    {
      skipped: 14,
      user: 88,
      assistant: 439,
      tool: 373,
      calls: 391,
      usage: 439,
      input: 47_526_750,
      output: 83_156,
    },
  ],
  [
    'codex',
    'codex/agentv-019ed836.jsonl',
    { system: 1, user: 3, assistant: 11, tool: 21, calls: 23, usage: 10, input: 266_714, output: 2958 },
  ],
  [
    'codex',
    'codex/agentv-019f03e0.jsonl',
    {
      ...{ system: 1, user: 11, assistant: 181, tool: 177, calls: 177 },
      ...{ usage: 180, input: 11_070_182, output: 71_829 },
      compactions: [
        [112, 10],
        [138, 13],
      ],
    },
  ],
  [
    'copilot',
    'copilot/gatomia-vscode-378ab881.jsonl',
    { system: 1, user: 3, assistant: 13, tool: 33, calls: 33 },
  ],
  [
    'copilot',
    'made/copilot-cli-1.0.jsonl',
    {
      ...{ system: 1, user: 1, assistant: 9, tool: 9, calls: 9, usage: 9, input: 103_734, output: 677 },
      compactions: [
        [6, 2],
        [7, 2],
        [6, 2],
      ],
    },
  ],
  [
    'gemini',
    'gemini/session-bridge-914f3c63.json',
    { user: 1, assistant: 3, tool: 2, calls: 2, usage: 3, input: 62_714, output: 2916 },
  ],
  [
    'gemini',
    'gemini/session-bridge-d0ed8c54.json',
    { user: 3, assistant: 10, tool: 10, calls: 10, usage: 10, input: 248_924, output: 3467 },
  ],
  [
    'gemini',
    'made/gemini-cli-0.61.jsonl',
    {
      ...{ user: 3, assistant: 11, tool: 11, calls: 11, usage: 11, input: 140_464, output: 2125 },
      compactions: [
        [19, 6],
        [8, 8],
        [11, 11],
      ],
    },
  ],
  [
    'opencode',
    'opencode/gatomia-vscode-ses_20b57e9a4.json',
    { user: 1, assistant: 35, tool: 34, calls: 34, usage: 35, input: 1_553_603, output: 5066 },
  ],
  [
    'opencode',
    'opencode/gatomia-vscode-ses_21fe5dac1.json',
    { user: 1, assistant: 27, tool: 71, calls: 71, usage: 27, input: 2_459_892, output: 30_682 },
  ],
  [
    'opencode',
    'opencode/gatomia-vscode-ses_21fea93ac.json',
    { user: 1, assistant: 22, tool: 54, calls: 54, usage: 22, input: 2_031_710, output: 12_033 },
  ],
  [
    'opencode',
    'opencode/gatomia-vscode-ses_21ffb13ea.json',
    { user: 3, assistant: 14, tool: 28, calls: 28, usage: 14, input: 905_827, output: 7339 },
  ],
  [
    'opencode',
    'made/opencode-1.18.json',
    {
      ...{ user: 2, assistant: 9, tool: 9, calls: 9, usage: 9, input: 109_803, output: 641 },
      compactions: [[12, 2]],
    },
  ],
  [
    'pi',
    'made/pi-0.87.jsonl',
    {
      ...{ system: 1, user: 1, assistant: 26, tool: 29, calls: 29, usage: 26, input: 566_355, output: 2014 },
      compactions: [
        [41, 34],
        [41, 31],
      ],
    },
  ],
];

describe.each(files)('%s: %s', (format, name, counts) => {
  const file = join(data, name);

  testWithFiles('is read whole', [file], async () => {
    expect(await countsOf(file)).toEqual({ format, skipped: 0, ...counts });
    const session = await readSession(file);
    expectAccepted(session);
    // Results of parallel calls arrive in any order, and system prompts come first; everything else comes one after the other.
    const times = session.messages.flatMap(({ role, createdAt = [] }) =>
      role === 'tool' || role === 'system' ? [] : createdAt,
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  testWithFiles('both sides of its compactions can be sent', [file], async () => {
    const session = await readSession(file);
    for (const { at, before, replacement } of session.compactions ?? []) {
      const after = [...replacement, ...session.messages.slice(at)];
      for (const side of [before, after]) {
        expectAccepted({ ...session, messages: side, usage: [] });
        expectSendable(side);
      }
      expect(replacement.filter(({ summary }) => summary === true)).toHaveLength(1);
    }
  });
});

describe.each([
  ['tau-bench-airline', 29, 1150],
  ['swe-agent', 8, 201],
])('OpenAI: %s', (name, conversations, messages) => {
  const file = join(data, `openai-chat/${name}.jsonl`);
  testWithFiles('is read whole', [file], async () => {
    const sessions = await all(readSessions(file));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(conversations);
    expect(sessions.flatMap((session) => session.messages)).toHaveLength(messages);
    for (const session of sessions) {
      expectAccepted(session);
      expect(openaiCodec.validate(openaiCodec.fromMessages(session.messages))).toEqual([]);
    }
  });
});
