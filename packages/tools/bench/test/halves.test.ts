import { type BenchSession, candidates, type Half, halfOf, runBench } from '../src/index.js';
import { codingSession } from './small-cut.js';

const session = (id: string, source: string): BenchSession => ({ id, source, model: {}, messages: [] });

test('every other session of a source is in a half, and every other cut of a single session', () => {
  const sessions = ['1 a', '1 b', '2 a', '3 a', '2 b', '1 c'].map((name) => {
    const [id = '', source = ''] = name.split(' ');
    return session(id, source);
  });
  const named = (half: Half) =>
    halfOf(sessions, half).map(
      (one) => `${one.session.id} ${one.session.source} ${[0, 1, 2, 3].filter(one.hasCut).join('')}`,
    );
  expect(named('tune')).toEqual(['1 a 0123', '1 b 0123', '3 a 0123', '1 c 02']);
  expect(named('report')).toEqual(['2 a 0123', '2 b 0123', '1 c 13']);
});

test('a run of each half measures what a run of all measures', async () => {
  const sessions = [{ ...session('long', 'a'), messages: codingSession(14) }];
  const chosen = candidates.filter(({ name }) => name === 'keep-last');
  const positions = async (half?: Half) => {
    const { cuts } = await runBench(sessions, { candidates: chosen, limits: [], ...(half && { half }) });
    return cuts.filter(({ share }) => share === 0.5).map(({ position }) => position);
  };
  const [all, tune, report] = [await positions(), await positions('tune'), await positions('report')];
  expect(all.length).toBeGreaterThan(1);
  expect([...tune, ...report].sort((a, b) => a - b)).toEqual(all);
});
