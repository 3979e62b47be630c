import type { Message } from '@ctx/core';
import { assistant, call, result, system, user, words } from '@ctx/testing';
import { CachedCost } from '../src/cached-cost.js';
import { type Candidate, type Reduce, reducing } from '../src/candidates/candidate.js';
import { type BenchSession, candidates, noCompression, type ReplayResult, replay } from '../src/index.js';
import { sessionOf, countWords as tokensOf } from './small-cut.js';

const everything: Candidate = { ...noCompression, name: 'everything', kind: 'baseline' };
const keeping = (keep: Reduce) => reducing('keeping', 'baseline', keep);

async function replayed(
  session: BenchSession,
  candidate: Candidate,
  limit = 10,
  common: ReadonlySet<string> = new Set(),
): Promise<ReplayResult> {
  const found = await replay(session, candidate, { limit, tokensOf, common });
  if (found === undefined) throw new Error('Nothing was replayed.');
  return found;
}
const isReplayed = async (session: BenchSession, candidate: Candidate, limit: number) =>
  (await replay(session, candidate, { limit, tokensOf, common: new Set() })) !== undefined;

/** Requests of 10, 20 and 40 tokens. */
const [a, b, c] = [user(words(10)), assistant(words(20)), user(words(40))];

const begun = user('one two');
test.each<[string, Message[], Message[], number, boolean]>([
  ['1.25 for what is new', [], [a], 12.5, true],
  ['0.1 for whole messages that stay at the beginning', [a], [a, b, c], 1 + 75, true],
  ['0.1 for all, if nothing is new', [a, b, c], [a, b, c], 7, true],
  ['1.25 from the first different message on', [a, b, c], [a, begun, c], 1 + 1.25 * 42, false],
  ['that of reading if messages are missing at the end, but no extension', [a, b, c], [a, b], 3, false],
  ['that of the content of messages, not of objects', [a], [structuredClone(a)], 1, true],
  ['1.25 for a message that only begins the same', [begun], [user('one two three')], 3.75, false],
])('the price of a request is %s', (_what, before, request, price, extends_) => {
  const cost = new CachedCost(tokensOf);
  cost.add(before);
  cost.total = 0;
  expect(cost.add(request)).toBe(extends_);
  expect(cost.total).toBeCloseTo(price);
});

test('each model has a cache and prices of its own', () => {
  const cost = new CachedCost(tokensOf);
  const ask = (view: readonly Message[], model: string, each: number) => {
    cost.total = 0;
    return [cost.add(view, { cacheRead: 0.1, cacheWrite: 1, model, each }), Number(cost.total.toFixed(6))];
  };
  expect(ask([a], 'dear', 2)).toEqual([true, 2 * 10]);
  expect(ask([a, b], 'cheap', 1)).toEqual([true, 30]);
  expect(ask([a, b, c], 'dear', 2)).toEqual([true, 2 * (0.1 * 10 + 60)]);
});

describe('no compression', () => {
  const said = [assistant(words(4)), user(words(5)), assistant('name_one name_two')];
  const session = sessionOf(system('be brief'), user('name_one and name_two'), ...said);

  test('costs 1, misses nothing and rewrites nothing', async () => {
    expect(await replayed(session, everything, 13)).toMatchObject({
      candidate: 'everything',
      kind: 'baseline',
      session: 'one',
      source: 'made',
      limit: 13,
      requests: 2,
      uses: 2,
      misses: 0,
      cost: 1,
      rewrites: 0,
      invalid: 0,
      tokens: [5, 14],
      overflows: 1,
    });
  });

  test('is not replayed, because it is a control', async () => {
    expect(await isReplayed(session, noCompression, 10)).toBe(false);
  });
});

describe('nothing is replayed', () => {
  const session = sessionOf(user('name_one'), assistant(words(9)));

  test('of a session that is never over the limit', async () => {
    expect([await isReplayed(session, everything, 10), await isReplayed(session, everything, 9)]).toEqual([
      false,
      true,
    ]);
  });

  test('by a candidate that can’t', async () => {
    const { replay: _, ...unable } = everything;
    expect(await isReplayed(session, unable, 9)).toBe(false);
  });

  test('but a session without a request has numbers as figures', async () => {
    const silent = sessionOf(user(words(20)));
    expect(await replayed(silent, everything)).toMatchObject({ requests: 0, uses: 0, misses: 0, cost: 1 });
  });
});

describe('a miss is', () => {
  /** Forgets all messages except the newest. */
  const forgetful = keeping((messages) => messages.slice(-1));
  const misses = async (...messages: Message[]) => {
    const { uses, misses: missed } = await replayed(sessionOf(...messages), forgetful);
    return { uses, missed };
  };

  const names = 'name_one name_two';
  const gone = [user(`name_one ${words(9)}`), user(words(9)), assistant('name_one')];
  const long = user(words(20));

  const read = call('1', 'read', { path: 'src/a.ts' });
  const two = user(`name_two ${words(9)}`);
  const general = call('1', 'read_all', { file_name: 'package.json' });
  test.each<[string, uses: number, missed: number, Message[]]>([
    ['an atom that was said, is used and is gone', 2, 1, [user(names), two, assistant(names)]],
    // The first answer says it again, so it is in the view at the second.
    ['none at the second use, if the first said it again', 2, 1, [...gone, assistant('name_one')]],
    ['another at the second use, if it left again', 2, 2, [...gone, long, assistant('name_one')]],
    ['none that the system prompt has', 1, 1, [system('name_one'), user(names), long, assistant(names)]],
    ['none that was never said', 0, 0, [long, assistant('name_one')]],
    ['also an argument of a call', 1, 1, [user('src/a.ts'), long, read, result('1', 'ok')]],
    [
      'no name of a tool or of an argument, nothing general',
      0,
      0,
      [user('read_all file_name package.json'), long, general, result('1', 'ok')],
    ],
  ])('%s', async (_what, uses, missed, messages) => {
    expect(await misses(...messages)).toEqual({ uses, missed });
  });

  test('nothing common, whatever was common before', async () => {
    const session = sessionOf(user(names), long, assistant(names));
    expect((await replayed(session, forgetful)).misses).toBe(2);
    expect((await replayed(session, forgetful, 10, new Set(['name_one']))).misses).toBe(1);
    expect((await replayed(session, forgetful)).misses).toBe(2);
  });
});

describe('a passage is missed', () => {
  const said = user('first line\nabout name_one here\nlast line');
  const passageMisses = async (view: readonly Message[]) => {
    const shown = keeping(() => view);
    const figures = await replayed(sessionOf(said, user(words(20)), assistant('name_one')), shown);
    return [figures.uses, figures.misses, figures.passageMisses];
  };

  test.each<[string, number[], ...string[]]>([
    ['not if its message is there', [1, 0, 0], said.content as string],
    ['not if it is quoted', [1, 0, 0], '## user\n  first line\n  about name_one here\n  last line'],
    ['if only its line is quoted', [1, 0, 1], '## user\nabout name_one here'],
    ['if the atom is', [1, 1, 1], 'name'],
    ['if its lines are in two messages', [1, 0, 1], 'first line', 'about name_one here\nlast line'],
  ])('%s', async (_when, expected, ...view) => {
    expect(await passageMisses(view.map((text) => user(text)))).toEqual(expected);
  });
});

describe('a replay counts', () => {
  const read = [call('1', 'read'), result('1', 'first();\nsecond();')];
  const edit = call('2', 'edit', { old_string: 'first();\nsecond();', new_string: 'third();' });
  const session = sessionOf(user('fix it'), ...read, user(words(40)), edit, result('2', 'done'));
  const figuresOf = async (view: Reduce) => {
    const { edits, editsWhole, editsBlock, editViewTokens } = await replayed(session, keeping(view));
    return { edits, editsWhole, editsBlock, editViewTokens };
  };

  test('an edit whose text is in the view, and the size of the view', async () => {
    const figures = { edits: 1, editsWhole: 1, editsBlock: 1, editViewTokens: 45 };
    expect(await figuresOf((messages) => messages)).toEqual(figures);
  });

  test('an edit whose text is only there line by line', async () => {
    const scattered = [user('first();'), user('second();')];
    expect(await figuresOf(() => scattered)).toMatchObject({ edits: 1, editsWhole: 1, editsBlock: 0 });
  });

  test('an edit whose text is gone', async () => {
    expect(await figuresOf((messages) => messages.slice(-1))).toMatchObject({ edits: 1, editsWhole: 0 });
  });

  test('compressions that showed all that was unread, of those at which it fits', async () => {
    const long = sessionOf(
      user('fix it'),
      call('1', 'read'),
      result('1', words(30, 'a')),
      call('2', 'read'),
      result('2', words(10, 'b')),
      assistant('done'),
    );
    const looksOf = async (reduce: Reduce) => {
      const { looks, looksWhole } = await replayed(long, keeping(reduce), 25);
      return [looks, looksWhole];
    };
    // The first result alone is over the limit, so it does not count.
    expect(await looksOf((messages) => messages.slice(-2))).toEqual([1, 1]);
    let calls = 0;
    expect(await looksOf(() => [user(words(20, `other${calls++}`))])).toEqual([1, 0]);
  });
});

describe('a candidate without a memory', () => {
  /** Drops the oldest messages until the rest fits. */
  const seen: { size: number; budget: number }[] = [];
  const oldestFirst = keeping((messages, budget) => {
    seen.push({ size: messages.length, budget });
    let left = messages;
    const sum = () => left.reduce((total, one) => total + tokensOf(one), 0);
    while (sum() > budget) left = left.slice(1);
    return left;
  });
  const turns = (count: number) =>
    Array.from({ length: count }, () => [user(words(10)), assistant(words(10))]).flat();

  test('is brought to half of the limit, and continues from there', async () => {
    seen.length = 0;
    const figures = await replayed(sessionOf(...turns(8)), oldestFirst, 80);
    // 10, 30, 50, 70, then 90 is over 80 and becomes 40, then 60, 80, and 100 becomes 40 again.
    expect(figures.tokens).toEqual([10, 30, 50, 70, 40, 60, 80, 40]);
    expect(seen).toEqual([
      { size: 9, budget: 40 },
      { size: 10, budget: 40 },
    ]);
    expect(figures).toMatchObject({ requests: 8, overflows: 0 });
  });

  test('costs as much as its requests, relative to those without compression', async () => {
    const [one, answer, other] = [user(words(8, 'a')), assistant(words(8, 'b')), user(words(8, 'c'))];
    const { cost, tokens } = await replayed(sessionOf(one, answer, other, assistant('d')), oldestFirst, 20);
    expect(tokens).toEqual([8, 8]);
    // Without: 8 written, then 8 read and 16 written. With: 8 written, and 8 others written.
    expect(cost).toBeCloseTo((10 + 10) / (10 + 0.8 + 20));
  });

  test('reports requests over the limit and views that Anthropic refuses', async () => {
    const broken = keeping((messages) => messages.filter(({ role }) => role !== 'assistant'));
    const read = [call('1', 'read'), result('1', words(20)), assistant('done')];
    const session = sessionOf(user(words(20)), ...read, user('more'), assistant('done'));
    expect(await replayed(session, broken)).toMatchObject({ requests: 3, overflows: 3, invalid: 2 });
  });
});

test('a candidate gets the limit, the model and the counter, and each message once and in order', async () => {
  const told: unknown[] = [];
  const spy: Candidate = {
    ...everything,
    replay(task) {
      told.push(task);
      return {
        append: (message) => void told.push(message),
        view: async () => {
          told.push('view');
          return [];
        },
      };
    },
  };
  const session = sessionOf(user(words(20)), assistant('one'), assistant('two'));
  const [first, second, third] = session.messages;
  await replayed(session, spy);
  expect(told).toEqual([{ model: {}, limit: 10, tokensOf }, first, 'view', second, 'view', third]);
});

test('every candidate replays the same twice, except for times', async () => {
  const session = sessionOf(
    ...Array.from({ length: 6 }, (_, turn) => [
      user(`${words(20)} name_${turn}`),
      call(`${turn}`, 'read', { path: `src/${turn}.ts` }),
      result(`${turn}`, words(60, `line_${turn}`)),
      assistant(`name_${Math.floor(turn / 2)} is in src/${Math.floor(turn / 3)}.ts`),
    ]).flat(),
  );
  for (const candidate of candidates) {
    const again = () => replay(session, candidate, { limit: 400, tokensOf, common: new Set() });
    const [first, second] = [await again(), await again()];
    expect(second).toEqual(first && { ...first, msPerStep: second?.msPerStep });
  }
});
