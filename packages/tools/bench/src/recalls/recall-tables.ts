import { averaged, grouped } from '../averages.js';
import { figure, percent, type Table, tokensText, valuesOf } from '../table-cells.js';
import type { ChatRecall } from './chat-recalls.js';
import { type CutRecall, recallLimits, recallQueries } from './cut-recalls.js';
import type { ReplayRecall } from './replay-recalls.js';

/** How much of what a view misses one recall finds, in cuts, in replays and in chats. */
export function recallTables(
  cuts: readonly CutRecall[],
  replays: readonly ReplayRecall[],
  chats: readonly ChatRecall[],
): Table[] {
  return [
    ...(cuts.length === 0 ? [] : [cutTable(cuts)]),
    ...(replays.length === 0 ? [] : [replayTable(replays)]),
    ...(chats.length === 0 ? [] : [chatTable(chats)]),
  ];
}

function cutTable(cuts: readonly CutRecall[]): Table {
  const shares = valuesOf(cuts, ({ share }) => share);
  const columns = shares.flatMap((share) => recallLimits.map((limit) => ({ share, limit })));
  return {
    title: 'What recall finds of what a view misses',
    columns: ['recall', ...columns.map(({ share, limit }) => `${percent(share)}: ${limit} tokens`)],
    rows: recallQueries.map((query) => [
      query,
      ...columns.map(({ share, limit }) => {
        const group = cuts.filter((one) => one.query === query && one.share === share && one.limit === limit);
        return figure(averaged(group, ({ found }) => found));
      }),
    ]),
  };
}

function replayTable(replays: readonly ReplayRecall[]): Table {
  return {
    title: 'Replay with at most one recall before each step',
    columns: [
      'limit',
      'tokens of a recall',
      'misses before',
      'misses',
      'recalls per step',
      'cost',
      'overflows',
      'invalid',
    ],
    rows: [...grouped(replays, ({ limit, recallTokens }) => `${limit} ${recallTokens}`).values()].map(
      (group) => {
        const [{ limit, recallTokens }] = group;
        const column = (pick: (one: ReplayRecall) => number, digits = 2) =>
          figure(averaged(group, pick), digits);
        const sum = (pick: (one: ReplayRecall) => number) => group.reduce((all, one) => all + pick(one), 0);
        return [
          tokensText(limit),
          tokensText(recallTokens),
          column(({ missesBefore, uses }) => (100 * missesBefore) / Math.max(1, uses)),
          column(({ misses, uses }) => (100 * misses) / Math.max(1, uses)),
          column(({ recalls, requests }) => recalls / Math.max(1, requests), 3),
          column(({ cost }) => cost),
          sum(({ overflows }) => overflows),
          sum(({ invalid }) => invalid),
        ];
      },
    ),
  };
}

function chatTable(chats: readonly ChatRecall[]): Table {
  const shares = valuesOf(chats, ({ share }) => share);
  return {
    title: 'Questions about chats, with one recall of 1,000 tokens',
    columns: [
      'chats',
      ...shares.flatMap((share) => [
        `evidence turns at ${percent(share)}`,
        `with recall at ${percent(share)}`,
        `all evidence with recall at ${percent(share)}`,
      ]),
    ],
    rows: [...grouped(chats, ({ source, form }) => `${source}, ${form}`)].map(([name, own]) => [
      name,
      ...shares.flatMap((share) => {
        const rows = own.filter((one) => one.share === share);
        const picks = [
          ({ before }: ChatRecall) => before,
          ({ after }: ChatRecall) => after,
          ({ answerableAfter }: ChatRecall) => answerableAfter,
        ];
        return picks.map((pick) => figure(averaged(rows, pick)));
      }),
    ]),
  };
}
