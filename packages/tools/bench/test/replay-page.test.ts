import { assistant, call, result, user, words } from '@ctx/testing';
import { defaultLimit, replayedCandidates, replayPage, replaySession } from '../src/measure.js';
import { sessionOf, countWords as tokensOf } from './small-cut.js';

/** What the agent reads first and needs again at the end, when it has left a small window. */
const earlyPath = 'src/lost/early-choice.ts';

const reading = (said = 'Find out where the port is chosen.') =>
  sessionOf(
    user(said),
    ...Array.from({ length: 12 }, (_, round) => [
      call(`c${round}`, 'read', { path: round === 0 ? earlyPath : `src/part-${round}.ts` }),
      result(`c${round}`, `${words(60, `line${round}`)} ${said}`),
    ]).flat(),
    assistant(`The port is chosen in ${earlyPath}.`),
  );

const replayed = (names: readonly string[], session = reading()) => {
  const candidates = replayedCandidates.filter(({ name }) => names.includes(name));
  return replaySession(session, { limit: 300, candidates, tokensOf });
};

test('each compression of a replay says what it made and what was missing until the next', async () => {
  const { replays, wholeCost, messages } = await replayed(['keep-last', 'relevance']);
  expect(replays.map(({ result: { candidate } }) => candidate)).toEqual(['relevance', 'keep-last']);
  const [ours, theirs] = replays;
  expect(messages).toBe(26);
  expect(wholeCost).toBeGreaterThan(0);
  for (const { result: figures, compressions } of replays) {
    expect(compressions).toHaveLength(figures.rewrites);
    const missed = compressions.flatMap((one) => one.missed);
    expect(missed).toHaveLength(figures.misses);
    for (const { request, tokens } of compressions) expect(tokens).toBe(figures.tokens[request - 1]);
  }
  expect(theirs?.compressions.at(-1)?.missed).toContain(earlyPath);
  expect(ours?.compressions[0]?.made.some(({ summary }) => summary === true)).toBe(true);
});

test('a page has the figures and texts of each candidate, and a line for each in its picture', async () => {
  const page = replayPage(await replayed(['keep-last', 'relevance']), { createdAt: '2026-07-01' });
  expect(page).toMatch(/^<!doctype html>/);
  expect(page.match(/<polyline /g)).toHaveLength(2);
  expect(page.match(/<th scope="row">/g)).toHaveLength(2);
  expect(page).toContain(`Missing: <code>${earlyPath}</code>`);
  expect(page).toContain('sent in requests of at most 300');
});

test.each([
  '</pre><script>harm()</script>',
  '<img src=x onerror="harm()">',
  '</style><style>@import "http://127.0.0.1:9/"',
  '" onmouseover="harm()" x="',
])('a text is never markup of the page: %s', async (text) => {
  const page = replayPage(await replayed(['relevance', 'keep-last'], { ...reading(text), id: text }), {
    createdAt: text,
  });
  expect(page).not.toContain(text);
  expect(page).not.toMatch(/<script|<img|@import "/);
  expect(page).toContain("default-src 'none'");
});

test('a session is replayed under half of its tokens, but never more than 64,000', () => {
  expect([defaultLimit(9), defaultLimit(1_000_000)]).toEqual([5, 64_000]);
});

test('nothing to replay is a page without figures', async () => {
  const page = replayPage(await replayed([]), { createdAt: '2026-07-01' });
  expect(page).not.toContain('<polyline');
});
