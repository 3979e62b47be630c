import { averageOf, type Sample } from '../averages.js';
import type { Table } from '../table-cells.js';
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
  const shares = [...new Set(cuts.map(({ share }) => share))];
  const columns = shares.flatMap((share) => recallLimits.map((limit) => ({ share, limit })));
  return {
    title: 'What recall finds of what a view misses',
    columns: ['recall', ...columns.map(({ share, limit }) => `${percent(share)}: ${limit} tokens`)],
    rows: recallQueries.map((query) => [
      query,
      ...columns.map(({ share, limit }) => {
        const group = cuts.filter((one) => one.query === query && one.share === share && one.limit === limit);
        return figure(group.map(({ source, session, found }) => ({ source, session, value: found })));
      }),
    ]),
  };
}

function replayTable(replays: readonly ReplayRecall[]): Table {
  const kinds = [...new Map(replays.map((one) => [`${one.limit} ${one.recallTokens}`, one])).values()];
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
    rows: kinds.map(({ limit, recallTokens }) => {
      const group = replays.filter((one) => one.limit === limit && one.recallTokens === recallTokens);
      const column = (pick: (one: ReplayRecall) => number, digits: number) =>
        figure(
          group.map((one) => ({ source: one.source, session: one.session, value: pick(one) })),
          digits,
        );
      const sum = (pick: (one: ReplayRecall) => number) => group.reduce((all, one) => all + pick(one), 0);
      return [
        limit.toLocaleString('en-US'),
        recallTokens.toLocaleString('en-US'),
        column(({ missesBefore, uses }) => (100 * missesBefore) / Math.max(1, uses), 2),
        column(({ misses, uses }) => (100 * misses) / Math.max(1, uses), 2),
        column(({ recalls, requests }) => recalls / Math.max(1, requests), 3),
        column(({ cost }) => cost, 2),
        sum(({ overflows }) => overflows),
        sum(({ invalid }) => invalid),
      ];
    }),
  };
}

function chatTable(chats: readonly ChatRecall[]): Table {
  const shares = [...new Set(chats.map(({ share }) => share))];
  const kinds = [...new Map(chats.map((one) => [`${one.source}, ${one.form}`, one]))];
  const column = (kind: ChatRecall, share: number, pick: (one: ChatRecall) => number) =>
    figure(
      chats
        .filter((one) => one.source === kind.source && one.form === kind.form && one.share === share)
        .map((one) => ({ source: one.source, session: one.chat, value: pick(one) })),
    );
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
    rows: kinds.map(([name, kind]) => [
      name,
      ...shares.flatMap((share) => [
        column(kind, share, ({ before }) => before),
        column(kind, share, ({ after }) => after),
        column(kind, share, ({ answerableAfter }) => answerableAfter),
      ]),
    ]),
  };
}

const percent = (share: number) => `${share * 100} %`;

function figure(samples: readonly Sample[], digits = 1): string {
  return averageOf(samples)?.mean.toFixed(digits) ?? '–';
}
