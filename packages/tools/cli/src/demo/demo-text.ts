import { relative } from 'node:path';
import { loadCounter } from '@ctx/bench/measure';
import { explainChoice } from '@ctx/presets';
import { readSessions, type Session } from '@ctx/sessions';
import { savingsAt } from '../context/savings.js';
import type { Io } from '../terminal/io.js';
import { paletteFor } from '../terminal/palette.js';
import { progressOn } from '../terminal/progress.js';
import { counted, figure, percent, shownLine } from '../terminal/shown.js';
import { type Column, tableOf } from '../terminal/table.js';
import { choiceColumns, choiceRows } from './choices.js';
import { compared, defaultPipeline, type Measurement, measure, shares, total } from './measure.js';
import { ownAgent } from './own-agent.js';

/** Conversations on which the loss is measured; more say the same more slowly. */
const mostMeasured = 8;
/** Lines of a file that are named if they were left out. */
const namedLines = 3;

/** What each strategy makes of a session file, with a sentence in words first and what to do last. */
export async function demoText(
  io: Io,
  path: string,
  { lenient }: { readonly lenient: boolean },
): Promise<string> {
  const sessions: Session[] = [];
  for await (const session of readSessions(path, { lenient })) sessions.push(session);
  const [whole] = sessions;
  if (whole === undefined) return '';
  const { bold, dim } = paletteFor(io.hasColor);
  const measured = await measuredOf(io, sessions);
  const id = { provider: whole.provider, model: whole.model };
  const choices = await choiceRows(whole.messages, id);
  return [
    bold(await sentence(sessions, measured)),
    '',
    dim(
      `${relative(io.cwd, path) || path}: ${sessions.length === 1 ? 'a conversation' : `${sessions.length} conversations`} in the format ${whole.format}`,
    ),
    ...skippedLines(sessions),
    '',
    tableOf(columns, measured.map(rowOf), { width: io.columns, heading: dim }),
    '',
    'verbatim, instructions: of the user’s messages, and of those that give instructions, how many are left word for word.',
    validText(measured),
    '',
    `For ${shownLine(id.model ?? 'a model that is not known')} profile relevance, the default, runs ${explainChoice(id).pipeline.join(', ')}.`,
    `Profile classic runs ${explainChoice(id, 'classic').pipeline.join(', ')}: ${explainChoice(id).why}.`,
    'What each strategy did for whom, in a window that the session fills:',
    '',
    tableOf(choiceColumns, choices, { width: io.columns, heading: dim }),
    '',
    bold('Three lines for your own agent:'),
    '',
    ...ownAgent(id.provider).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

async function measuredOf(io: Io, sessions: readonly Session[]): Promise<Measurement[]> {
  const progress = progressOn(io, 'compressing');
  const measured: Measurement[] = [];
  const work = shares.flatMap((share) => compared.map((strategy) => ({ share, strategy })));
  try {
    for (const [index, { share, strategy }] of work.entries()) {
      const measurements: Measurement[] = [];
      for (const [nth, { messages, provider, model }] of sessions.entries()) {
        const done = (index + nth / sessions.length) / work.length;
        progress.step(`${strategy} to ${share * 100} %`, done);
        measurements.push(await measure(messages, { strategy, share, model: { provider, model } }));
      }
      const [first, ...others] = measurements;
      if (first !== undefined) measured.push(total([first, ...others]));
    }
  } finally {
    progress.done();
  }
  return measured;
}

/** `48,643 tokens became 24,024; of what the agent used next, 97 % is there.` */
async function sentence(sessions: readonly Session[], measured: readonly Measurement[]): Promise<string> {
  const [share] = shares;
  const own = measured.find((one) => one.strategy === defaultPipeline && one.share === share);
  if (own === undefined) return '';
  const tokensOf = await loadCounter();
  const survivals: number[] = [];
  for (const session of sessions.slice(0, mostMeasured)) {
    const [saving] = await savingsAt(session, session.messages.length, { tokensOf, shares: [share] });
    if (saving?.survivalInContext !== undefined) survivals.push(saving.survivalInContext);
  }
  const became = `${figure(own.tokensBefore)} tokens became ${figure(own.tokensAfter)}`;
  if (survivals.length === 0) return `${became}.`;
  const survival = survivals.reduce((sum, one) => sum + one, 0) / survivals.length;
  return `${became}; of what the agent used next, ${percent(survival)} is there.`;
}

function skippedLines(sessions: readonly Session[]): string[] {
  const skipped = sessions.flatMap((session) => session.skipped);
  const lines = skipped
    .slice(0, namedLines)
    .map(({ line, reason }) => `  line ${line} was left out: ${shownLine(reason)}`);
  const more = skipped.length - lines.length;
  return more > 0 ? [...lines, `  and ${counted(more, 'more line')}`] : lines;
}

/** Whether providers accept what is left. */
function validText(measured: readonly Measurement[]): string {
  const refused = measured
    .filter(({ validOpenai, validAnthropic }) => !validOpenai || !validAnthropic)
    .map(({ strategy, share }) => `${strategy} to ${share * 100} %`);
  const all = 'What is left is valid for OpenAI and for Anthropic';
  return refused.length === 0 ? `${all}.` : `${all}, but not: ${refused.join(', ')}.`;
}

const columns: readonly Column[] = [
  { title: 'strategy', isFlexible: true },
  { title: 'to', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'messages', align: 'right' },
  { title: 'verbatim', align: 'right' },
  { title: 'instructions', align: 'right' },
];

function rowOf(one: Measurement): string[] {
  return [
    one.chosen === undefined ? one.strategy : `${one.strategy} (${one.chosen})`,
    `${one.share * 100} %`,
    figure(one.tokensAfter) + (one.tokensAfter > one.targetTokens ? ' (over)' : ''),
    `${one.messagesKept} of ${one.messagesBefore}`,
    `${one.userMessagesVerbatim} of ${one.userMessages}`,
    `${one.instructionsVerbatim} of ${one.instructions}`,
  ];
}
