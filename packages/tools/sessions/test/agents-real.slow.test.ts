import { join } from 'node:path';
import { type Message, toolCallsOf } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { expectAccepted, expectSendable } from './session-file.js';

const data = join(__dirname, '../../../../../shared/data');

/** How many messages of each role, calls, reports of usage, tokens of input in all and of output in all. */
interface Counts {
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
    'cline',
    'made/cline-3.0.messages.json',
    { user: 1, assistant: 17, tool: 19, calls: 19, usage: 17, input: 1_979_327, output: 1434 },
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
  [
    'qwen',
    'made/qwen-code-0.24.jsonl',
    {
      ...{ user: 1, assistant: 9, tool: 9, calls: 9, usage: 9, input: 170_457, output: 661 },
      compactions: [[5, 3]],
    },
  ],
];

describe.each(files)('%s: %s', (format, name, counts) => {
  const file = join(data, name);

  testWithFiles('is read whole', [file], async () => {
    expect(await countsOf(file)).toEqual({ format, skipped: 0, ...counts });
    expectAccepted(await readSession(file));
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
