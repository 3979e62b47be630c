import { relative } from 'node:path';
import { loadCounter } from '@ctx/bench/measure';
import { explainChoice } from '@ctx/presets';
import { readSessions, type Session } from '@ctx/sessions';
import { usedNextIn } from '../context/savings.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, figure, paletteFor, percent, shownLine } from '../terminal/shown.js';
import { type Column, tableOf } from '../terminal/table.js';
import { choiceColumns, choiceRows } from './choices.js';
import { compared, defaultPipeline, type Measurement, measure, shares, total } from './measure.js';
import { ownAgent } from './own-agent.js';

/** Conversations on which the loss is measured; more say the same more slowly. */
const mostMeasured = 8;
/** Strategies that are shown for each size, unless all are. */
const mostShown = 6;
/** Lines of a file that are named if they were left out. */
const namedLines = 3;

interface DemoOptions {
  /** Leaves out records that can't be read. */
  readonly lenient: boolean;
  /** Shows every strategy. @default the best */
  readonly all: boolean;
}

/** What each strategy makes of a session file, with a sentence in words first and what to do last. */
export async function demoText(io: Io, path: string, { lenient, all }: DemoOptions): Promise<string> {
  const sessions: Session[] = [];
  for await (const session of readSessions(path, { lenient })) sessions.push(session);
  const [whole] = sessions;
  if (whole === undefined) return '';
  const { bold, dim } = paletteFor(io.hasColor);
  const measured = await measuredOf(io, sessions);
  const shown = all ? measured : bestOf(measured);
  const id = { provider: whole.provider, model: whole.model };
  const choices = await choiceRows(whole.messages, id);
  return [
    bold(sentence(measured)),
    '',
    dim(
      `${relative(io.cwd, path) || path}: ${sessions.length === 1 ? 'a conversation' : `${sessions.length} conversations`} in the format ${whole.format}`,
    ),
    ...skippedLines(sessions),
    '',
    tableOf(columns, shown.map(rowOf), { width: io.columns, heading: dim }),
    '',
    ...(shown.length === measured.length
      ? []
      : [`The ${mostShown} best to each size are shown, of ${compared.length}: --all shows the others.`]),
    'used next: of the names, paths and numbers that the agent used next, how many are left with their line. They are few, and strings:',
    'whether somebody could carry on with what is left, an exam says (ctx bench --exam).',
    'verbatim, instructions: of the user’s messages, and of those that give instructions, how many are left word for word, as messages or in an excerpt.',
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

interface Measured extends Measurement {
  /** 0–1. */
  readonly usedNext: number | undefined;
}

/** For each size what keeps most of what was used next first. */
async function measuredOf(io: Io, sessions: readonly Session[]): Promise<Measured[]> {
  const progress = progressOn(io, 'compressing');
  const measured: Measured[] = [];
  const tokensOf = await loadCounter();
  const usedNext = sessions.slice(0, mostMeasured).map((session) => usedNextIn(session, tokensOf));
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
      if (first !== undefined)
        measured.push({
          ...total([first, ...others]),
          usedNext: meanOf(await Promise.all(usedNext.map((of) => of(strategy, share)))),
        });
    }
  } finally {
    progress.done();
  }
  return measured.sort((a, b) => b.share - a.share || better(a, b));
}

/** The best for each size, in the order of the table. */
function bestOf(measured: readonly Measured[]): Measured[] {
  return shares.flatMap((share) => measured.filter((one) => one.share === share).slice(0, mostShown));
}

/** What keeps more of what was used next comes first; where nothing was, what is over its target comes last. */
function better(a: Measured, b: Measured): number {
  const isOver = (one: Measured) => Number(one.tokensAfter > one.targetTokens);
  return isOver(a) - isOver(b) || (b.usedNext ?? 0) - (a.usedNext ?? 0);
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** `48,643 tokens became 24,024; of what the agent used next, 97 % is there.` */
function sentence(measured: readonly Measured[]): string {
  const own = measured.find((one) => one.strategy === defaultPipeline && one.share === shares[0]);
  if (own === undefined) return '';
  const became = `${figure(own.tokensBefore)} tokens became ${figure(own.tokensAfter)} with the default pipeline`;
  return own.usedNext === undefined
    ? `${became}.`
    : `${became}; of what the agent used next, ${percent(own.usedNext)} is there.`;
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
  { title: 'used next', align: 'right' },
  { title: 'messages', align: 'right' },
  { title: 'verbatim', align: 'right' },
  { title: 'instructions', align: 'right' },
];

function rowOf(one: Measured): string[] {
  return [
    one.chosen === undefined ? one.strategy : `${one.strategy} (${one.chosen})`,
    `${one.share * 100} %`,
    figure(one.tokensAfter) + (one.tokensAfter > one.targetTokens ? ' (over)' : ''),
    one.usedNext === undefined ? '–' : percent(one.usedNext),
    `${one.messagesKept} of ${one.messagesBefore}`,
    `${one.userMessagesVerbatim} of ${one.userMessages}`,
    `${one.instructionsVerbatim} of ${one.instructions}`,
  ];
}
