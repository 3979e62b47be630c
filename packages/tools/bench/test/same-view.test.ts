import { call, result, transcript, user, words } from '@ctx/testing';
import { defaultCandidate } from '../src/candidates/ctx.js';
import { type BenchSession, baselines, replay, summarize, tablesOf } from '../src/index.js';
import { replayAtSameView } from '../src/same-view.js';
import { replayResult } from './results.js';
import { countWords as tokensOf } from './small-cut.js';

const session: BenchSession = {
  id: 'one',
  source: 'made',
  model: {},
  messages: transcript(
    user('fix them'),
    ...Array.from({ length: 100 }, (_, at) => [
      call(`r${at}`, 'read', { path: `${at}.ts` }),
      result(`r${at}`, words(12, `line${at}`)),
      call(`e${at}`, 'edit', { old_string: `line${at}`, new_string: 'other' }),
      result(`e${at}`, 'done'),
    ]).flat(),
  ),
};
const keepLast = baselines.filter(({ name }) => name === 'keep-last');
const options = {
  candidates: [...keepLast, defaultCandidate],
  limit: 600,
  tokensOf,
  common: new Set<string>(),
};

test('others are replayed under a limit at which their views are as large as ours', async () => {
  const [candidate] = keepLast;
  const own = candidate && (await replay(session, candidate, options));
  if (own === undefined) throw new Error('Nothing was replayed.');
  const target = own.editViewTokens / 2;
  const ours = replayResult({ candidate: defaultCandidate.name, limit: 600, editViewTokens: target });
  const [found, ...more] = await replayAtSameView([session], [ours, own], options);
  expect(more).toEqual([]);
  expect(found?.candidate).toBe('keep-last');
  expect(found?.limit).toBeLessThan(400);
  expect(Math.abs((found?.editViewTokens ?? 0) / target - 1)).toBeLessThan(0.15);
});

test('nothing is replayed again if the default pipeline is not among the candidates', async () => {
  expect(await replayAtSameView([session], [replayResult({ limit: 600 })], options)).toEqual([]);
});

test('the table of edits has rows for them, with their limits', () => {
  const same = replayResult({ candidate: 'keep-last', limit: 21_000 });
  const ours = replayResult({ candidate: defaultCandidate.name });
  const tables = tablesOf(summarize([], [ours], new Map([[32_000, [same]]])));
  const edits = tables.find(({ title }) => title.startsWith('Edits'));
  expect(edits?.rows.map(([name]) => name)).toEqual([defaultCandidate.name, 'keep-last, 21,000 tokens']);
});
