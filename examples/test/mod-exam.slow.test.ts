import { join } from 'node:path';
import {
  type CountTokens,
  type ExamSession,
  type ExamView,
  evidencePoints,
  examRows,
  examSessions,
  examViews,
  loadCounter,
  totalTokens,
} from '@ctx/bench';
import { compact, messagesOf, type Row } from '@ctx/claude-code';
import { type Message, outputText, partsOf } from '@ctx/core';
import { testWithFiles } from '@ctx/testing';

/** Recorded by others and not part of the repository. */
const recorded = join(__dirname, '../../../shared/exam/sessions');
/** Tokens. */
const budgets = [16_000, 8_000];

test('on the session of the examples, the mod for Claude Code keeps nearly all evidence that the default pipeline keeps', async () => {
  const differences = await differencesOn(join(__dirname, '../exam'));
  for (const difference of differences) expect(difference).toBeGreaterThan(-3);
}, 240_000);

testWithFiles(
  'on recorded sessions, the evidence of the mod for Claude Code is within two points of the default pipeline',
  [recorded],
  async () => {
    for (const difference of await differencesOn(recorded)) expect(difference).toBeGreaterThan(-2);
  },
);

/** At each size, how many points more the mod has than the default pipeline. */
async function differencesOn(folder: string): Promise<number[]> {
  const tokensOf = await loadCounter();
  const points = [];
  for (const session of examSessions(folder)) {
    const views = await examViews(session, { budgets, tokensOf, only: ['default pipeline'] });
    for (const budget of budgets) views.push(await viewOfMod(session, { budget, tokensOf }));
    points.push(...evidencePoints(session, views));
  }
  return examRows(points).flatMap(({ difference }) => difference?.mean ?? []);
}

/** The mod estimates tokens. What it is asked for is halved in until the view is the largest that fits as it is counted here. */
async function viewOfMod(
  { name, messages }: ExamSession,
  { budget, tokensOf }: { budget: number; tokensOf: CountTokens },
): Promise<ExamView> {
  const rows = messages.flatMap((message, at) => rowsOf(message, `${name}-${at}`));
  const tokens = totalTokens(messagesOf(rows).messages, tokensOf);
  let best: ExamView | undefined;
  for (let [asked, step] = [budget, budget / 4]; step >= 50; step /= 2) {
    const usage = { threshold: 2 * asked, tokens, messages: tokens };
    const made = await compact(rows, { usage, now: 0, handles: true });
    const view = messagesOf(made.rows ?? rows).messages;
    const size = totalTokens(view, tokensOf);
    if (size <= budget && size > (best?.tokens ?? 0))
      best = { candidate: 'mod', budget, messages: view, tokens: size };
    asked += size <= budget ? step : -step;
  }
  if (best === undefined) throw new Error(`The mod does not reach ${budget} tokens on ${name}`);
  return best;
}

/** A message as Claude Code gives it to the mod: a row for each block. */
function rowsOf(message: Message, id: string): Row[] {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return partsOf(message).map((part, at) => {
    const row = { role, text: '', toolUses: [], handle: `${id}-${at}` } as const;
    switch (part.type) {
      case 'text':
        return { ...row, text: part.text };
      case 'tool-call': {
        const use = { tool_use_id: part.toolCallId, tool: part.toolName, input: { ...Object(part.input) } };
        return { ...row, toolUses: [use] };
      }
      case 'tool-result': {
        const result = { tool_use_id: part.toolCallId, text: outputText(part.output), isError: false };
        return { ...row, toolResults: [result] };
      }
      default:
        return row;
    }
  });
}
