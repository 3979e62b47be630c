import { relative } from 'node:path';
import { loadCounter } from '@ctx/bench/measure';
import type { Session } from '@ctx/sessions';
import { compressSession } from '../compress/compress-session.js';
import { strategyNamesKnown } from '../compress/strategy-names.js';
import { lossOf, unlessTooLarge } from '../context/savings.js';
import { exitCodes } from '../exit-codes.js';
import type { Opened } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, figure, paletteFor, percent, shownLine } from '../terminal/shown.js';
import { type Column, flexible, right, tableOf } from '../terminal/table.js';

/** The stages that the presets choose for the session's model, in order. */
const defaultPipeline = 'default pipeline';
const candidates = [...strategyNamesKnown, defaultPipeline];
/** Shares of a session's tokens to compress it to. */
const shares = [0.5, 0.25];
/** Strategies that are shown for each size, unless all are. */
const mostShown = 6;

/** Compresses a session with each strategy to half and to a quarter of its tokens, with a sentence in words first. */
export async function runDemo(
  io: Io,
  { session, path }: Opened,
  { all = false }: { readonly all?: boolean | undefined },
): Promise<number> {
  const { bold, dim } = paletteFor(io.hasColor);
  const measured = await measuredOf(io, session);
  const { length: unread } = session.skipped;
  const skipped = unread === 0 ? '' : `; ${counted(unread, 'record')} could not be read`;
  const shown = all
    ? measured
    : shares.flatMap((share) => measured.filter((one) => one.share === share).slice(0, mostShown));
  const lines = [
    bold(sentence(measured)),
    '',
    dim(`${shownLine(relative(io.cwd, path) || path)}, in the format ${session.format}${skipped}`),
    '',
    tableOf(columns, shown.map(rowOf), { width: io.columns, heading: dim }),
    '',
    ...(all ? [] : [`The ${mostShown} best to each size are shown: --all shows all ${candidates.length}.`]),
    'used next: of the names, paths and numbers that the agent used next, how many are left with their line. They are few, and strings:',
    'whether somebody could carry on with what is left, an exam says (ctx bench --exam).',
    '',
  ];
  io.out(lines.join('\n'));
  return exitCodes.done;
}

interface Measured {
  readonly strategy: string;
  readonly share: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly isOver: boolean;
  readonly messages: string;
  /** 0–1. */
  readonly usedNext: number | undefined;
}

/** For each size, the strategy first that keeps most of what was used next. */
async function measuredOf(io: Io, session: Session): Promise<Measured[]> {
  const progress = progressOn(io, 'compressing');
  const { survivalOf } = lossOf(session, session.messages.length, await loadCounter());
  const measured: Measured[] = [];
  const work = shares.flatMap((share) => candidates.map((strategy) => ({ share, strategy })));
  try {
    for (const [index, { share, strategy }] of work.entries()) {
      progress.step(`${strategy} to ${share * 100} %`, index / work.length);
      const chosen = strategy === defaultPipeline ? {} : { strategy };
      const made = await unlessTooLarge(compressSession(session, { to: { share }, ...chosen }));
      if (made === undefined) continue;
      const { tokensBefore, tokensAfter, missedTokens, before, after } = made;
      measured.push({
        ...{ strategy, share, tokensBefore, tokensAfter },
        isOver: missedTokens > 0,
        messages: `${after.length} of ${before.length}`,
        usedNext: await survivalOf(strategy, share),
      });
    }
  } finally {
    progress.done();
  }
  return measured.sort(
    (a, b) =>
      b.share - a.share || Number(a.isOver) - Number(b.isOver) || (b.usedNext ?? 0) - (a.usedNext ?? 0),
  );
}

/** `48,643 tokens became 24,024; of what the agent used next, 97 % is there.` */
function sentence(measured: readonly Measured[]): string {
  const own = measured.find((one) => one.strategy === defaultPipeline && one.share === shares[0]);
  if (own === undefined) return 'What has to stay is larger than the window.';
  const became = `${figure(own.tokensBefore)} tokens became ${figure(own.tokensAfter)} with the default pipeline`;
  return own.usedNext === undefined
    ? `${became}.`
    : `${became}; of what the agent used next, ${percent(own.usedNext)} is there.`;
}

const columns: readonly Column[] = [
  flexible('strategy'),
  right('to'),
  right('tokens'),
  right('used next'),
  right('messages'),
];

function rowOf({ strategy, share, tokensAfter, isOver, usedNext, messages }: Measured): string[] {
  return [
    strategy,
    `${share * 100} %`,
    figure(tokensAfter) + (isOver ? ' (over)' : ''),
    usedNext === undefined ? '–' : percent(usedNext),
    messages,
  ];
}
