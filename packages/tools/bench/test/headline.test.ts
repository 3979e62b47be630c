import { headlineOf } from '../src/headline.js';
import { type CutResult, type ReplayResult, summarize } from '../src/index.js';
import { cutResult, replayResult } from './results.js';

const cut = (fields: Partial<CutResult>) =>
  cutResult({
    candidate: 'relevance',
    kind: 'ctx',
    usableCtx: 97,
    budget: 5_000,
    tokens: 4_900,
    tokensBefore: 10_000,
    ...fields,
  });
const replay = (fields: Partial<ReplayResult>) =>
  replayResult({ candidate: 'relevance', kind: 'ctx', overflows: 0, ...fields });

const cuts = [
  cut({}),
  cut({ share: 0.25, usableCtx: 90, tokens: 2_400 }),
  cut({ candidate: 'keep-last', kind: 'baseline', usableCtx: 60 }),
  cut({ candidate: 'keep-last', kind: 'baseline', usableCtx: 40, share: 0.25 }),
  cut({ candidate: 'words', kind: 'control', usableCtx: 100 }),
  cut({ candidate: 'words', kind: 'control', usableCtx: 100, share: 0.25 }),
];

test('the headline says what became of the tokens, what is there and what is best, never a control', () => {
  const replays = [
    replay({}),
    replay({ candidate: 'keep-last', misses: 8, cost: 0.13 }),
    replay({ candidate: 'broken', misses: 0, invalid: 3 }),
  ];
  expect(headlineOf(summarize(cuts, replays), cuts)).toEqual([
    'Compressed at 1 place of 1 session, 10,000 tokens became 4,900 on average with relevance; of what the agent used next, 97 % is there. With fewer tokens it is 90 % at 25 %.',
    'Best here: relevance, with 94 % on average over all sizes; keep-last follows with 50 %.',
    'Replayed with at most 32,000 tokens in a request, relevance missed least: 10.0 % of what the agent used was missing, for 50 % of the price of sending everything. The cheapest was keep-last: 40.0 % of what the agent used was missing, for 13 % of the price of sending everything.',
  ]);
  expect(headlineOf(summarize([], []), [])).toEqual([]);
});

test('of equals, what a user gets without choosing is named first, and many are counted', () => {
  const names = ['condense', 'relevance', 'ladder', 'default pipeline'];
  const equal = names.map((candidate) => cut({ candidate }));
  expect(headlineOf(summarize(equal, []), equal)[1]).toBe(
    'Best here: default pipeline, condense and 2 others, with 97 % on average over all sizes.',
  );
});
