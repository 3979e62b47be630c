import { type BenchSession, type Half, halfOf } from '../src/index.js';

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
