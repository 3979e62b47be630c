import { join } from 'node:path';
import { openaiCodec } from '@ctx/codec-openai';
import { type Message, toolCallsOf } from '@ctx/core';
import { readSession, readSessions } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { all, expectAccepted, expectComesBack, expectSendable } from './session-file.js';

const data = join(__dirname, '../../../../../shared/data');

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The row of a file. */
async function rowOf(path: string, file: string): Promise<string[]> {
  const { format, messages, usage = [], compactions = [], skipped } = await readSession(path);
  const of = (role: Message['role']) => messages.filter((message) => message.role === role).length;
  const figures = [
    skipped.length,
    ...(['system', 'user', 'assistant', 'tool'] as const).map(of),
    sum(messages.map((message) => toolCallsOf(message).length)),
    usage.length,
    sum(usage.map(({ inputTokens }) => inputTokens)),
    sum(usage.map(({ outputTokens }) => outputTokens)),
  ];
  const both = compactions.map(({ before, replacement }) => `${before.length}>${replacement.length}`);
  return [format, file, ...figures.map((figure) => String(figure || '-')), ...both];
}

/**
 * How many messages of each role, calls, reports of usage, and tokens of input and of output in all. For each compaction the number of
 * messages before it, and of those that replaced them. What is 0, or is not there, is `-`.
 */
const table = `
  format      file                                                   skipped system user assistant tool calls usage    input output compactions
  claude-code claude-code/entire-cli-2026-01-22-0cf3db51.jsonl             -      -    2       169  171   171   169 18975058    372 53>1 168>1
  claude-code claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl       -      -    2       143  177   177   143 16003493  40320 160>1
  claude-code claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl       -      -    4       217  242   242   217 16790991  49467 287>1
  claude-code claude-code/agent-a7be2f0.jsonl                              -      -    1        13   19    19    13   313135     33
  pi          pi/large-session.jsonl                                      14      -   88       439  373   391   439 47526750  83156
  codex       codex/agentv-019ed836.jsonl                                  -      1    3        11   21    23    10   266714   2958
  codex       codex/agentv-019f03e0.jsonl                                  -      1   11       181  177   177   180 11070182  71829 112>10 138>13
  copilot     copilot/gatomia-vscode-378ab881.jsonl                        -      1    3        13   33    33     -        -      -
  copilot     made/copilot-cli-1.0.jsonl                                   -      1    1         9    9     9     9   103734    677 6>2 7>2 6>2
  gemini      gemini/session-bridge-914f3c63.json                          -      -    1         3    2     2     3    62714   2916
  gemini      gemini/session-bridge-d0ed8c54.json                          -      -    3        10   10    10    10   248924   3467
  gemini      made/gemini-cli-0.61.jsonl                                   -      -    3        11   11    11    11   140464   2125 19>6 8>8 11>11
  opencode    opencode/gatomia-vscode-ses_20b57e9a4.json                   -      -    1        35   34    34    35  1553603   5066
  opencode    opencode/gatomia-vscode-ses_21fe5dac1.json                   -      -    1        27   71    71    27  2459892  30682
  opencode    opencode/gatomia-vscode-ses_21fea93ac.json                   -      -    1        22   54    54    22  2031710  12033
  opencode    opencode/gatomia-vscode-ses_21ffb13ea.json                   -      -    3        14   28    28    14   905827   7339
  opencode    made/opencode-1.18.json                                      -      -    2         9    9     9     9   109803    641 12>2
  pi          made/pi-0.87.jsonl                                           -      1    1        26   29    29    26   566355   2014 41>34 41>31`;

const files = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/ +/) as [format: string, file: string, ...figures: string[]]);

describe.each(files)('%s: %s', (format, name, ...figures) => {
  const file = join(data, name);

  testWithFiles('is read whole, and comes back in each form', [file], async () => {
    expect(await rowOf(file, name)).toEqual([format, name, ...figures]);
    const session = await readSession(file);
    expectAccepted(session);
    expectComesBack(session.messages);
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
      expectComesBack(session.messages);
      expect(openaiCodec.validate(openaiCodec.fromMessages(session.messages))).toEqual([]);
    }
  });
});
