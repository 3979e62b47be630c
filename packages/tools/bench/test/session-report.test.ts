import type { Message } from '@ctx/core';
import { loadCounter, totalTokens } from '../src/count-tokens.js';
import { replay } from '../src/replay.js';
import { replayedCandidates } from '../src/replay-candidates.js';
import { shownIn, viewsOf } from '../src/report/page/session/views.js';
import { textOf } from '../src/spoken.js';
import { earlyPath, readingSession, replayedSession } from './session-sample.js';

const messages = readingSession(30);

test.each(['keep-last', 'relevance', 'tool-results'])(
  'the packed views of %s are the views of its replay, message for message',
  async (name) => {
    const { report, texts, steps } = await replayedSession(messages, [name]);
    const seen: (readonly Message[])[] = [];
    const [candidate] = replayedCandidates.filter((one) => one.name === name);
    if (candidate === undefined) throw new Error(`There is no ${name}`);
    const tokensOf = await loadCounter();
    const result = await replay({ id: 'again', source: 'made', model: {}, messages }, candidate, {
      limit: 3_000,
      tokensOf,
      common: new Set(),
      onRequest: ({ view }) => seen.push(view),
    });
    const [own] = steps;
    if (own === undefined || result === undefined) throw new Error('Nothing was replayed');
    const views = viewsOf(own);
    expect(views).toHaveLength(seen.length);
    for (const [at, view] of views.entries()) {
      const shown = view.map((id) => (id >= 0 ? texts.messages[id] : own.made[-1 - id]));
      expect(shown.map((one) => one?.text)).toEqual((seen[at] ?? []).map(textOf));
      expect(shown.reduce((sum, one) => sum + (one?.tokens ?? 0), 0)).toBe(
        totalTokens(seen[at] ?? [], tokensOf),
      );
    }
    const [figures] = report.candidates;
    expect(figures).toMatchObject({ candidate: name, rewrites: result.rewrites, tokens: result.tokens });
    expect(own.missed.flat()).toHaveLength(result.misses);
    expect(texts.uses.flat()).toHaveLength(result.uses);
    expect((own.costs.at(-1) ?? 0) / (texts.costs.at(-1) ?? 1)).toBeCloseTo(result.cost, 3);
  },
);

test('what an answer needed is known with the message that held it last', async () => {
  const { report, texts, steps } = await replayedSession(messages, ['keep-last']);
  const last = report.requests.length - 1;
  const uses = texts.uses[last] ?? [];
  const at = uses.findIndex(([atom]) => atom === earlyPath);
  expect(uses[at]?.[1]).toBe(2);
  expect(steps[0]?.missed[last]).toContain(at);
});

test('what a step shows is every message that was said, once, in its order', async () => {
  const { report, texts, steps } = await replayedSession(messages, ['relevance', 'tool-results']);
  for (const own of steps) {
    for (const [at, view] of viewsOf(own).entries()) {
      const said = report.requests[at] ?? 0;
      const shown = shownIn(view, said, texts, own);
      const positions = shown.flatMap((one) =>
        one.kind === 'left-out'
          ? Array.from({ length: one.to - one.from + 1 }, (_, nth) => one.from + nth)
          : one.kind === 'added'
            ? []
            : [one.at],
      );
      expect(positions).toEqual(Array.from({ length: said }, (_, nth) => nth));
    }
  }
});
