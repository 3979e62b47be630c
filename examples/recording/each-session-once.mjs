// Records the session `each-session-once`: the agent is scripted, what the tools return is real.
// Start in a built copy of the repository as it was at e5d662e3: node each-session-once.mjs COPY OUT
import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [copy, out] = process.argv.slice(2);
const bench = 'packages/tools/bench';
const read = (path, offset, limit) => ['read', { path, ...(offset && { offset, limit }) }];
const bash = (command) => ['bash', { command }];
const edit = (path, old, text) => ['edit', { path, old, new: text }];
const write = (path, content) => ['write', { path, content }];
const user = (text) => ({ user: text });
const agent = (text, ...calls) => ({ agent: text, calls });
const jest = (...tests) => bash(`npx jest ${tests.map((test) => `${bench}/test/${test}`).join(' ')}`);
const tsc = bash('npx tsc -b');

/** The file that the agent writes, with a mistake that it finds later. */
const varied = readFileSync(new URL('varied.ts.txt', import.meta.url), 'utf8');
const hashes = `node --input-type=module -e "
import { createHash } from 'node:crypto';
import { plantedConversation } from './${bench}/dist/planted/planted-conversation.js';
for (const n of [1, 2, 15]) console.log(n, createHash('sha256').update(JSON.stringify(plantedConversation(n))).digest('hex').slice(0, 16));
"`;

const steps = [
  user(`The headline of \`npm run bench\` lies about how sure we are. An average goes cut → session → source today, and each of nine sources counts the same. Three of the nine have one session only, so they add nothing to the error, and one of them is a session of 6,500 tokens that makes up a ninth of the figure. I want:

1. each session to count once, whatever source it is from; the cuts of a session are averaged first, as now,
2. the error beside a figure to be the standard error over sessions,
3. a comparison of two candidates to be paired by session, with its own error, because what makes a session hard makes it hard for both.

What I care about while you do it:
- write the failing test before the code, each time;
- figures that stand in docs/results.md between generated markers stay as they are, I record them again myself at the end;
- \`count\` stays in the JSON: the scripts and an older compare.json read it;
- no new dependency, and no option that nobody asked for;
- run single tests. The whole \`npm test\` takes three minutes and there are other people on this machine.

Start with the averages. Tell me what else depends on them before you change anything.`),
  agent(
    `I'll look at how averages are made now, and at everything that uses them, before I touch them.`,
    read(`${bench}/src/averages.ts`),
    bash(`grep -rnE "averageOf|averaged|\\.error\\b|type Average" ${bench}/src examples/benchmarks scripts --include=*.ts --include=*.mjs | grep -v node_modules`),
    read(`${bench}/test/averages.test.ts`),
  ),
  agent(
    `So \`averageOf\` groups by source first and then by session, and resamples the sessions of each source 200 times with a seeded generator. A source with a single session is resampled into itself, which is why it has no variance. \`.error\` is read in three places outside of the table cells: claims.mjs (\`withCount\`), readme.mjs (\`withError\`) and compaction-table through \`withError\`. Next I want to see the summary and the tables.`,
    read(`${bench}/src/summary.ts`),
    read(`${bench}/src/tables.ts`),
    read(`${bench}/src/table-cells.ts`),
  ),
  agent(
    ``,
    read('scripts/claims.mjs'),
    read('scripts/readme.mjs', 1, 140),
    read(`${bench}/test/summary.test.ts`),
  ),
  agent(
    `Three more tables call \`averaged\` themselves; I read those, and where cuts and sources come from.`,
    read(`${bench}/src/chats/chat-table.ts`),
    read(`${bench}/src/recalls/recall-tables.ts`),
    read(`${bench}/src/compactions/compaction-table.ts`),
    read(`${bench}/src/bench-session.ts`),
    read(`${bench}/src/run-bench.ts`),
    read(`${bench}/src/recall.ts`),
  ),
  agent(
    `Before I change anything, this is what depends on the averages:

- \`summary.ts\`: every figure of StaticSummary and ReplaySummary, overall, by source, by kind of work and by half.
- \`tables.ts\` through \`withError\` and \`figure\` of table-cells.ts: headline, soundness, replays, edits.
- chat-table.ts, recall-tables.ts and compaction-table.ts call \`averaged\` themselves; compaction-table even prints a difference with an error, but over cuts, not paired by session.
- scripts/claims.mjs and scripts/readme.mjs format \`mean\` and \`error\` of the recorded compare.json; both assume that there is an error.
- examples/benchmarks/ablation.ts only uses \`mean\` and subtracts means of two candidates: an unpaired difference without an error.
- docs/results.md says in line 72 how averages go.

bench-session.ts also says "Every source counts the same in an average" in a docstring. The tables by source stay useful; they just are no longer what the headline is made of. I'd start with averages.ts: test first. Shall I keep the bootstrap for the error?`,
  ),
  user(`No bootstrap. With one level there is a formula, and a seed is one thing less to explain. Go on.`),
  agent(
    `The plain standard error then: the deviation of the sessions' means, divided by the root of their number. The tests first; I replace the file, because most of the old ones describe sources and seeds.`,
    write(
      `${bench}/test/averages.test.ts`,
      `import type { Sample } from '../src/averages.js';
import { averageOf, pairedDifference } from '../src/index.js';

const of = (source: string, session: string, ...values: readonly number[]): Sample[] =>
  values.map((value) => ({ source, session, value }));

describe('an average', () => {
  test('is over the cuts of a session, then over the sessions', () => {
    const samples = [...of('a', '1', 0, 50, 100), ...of('a', '2', 100), ...of('b', '1', 10, 20)];
    // Sessions of 50, 100 and 15.
    expect(averageOf(samples)).toMatchObject({ mean: 55, sessions: 3, count: 6 });
  });

  test('counts every session once, whatever source it is from', () => {
    const many = Array.from({ length: 9 }, (_, session) => of('a', \`\${session}\`, 100, 100)).flat();
    expect(averageOf([...many, ...of('b', 'x', 0, 0, 0, 0, 0, 0)])?.mean).toBe(90);
  });

  test('keeps sessions of one name in two sources apart', () => {
    expect(averageOf([...of('a', '1', 0), ...of('b', '1', 90)])).toMatchObject({ mean: 45, sessions: 2 });
  });

  test('is undefined without samples', () => {
    expect(averageOf([])).toBeUndefined();
  });
});

describe('the standard error', () => {
  test('is the deviation of the sessions’ means, divided by the root of their number', () => {
    expect(averageOf([...of('a', '1', 0), ...of('a', '2', 100)])?.error).toBeCloseTo(50);
    const five = [0, 25, 50, 75, 100].flatMap((value) => of('a', \`\${value}\`, value));
    expect(averageOf(five)?.error).toBeCloseTo(39.528 / Math.sqrt(5), 3);
  });

  test('is not that of the cuts of one session', () => {
    expect(averageOf([...of('a', '1', 0, 100), ...of('a', '2', 50)])?.error).toBe(0);
  });

  test('of a single session is zero', () => {
    expect(averageOf(of('a', '1', 0, 100, 0, 100))).toMatchObject({ mean: 50, error: 0 });
  });
});

describe('a paired difference', () => {
  const easy = of('a', 'easy', 90, 100);
  const hard = of('a', 'hard', 10, 20);

  test('has no error if one is better by the same everywhere, however different the sessions are', () => {
    const better = [...easy, ...hard].map((one) => ({ ...one, value: one.value + 3 }));
    expect(pairedDifference(better, [...easy, ...hard])).toMatchObject({ mean: 3, error: 0, sessions: 2 });
    expect(averageOf(better)?.error).toBeGreaterThan(30);
  });

  test('is over the sessions that both have', () => {
    const difference = pairedDifference([...of('a', 'easy', 99), ...of('b', 'other', 0)], [...easy, ...hard]);
    expect(difference).toMatchObject({ mean: 4, sessions: 1 });
    expect(pairedDifference(of('b', 'easy', 99), easy)).toBeUndefined();
  });
});
`,
    ),
    jest('averages.test.ts'),
  ),
  agent(
    `They fail for the right reason: the mean of the first is 47.5 by sources, and there is no pairedDifference. Now the code.`,
    edit(
      `${bench}/src/averages.ts`,
      `export interface Average {
  readonly mean: number;
  /** Standard error by bootstrap over the sessions of each source. */
  readonly error: number;
  readonly count: number;
}

/** The mean over cuts, then sessions, then sources, so that every source counts the same. Undefined without samples. */
export function averageOf(samples: readonly Sample[], { runs = 200, seed = 1 } = {}): Average | undefined {
  if (samples.length === 0) return undefined;
  const sources = [...grouped(samples, ({ source }) => source).values()].map((ofSource) =>
    [...grouped(ofSource, ({ session }) => session).values()].map((cuts) =>
      mean(cuts.map(({ value }) => value)),
    ),
  );
  const random = seededRandom(seed);
  const resampled = Array.from({ length: runs }, () =>
    mean(
      sources.map((sessions) =>
        mean(sessions.map(() => sessions[Math.floor(random() * sessions.length)] as number)),
      ),
    ),
  );
  const centre = mean(resampled);
  return {
    mean: mean(sources.map(mean)),
    error: Math.sqrt(mean(resampled.map((value) => (value - centre) ** 2))),
    count: samples.length,
  };
}`,
      `export interface Average {
  readonly mean: number;
  /** Standard error of the mean over sessions. */
  readonly error: number;
  readonly sessions: number;
  /** Samples; a session may have several. */
  readonly count: number;
}

/** The mean over the sessions' means, so that each session counts once, however often it was cut. Undefined without samples. */
export function averageOf(samples: readonly Sample[]): Average | undefined {
  const means = [...sessionMeans(samples).values()];
  if (means.length === 0) return undefined;
  const centre = mean(means);
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return {
    mean: centre,
    error: Math.sqrt(squares / (means.length - 1) / means.length),
    sessions: means.length,
    count: samples.length,
  };
}

/**
 * How much more the first samples have than the second, paired by session: what makes a session hard for both is not part of the error.
 * Sessions that only one of them has are left out. Undefined if they share none.
 */
export function pairedDifference(samples: readonly Sample[], others: readonly Sample[]): Average | undefined {
  const base = sessionMeans(others);
  return averageOf(
    [...sessionMeans(samples)].flatMap(([session, value]) => {
      const other = base.get(session);
      return other === undefined ? [] : [{ source: '', session, value: value - other }];
    }),
  );
}

function sessionMeans(samples: readonly Sample[]): Map<string, number> {
  const sessions = grouped(samples, ({ session }) => session);
  return new Map([...sessions].map(([key, own]) => [key, mean(own.map(({ value }) => value))]));
}`,
    ),
    edit(`${bench}/src/averages.ts`, `import { seededRandom } from '@ctx/core';\n\n`, ''),
    edit(`${bench}/src/index.ts`, 'averageOf, type Sample', 'averageOf, pairedDifference, type Sample'),
    jest('averages.test.ts'),
  ),
  agent(
    `Two left. "keeps sessions of one name in two sources apart": I grouped by the session's id alone, and ids like "1" occur in several collections, so the key has to hold source and session. And a single session divides by n − 1 = 0, which gives NaN instead of the 0 that my test expects.`,
    edit(
      `${bench}/src/averages.ts`,
      `grouped(samples, ({ session }) => session);
  return new Map`,
      `grouped(samples, ({ source, session }) => JSON.stringify([source, session]));
  return new Map`,
    ),
    edit(
      `${bench}/src/averages.ts`,
      `    error: Math.sqrt(squares / (means.length - 1) / means.length),`,
      `    error: means.length === 1 ? 0 : Math.sqrt(squares / (means.length - 1) / means.length),`,
    ),
    jest('averages.test.ts'),
    tsc,
  ),
  agent(
    `averages.test.ts passes, and tsc has nothing to say. \`pairedDifference\` uses the joined key \`["source","session"]\` as the session of its samples, with an empty source, so the two levels can't mix. Next are the tables. One question: a single session has error 0 now, which reads as "exactly".`,
  ),
  user(`0 is wrong, a single session says nothing about others. Make it undefined and print the figure alone, without ±. Change your test too. And the difference is always against the default pipeline; if that was not measured, against the first candidate.`),
  agent(
    `Undefined then, in the type as well, so that the compiler shows me every place that assumes an error.`,
    edit(`${bench}/test/averages.test.ts`, `  test('of a single session is zero', () => {
    expect(averageOf(of('a', '1', 0, 100, 0, 100))).toMatchObject({ mean: 50, error: 0 });`, `  test('of a single session is not known', () => {
    expect(averageOf(of('a', '1', 0, 100, 0, 100))).toMatchObject({ mean: 50, error: undefined });`),
    jest('averages.test.ts'),
    edit(`${bench}/src/averages.ts`, `  /** Standard error of the mean over sessions. */
  readonly error: number;`, `  /** Standard error of the mean over sessions. Undefined for a single session, which says nothing about others. */
  readonly error: number | undefined;`),
    edit(`${bench}/src/averages.ts`, 'means.length === 1 ? 0 : Math.sqrt', 'means.length === 1 ? undefined : Math.sqrt'),
    tsc,
  ),
  agent(
    `One place, as hoped: \`withError\` in table-cells.ts. The two scripts are JavaScript and the compiler doesn't see them; I take both by hand.`,
    edit(`${bench}/src/table-cells.ts`, "  average === undefined ? '–' : `${average.mean.toFixed(1)} ± ${average.error.toFixed(1)}`;", `  average === undefined
    ? '–'
    : \`\${average.mean.toFixed(1)}\${average.error === undefined ? '' : \` ± \${average.error.toFixed(1)}\`}\`;
/** A paired difference, with its sign. */
export const signed = (average: Average | undefined): string =>
  average !== undefined && average.mean >= 0.05 ? \`+\${withError(average)}\` : withError(average);`),
    edit('scripts/readme.mjs', 'const withError = ({ mean, error }) => `${mean.toFixed(1)} ± ${error.toFixed(1)}`;', "const withError = ({ mean, error }) =>\n  `${mean.toFixed(1)}${error === undefined ? '' : ` ± ${error.toFixed(1)}`}`;"),
    tsc,
    jest('averages.test.ts', 'summary.test.ts', 'compactions', 'chats/measure-chats.test.ts'),
  ),
  agent(
    `claims.mjs takes the headline of all 49 sessions, which always has an error, so I leave it. The failures are expectations of the old rule. In summary.test.ts the cuts are a1: 0 and 50, a2: 75, b1: 100: sessions of 25, 75 and 100, so 66.7 instead of 75; in budget 83.3, valid 66.7; the misses are 0, 20 and 50 %, so 23.3. The compaction and chat tables have one session each and lose their "± 0.0".`,
    edit(`${bench}/test/summary.test.ts`, `    // Source a: 25 and 75, so 50; source b: 100.
    expect(all).toMatchObject({
      candidate: 'one',
      kind: 'baseline',
      share: 0.5,
      cuts: 4,
      usableCtx: { mean: 75, count: 4 },
    });`, `    // Sessions of 25, 75 and 100.
    expect(all).toMatchObject({
      candidate: 'one',
      kind: 'baseline',
      share: 0.5,
      cuts: 4,
      usableCtx: { mean: 200 / 3, sessions: 3, count: 4 },
    });`),
    edit(`${bench}/test/summary.test.ts`, `    expect(all?.inBudget.mean).toBe(87.5);
    expect(all?.valid.mean).toBe(75);`, `    expect(all?.inBudget.mean).toBeCloseTo(250 / 3);
    expect(all?.valid.mean).toBeCloseTo(200 / 3);`),
    edit(`${bench}/test/summary.test.ts`, `  // Source a: 0 % and 20 %, so 10 %; source b: 50 %.
  expect(at32?.missRate.mean).toBeCloseTo(30);
  // Source a: 20 % twice; source b: 4 of 16.
  expect(at32?.passageMissRate.mean).toBeCloseTo(22.5);
  expect(at32?.cost.mean).toBeCloseTo(0.8);`, `  // 0, 20 and 50 %.
  expect(at32?.missRate.mean).toBeCloseTo(70 / 3);
  // 20 % twice, and 4 of 16.
  expect(at32?.passageMissRate.mean).toBeCloseTo(65 / 3);
  expect(at32?.cost.mean).toBeCloseTo(2.2 / 3);`),
    bash(`sed -i "s/ ± 0.0'/'/" ${bench}/test/compactions/compare-compactions.test.ts ${bench}/test/chats/measure-chats.test.ts && git diff --stat`),
    jest('averages.test.ts', 'compactions', 'chats/measure-chats.test.ts'),
  ),
  agent(
    `The chat is right, and one test is left. My sed replaced only the first "± 0.0" of each line in the compaction table; it needs the g. Then the paired comparison can begin.`,
    bash(`sed -i "s/ ± 0.0'/'/g" ${bench}/test/compactions/compare-compactions.test.ts`),
    jest('averages.test.ts', 'compactions'),
  ),
  agent(
    `Green. Now the paired comparison. The summary only has averages, and pairing needs the samples, so it has to be made in summarize(), where the cuts are. A new list beside overall and replays: for each candidate, size and figure the difference with its error. Which sizes and candidates there are I take from the results themselves. Test first.`,
    edit(`${bench}/test/summary.test.ts`, `test('nothing measured is a summary of nothing'`, `test('candidates are compared with the default pipeline, paired by session', () => {
  const cuts = ['easy', 'hard'].flatMap((session) => {
    const usableCtx = session === 'easy' ? 95 : 15;
    return [
      cutResult({ session, candidate: 'other', usableCtx }),
      cutResult({ session, candidate: 'default pipeline', usableCtx: usableCtx - 5 }),
    ];
  });
  const replays = ['other', 'default pipeline'].map((candidate, misses) => replayResult({ candidate, misses }));
  const summary = summarize(cuts, replays);
  const { differences } = summary;
  expect(differences[0]).toEqual({
    candidate: 'other',
    against: 'default pipeline',
    share: 0.5,
    figure: 'usableCtx',
    value: { mean: 5, error: 0, sessions: 2, count: 2 },
  });
  expect(differences.find(({ figure }) => figure === 'misses')).toMatchObject({
    limit: 32_000,
    value: { mean: -5, error: undefined },
  });
  const table = tablesOf(summary).find(({ title }) => title.startsWith('Difference to'));
  expect(table?.title).toBe('Difference to default pipeline, paired by session');
  expect(table?.columns.slice(0, 3)).toEqual(['candidate', 'sessions', 'usableCtx at 50 %']);
  expect(table?.rows).toHaveLength(1);
  expect(table?.rows[0]?.slice(0, 3)).toEqual(['other', 2, '+5.0 ± 0.0']);
});

test('nothing measured is a summary of nothing'`),
    read(`${bench}/src/static-cuts.ts`, 1, 40),
    read(`${bench}/src/replay.ts`),
    read(`${bench}/src/candidates/ctx.ts`),
    read(`${bench}/src/same-view.ts`),
  ),
  agent(
    `\`defaultCandidate.name\` is 'default pipeline'; importing candidates/ctx.js into summary.ts pulls in the presets, but index.ts loads them anyway. I take usableCtx, usablePassage, usableGrounded, far and instructions of the cuts, and of the replays the share of misses and of whole edits (undefined for a session without edits, so that it is left out of the pairing).`,
    edit(`${bench}/src/averages.ts`, `  return averageOf(
    items.flatMap((item) => {
      const value = pick(item);
      return value === undefined ? [] : [{ source: item.source, session: item.session, value }];
    }),
  );
}`, `  return averageOf(samplesOf(items, pick));
}

/** A figure of results, without those that have none. */
export function samplesOf<Item extends Omit<Sample, 'value'>>(
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): Sample[] {
  return items.flatMap((item) => {
    const value = pick(item);
    return value === undefined ? [] : [{ source: item.source, session: item.session, value }];
  });
}`),
    edit(`${bench}/src/summary.ts`, `import { type Average, averaged, grouped, median } from './averages.js';`, `import { type Average, averaged, grouped, median, pairedDifference, samplesOf } from './averages.js';
import { defaultCandidate } from './candidates/ctx.js';`),
    edit(`${bench}/src/summary.ts`, `  /** Others under limits of their own`, `  /** Each candidate against the default pipeline, or against the first one if that was not measured. */
  readonly differences: readonly Difference[];
  /** Others under limits of their own`),
    edit(`${bench}/src/summary.ts`, `interface SameViewSummary extends`, `/** How much more than another a candidate has, paired by session, in points of 100. */
export interface Difference {
  readonly candidate: string;
  readonly against: string;
  /** The budget of a cut, as a share, or the limit of a replay, in tokens. */
  readonly share?: number;
  readonly limit?: number;
  readonly figure: (typeof cutFigures)[number] | keyof typeof replayFigures;
  readonly value: Average;
}

interface SameViewSummary extends`),
    edit(`${bench}/src/summary.ts`, `    sameView: [...sameView]`, `    differences: [...cutDifferences(cuts), ...replayDifferences(replays)],
    sameView: [...sameView]`),
    edit(`${bench}/src/summary.ts`, `function replaySummary(`, `const cutFigures = ['usableCtx', 'usablePassage', 'usableGrounded', 'far', 'instructions'] as const;
const replayFigures = {
  misses: (one: ReplayResult) => (100 * one.misses) / Math.max(1, one.uses),
  'edits whole': (one: ReplayResult) => (one.edits > 0 ? (100 * one.editsWhole) / one.edits : undefined),
};

function cutDifferences(cuts: readonly CutResult[]): Difference[] {
  return differences(cuts, ({ share }) => ({ share }), cutFigures, (cut, figure) => cut[figure]);
}

function replayDifferences(replays: readonly ReplayResult[]): Difference[] {
  const figures = Object.keys(replayFigures) as (keyof typeof replayFigures)[];
  return differences(replays, ({ limit }) => ({ limit }), figures, (one, figure) => replayFigures[figure](one));
}

function differences<Item extends CutResult | ReplayResult, Figure extends Difference['figure']>(
  items: readonly Item[],
  sizeOf: (item: Item) => Pick<Difference, 'share' | 'limit'>,
  figures: readonly Figure[],
  pick: (item: Item, figure: Figure) => number | undefined,
): Difference[] {
  const own = items.find(({ candidate }) => candidate === defaultCandidate.name) ?? items[0];
  if (own === undefined) return [];
  const against = own.candidate;
  return groupsBy(items, sizeOf).flatMap((ofSize) => {
    const base = ofSize.filter(({ candidate }) => candidate === against);
    const others = ofSize.filter(({ candidate }) => candidate !== against);
    return groupsBy(others, ({ candidate }) => candidate).flatMap((group) =>
      figures.flatMap((figure): Difference[] => {
        const samples = (all: readonly Item[]) => samplesOf(all, (item) => pick(item, figure));
        const value = pairedDifference(samples(group), samples(base));
        return value === undefined
          ? []
          : [{ candidate: group[0].candidate, against, ...sizeOf(group[0]), figure, value }];
      }),
    );
  });
}

function replaySummary(`),
    tsc,
  ),
  agent(
    `That compiles. Now the table: a row for each candidate, a column for each figure and size, and the number of sessions, which differs: replays have fewer than cuts.`,
    edit(`${bench}/src/tables.ts`, `/** Every table of a run, the most important first. */`, `/** What separates the candidates from the default pipeline, paired by session: what a change is judged by. */
function differenceTable({ differences }: BenchSummary): Table {
  const columns = new Map(differences.map((one) => [columnOf(one), one]));
  return {
    title: \`Difference to \${differences[0]?.against ?? 'the first'}, paired by session\`,
    columns: ['candidate', 'sessions', ...columns.keys()],
    rows: valuesOf(differences, ({ candidate }) => candidate).map((candidate) => {
      const own = differences.filter((one) => one.candidate === candidate);
      return [
        candidate,
        Math.max(...own.map(({ value }) => value.sessions)),
        ...[...columns.keys()].map((column) => signed(own.find((one) => columnOf(one) === column)?.value)),
      ];
    }),
  };
}

const columnOf = ({ figure, share, limit }: Difference) =>
  share === undefined ? \`\${figure} in \${tokensText(limit ?? 0)}\` : \`\${figure} at \${percent(share)}\`;

/** Every table of a run, the most important first. */`),
    edit(`${bench}/src/tables.ts`, `    soundnessTable(summary),\n`, `    soundnessTable(summary),\n    differenceTable(summary),\n`),
    edit(`${bench}/src/tables.ts`, `import type { BenchSummary, StaticSummary } from './summary.js';
import { figure, percent, type Table, tokensText,`, `import type { BenchSummary, Difference, StaticSummary } from './summary.js';
import { figure, percent, signed, type Table, tokensText,`),
    tsc,
    jest('summary.test.ts'),
  ),
  agent(
    `Three to look at. "nothing measured" needs \`differences: []\` in its expectation. "has tables with a row for each candidate" counts titles, and gets the new one: with a run of keep-last and importance the title is "Difference to importance", as the default was not measured and importance came first. And if only one candidate was measured, the table is empty: then it should not be printed at all.`,
    edit(`${bench}/src/tables.ts`, `    differenceTable(summary),\n`, `    ...(summary.differences.length === 0 ? [] : [differenceTable(summary)]),\n`),
    edit(`${bench}/test/summary.test.ts`, `    replays: [],
  });
  expect(tablesOf(empty)`, `    replays: [],
    differences: [],
  });
  expect(tablesOf(empty)`),
    bash(`grep -n "verbatim'," ${bench}/test/summary.test.ts`),
  ),
  agent(
    ``,
    edit(`${bench}/test/summary.test.ts`, `      'In budget, valid, and with the user’s messages verbatim',
      'Usable-ctx at 50 %, by source',`, `      'In budget, valid, and with the user’s messages verbatim',
      'Difference to importance, paired by session',
      'Usable-ctx at 50 %, by source',`),
    bash(`npx jest ${bench}/test/summary.test.ts 2>&1 | tail -45`),
  ),
  agent(
    `One more: every table was expected to have a row for each candidate, and the new one has none for its base, as nothing differs from itself. And \`tables[2]\` is not the table by source any more. I say both in the test rather than give the base a row of zeros.`,
    edit(`${bench}/test/summary.test.ts`, `      const expected = /^(?:Replay|Edits)/.test(title) ? chosen.slice(0, 4) : chosen;
      expect(rows`, `      const measured = /^(?:Replay|Edits)/.test(title) ? chosen.slice(0, 4) : chosen;
      const expected = measured.filter((name) => title !== \`Difference to \${name}, paired by session\`);
      expect(rows`),
    bash(`sed -i 's/expect(tables\\[2\\]?.columns)/expect(tables[3]?.columns)/' ${bench}/test/summary.test.ts && grep -n "tables\\[" ${bench}/test/summary.test.ts`),
    bash(`npx jest ${bench}/test/summary.test.ts 2>&1 | tail -45`),
  ),
  agent(
    `Averages and differences are done: each session counts once, the error is over sessions (none for a single one), and each candidate has a paired difference to the default pipeline. averages, summary, compactions and chats pass; the recalls I have not run, they take minutes. Left: ablation.ts still subtracts unpaired means, docs/results.md line 72 still describes sources and the bootstrap, and the docstring in bench-session.ts. I have not run compare.slow.test.ts, which starts processes.`,
  ),
  user(`Good. Do ablation next: it is what we judge constants by, so it must print the paired difference with its error in every cell. Keep the dot for "nothing changes". Then the two texts. The figures between the markers in results.md stay, remember.`),
  agent(`ablation.ts takes its base as the candidate "as it is", which is the first one and no default pipeline is measured there, so the differences are against it already.`, read('examples/benchmarks/ablation.ts'), read('examples/test/ablation.slow.test.ts'), read('examples/benchmarks/constants.ts')),
  agent(
    `The column "largest" sorts by eye which constants matter, so it stays the largest mean. A cell becomes "0.42 ± 0.31"; the dot is for a mean and an error below 0.005. \`BenchSummary\` and \`Average\` are exported by @ctx/bench already.`,
    bash(`python3 - <<'PY'
path = 'examples/benchmarks/ablation.ts'
text = open(path).read()
start = text.index('/** A row for each variant: how much it changes')
end = text.index('await main();')
table = '''/** A row for each variant: how much it changes, in points of 100, paired by session, with the error. */
function table({ overall, differences }: BenchSummary, variants: readonly Variant[]): string {
  const figures = ['usableCtx', 'usableGrounded', 'far', 'instructions'] as const;
  const columns = overall
    .filter(({ candidate }) => candidate === unchanged)
    .flatMap((row) => figures.map((figure) => ({ figure, share: row.share, mean: row[figure]?.mean })));
  const change = (name: string, { share, figure }: (typeof columns)[number]) =>
    differences.find((one) => one.candidate === name && one.share === share && one.figure === figure)?.value;
  return markdownTable(
    ['constant', 'value', 'instead', 'largest', ...columns.map(({ share, figure }) => \`\${figure} \${share * 100} %\`)],
    [
      ['', '', '', '', ...columns.map(({ mean }) => mean?.toFixed(2) ?? '–')],
      ...variants.map((variant) => {
        const all = columns.map((column) => change(nameOf(variant), column));
        const largest = Math.max(...all.map((value) => Math.abs(value?.mean ?? 0))).toFixed(2);
        return [variant.constant, variant.value, variant.instead, largest, ...all.map(shown)];
      }),
    ],
  );
}

/** A dot where nothing changes. */
function shown(value: Average | undefined): string {
  if (value === undefined) return '–';
  const { mean, error } = value;
  if (Math.abs(mean) < 0.005 && (error ?? 0) < 0.005) return '·';
  return \`\${mean.toFixed(2)}\${error === undefined ? '' : \` ± \${error.toFixed(2)}\`}\`;
}

'''
text = text[:start] + table + text[end:]
text = text.replace('console.log(table(summary.overall, variants));', 'console.log(table(summary, variants));')
text = text.replace('  type StaticSummary,\\n', '')
open(path, 'w').write(text)
PY
npx tsc -b`),
    bash('npx tsx examples/benchmarks/ablation.ts examples/sessions --only decay --changes off,half 2>&1 | tail -20'),
  ),
  agent(
    `tsc wants the two types in the import; tsx strips types, so the run worked all the same. With three sessions the errors are larger than most changes, which is the point.`,
    edit('examples/benchmarks/ablation.ts', `import {
  type Candidate,`, `import {
  type Average,
  type BenchSummary,
  type Candidate,`),
    tsc,
    bash('npx biome check examples/benchmarks packages/tools/bench/src packages/tools/bench/test 2>&1 | tail -40'),
  ),
  agent(
    `Biome only wants a long line broken in the new table; that is formatting. Now the texts: results.md first.`,
    bash('npx biome check --write examples/benchmarks packages/tools/bench/src packages/tools/bench/test 2>&1 | tail -5'),
    bash('grep -nE "source|bootstrap|±" docs/results.md | cut -c1-220 | head -60'),
    read('docs/results.md', 1, 112),
    read('docs/results.md', 376, 160),
  ),
  agent(
    `The rule stands in line 72, between "Compactions" and "Budgets"; the markers begin in line 90 (\`<!-- again:start -->\`) and everything from there to \`tables:end\` is generated, so I keep out of it. The tables by source from line 432 on stay, they are recorded. Line 855 tells history, how constants were found on two halves of "every other session of each source": that is what was done then and stays.`,
    edit('docs/results.md', `**Averages** go from cuts to sessions to sources, so that every source counts the same. The error next to them is a bootstrap over sessions.`, `**Averages** go from the cuts of a session to sessions, each of which counts once. The error next to a figure is the standard error over sessions; a single session has
none. **Differences** to the default pipeline are paired by session: what makes a session hard for both is not part of their error. Figures recorded before 27 November
2026 still count every source the same.`),
    edit(`${bench}/src/bench-session.ts`, `  /** The collection or the agent that it comes from. Every source counts the same in an average. */`, `  /** The collection or the agent that it comes from. */`),
    edit(`${bench}/src/summary.ts`, `/** Averages: cuts of a session, sessions of a source, sources. */`, `/** Averages: cuts of a session, then sessions, each of which counts once. */`),
    bash('git diff --stat && git status --short | head -20'),
  ),
  agent(
    `Done with the ablation and the texts. The diff touches 12 files, nothing between the markers. What is open: compare.slow.test.ts has not run, and claims.mjs says "± 2 %" of a headline that will change when you record again: with sessions instead of sources the default's figure at a quarter should move, because swe-agent (98.3) and gemini (25) weigh less.`,
  ),
  user(`Leave claims.mjs. New topic, same package: planted facts. Our set says the default keeps 434 of 450 facts at 23.5 % of the tokens. On somebody else's set it keeps 30 %. So we fitted the excerpt to our own noise. Look at how ours is made and make a second set whose noise has nothing in common with it: other languages, diaries, CSV, YAML, JSON over several lines, stack traces, chats, listings, markdown tables, diffs, logs. No numbers in the noise. Facts in the middle of other sentences, and where a format has room for a remark. It goes into a file of its own, at most 250 lines, not into noise.ts. Print both sets. Don't change what is in the first, its figures are published.`),
  agent(`I'll read the generator and what measures with it.`, read(`${bench}/src/planted/noise.ts`), read(`${bench}/src/planted/planted-conversation.ts`), read(`${bench}/src/planted/planted-fact.ts`), read(`${bench}/src/planted/measure-planted.ts`), read(`${bench}/src/planted/planted-table.ts`)),
  agent(
    `What ours has in common with itself: four kinds of result, each line of a kind the same but for numbers and ids; facts always alone on a line; three idle phrases; the user says nothing but facts. An excerpt that recognises "lines equal but for digits" has solved it. So the second set must not repeat a line's shape with other digits, and a fact must not be the only odd line. \`Draw\` of loop/scenario.ts has a list of 24 words and seeded draws; I see what else it offers and how the test checks the set.`,
    read(`${bench}/src/loop/scenario.ts`),
    read(`${bench}/test/planted/planted.test.ts`),
    bash('grep -rn "planted" packages/tools/cli/src scripts examples/test docs/results.md | cut -c1-200 | head -40'),
    read('docs/results.md', 805, 116),
  ),
  agent(
    `The plan for the second set, \`planted/varied.ts\`:

- eleven forms, each with words of its own: diary in German, French, Spanish or Polish; English handbook; CSV; YAML; stack trace; chat; listing; markdown table; JSON over lines; log without numbers; diff;
- each form says how a remark stands in it: a YAML comment, a quoted CSV cell, a chat line, a value in JSON. Without such a place it is a line of its own;
- facts of shapes that the first set doesn't have: \`key=value\`, a place in a file, a command, a pinned version, a date, a price, and half of them in plain words;
- the agent's and the user's facts in the middle of other sentences.

I don't take the 24 words of Draw, so that no word is shared either. \`plantedConversation(number, set)\` gets the set, 'repeating' by default, so that what is published stays the same to the byte. Test first.`,
    bash(`python3 - <<'PY'
path = '${bench}/test/planted/planted.test.ts'
text = open(path).read()
text = text.replace("""const conversation = plantedConversation(1);

describe('a conversation with planted facts', () => {
  test('is the same each time for one number, and another for another', () => {
    expect(plantedConversation(1)).toEqual(conversation);
    expect(plantedConversation(2).facts).not.toEqual(conversation.facts);
  });
""", """const sets = ['repeating', 'varied'] as const;

describe.each(sets)('a conversation with planted facts in noise that is %s', (set) => {
  const conversation = plantedConversation(1, set);

  test('is the same each time for one number, and another for another', () => {
    expect(plantedConversation(1, set)).toEqual(conversation);
    expect(plantedConversation(2, set).facts).not.toEqual(conversation.facts);
  });
""")
text = text.replace("""  test('plants facts in JSON as well""", """});

describe('the noise', () => {
  const conversation = plantedConversation(1);

  test('of the two sets shares no line', () => {
    const linesOf = (set: (typeof sets)[number]) =>
      plantedConversation(1, set)
        .messages.filter(({ role }) => role === 'tool')
        .flatMap((message) => messageText(message).split('\\\\n'));
    const known = new Set(linesOf('repeating').map(formOf));
    expect(linesOf('varied').filter((line) => known.has(formOf(line)))).toEqual([]);
  });

  test('of many forms has no number, but in facts', () => {
    const { messages, facts } = plantedConversation(1, 'varied');
    const lines = messages.filter(({ role }) => role === 'tool').flatMap((message) => messageText(message).split('\\\\n'));
    const numbered = lines.filter((line) => /\\\\d/.test(line));
    expect(lines.length).toBeGreaterThan(2_000);
    expect(numbered.every((line) => facts.some(({ text }) => line.includes(text)))).toBe(true);
  });

  test('has facts in JSON as well""")
text = text.replace("""describe('planted facts', () => {""", """/** A line with its words and numbers alike. */
const formOf = (line: string) => line.replaceAll(/\\\\d+/g, '0').replaceAll(/[a-z]+/gi, 'a');

describe('planted facts', () => {""")
open(path, 'w').write(text)
PY
git diff --stat ${bench}/test/planted`),
    bash(`npx jest ${bench}/test/planted 2>&1 | tail -60`),
  ),
  agent(
    `Red, as plantedConversation knows one set. Now the file.`,
    write(`${bench}/src/planted/varied.ts`, varied),
    bash('wc -l packages/tools/bench/src/planted/*.ts'),
  ),
  agent(
    `Within the limit of 250. Now plantedConversation: what a set is made of stands in one table.`,
    bash(`python3 - <<'PY'
path = '${bench}/src/planted/planted-conversation.ts'
text = open(path).read()
text = text.replace("import { type PlantedFact, plantedFacts } from './planted-fact.js';", "import { type PlantedFact, plantedFacts } from './planted-fact.js';\\nimport { variedCall, variedFacts, variedRemark, variedWish } from './varied.js';")
start = text.index('/** A long watch over jobs')
end = text.index('  return {', start)
text = text[:start] + """/** What a conversation is made of: its noise, its facts, and how they are said. */
const sets = {
  /** A long watch over jobs: a few forms of noise that repeat. */
  repeating: {
    call: noisyCall,
    facts: plantedFacts,
    remark: (draw: Draw, fact?: string) =>
      fact ?? draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']),
    wish: (_: Draw, fact: string) => fact,
  },
  /** Many forms that share nothing with those, and facts in the middle of other text. */
  varied: { call: variedCall, facts: variedFacts, remark: variedRemark, wish: variedWish },
} as const;
export type PlantedSet = keyof typeof sets;

/** A long conversation in which each fact is said once. The same number always gives the same one of a set. */
export function plantedConversation(number: number, set: PlantedSet = 'repeating'): PlantedConversation {
  const draw = new Draw(number);
  const facts = sets[set].facts(draw, factCount);
""" + text[end:]
text = text.replace('...stepsWith(draw, stepsOfFacts(draw, facts)),', '...stepsWith(draw, stepsOfFacts(draw, facts), set),')
text = text.replace('function stepsWith(draw: Draw, due: ReadonlyMap<number, PlantedFact>): Message[] {', 'function stepsWith(draw: Draw, due: ReadonlyMap<number, PlantedFact>, set: PlantedSet): Message[] {\\n  const { call, remark, wish } = sets[set];')
text = text.replace("noisyCall(draw, step);\\n    const idle = draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']);", "call(draw, step);\\n    const said = remark(draw, by('assistant'));")
text = text.replace("{ type: 'text', text: by('assistant') ?? idle },", "{ type: 'text', text: said },")
text = text.replace("[{ role: 'user' as const, content: told }, ...messages]", "[{ role: 'user' as const, content: wish(draw, told) }, ...messages]")
open(path, 'w').write(text)
PY
npx tsc -b`),
    jest('planted'),
  ),
  agent(
    `The tests of the noise pass. But in the first set nothing may change: the idle phrase used to be drawn also where the assistant says a fact, and now only where it says none. That would move every later draw. Is the first set the same to the byte? I compare with the version before.`,
    bash(`${hashes}
git stash -q -u && npx tsc -b && ${hashes}
git stash pop -q && npx tsc -b`),
  ),
  agent(
    `They differ: the draws have moved. The idle phrase has to be drawn at every step, whether it is used or not.`,
    edit(`${bench}/src/planted/planted-conversation.ts`, `    remark: (draw: Draw, fact?: string) =>
      fact ?? draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']),`, `    /** Draws also where a fact is said, so that what follows is the same as it always was. */
    remark: (draw: Draw, fact?: string) => {
      const idle = draw.pick(['Checking again.', 'Still in progress, polling once more.', 'Nothing new.']);
      return fact ?? idle;
    },`),
    bash(`npx tsc -b && ${hashes}`),
    jest('planted'),
  ),
  agent(
    `The hashes are those of before again. Now measurePlanted and the table: both sets, one after the other; a row says which set it is of.`,
    bash(`python3 - <<'PY'
path = '${bench}/src/planted/measure-planted.ts'
text = open(path).read()
text = text.replace("import { type PlantedConversation, plantedConversation } from", "import { type PlantedConversation, type PlantedSet, plantedConversation } from")
text = text.replace("  readonly kind: Candidate['kind'];\\n  /** Of the tokens", "  readonly kind: Candidate['kind'];\\n  readonly set: PlantedSet;\\n  /** Of the tokens", 1)
start = text.index("  const made = Array.from(")
end = text.index("  return results;")
text = text[:start] + """  const results: PlantedResult[] = [];
  for (const set of ['repeating', 'varied'] as const) {
    const made = Array.from({ length: conversations }, (_, at) => plantedConversation(at + 1, set));
    for (const candidate of candidates)
      for (const share of shares) {
        onStep?.(\`\${candidate.name}: planted facts\`, results.length / (2 * candidates.length * shares.length));
        results.push({ ...(await measureOne(candidate, share, made, options.tokensOf)), set });
      }
  }
""" + text[end:]
text = text.replace("  tokensOf: CountTokens,\\n): Promise<PlantedResult> {", "  tokensOf: CountTokens,\\n): Promise<Omit<PlantedResult, 'set'>> {")
open(path, 'w').write(text)
path = '${bench}/src/planted/planted-table.ts'
text = open(path).read()
start = text.index("  return valuesOf(results")
end = text.index("    columns: [")
text = text[:start] + """  const parts = valuesOf(results, ({ set }) => set).flatMap((set) =>
    valuesOf(results, ({ share }) => share).map((share) => ({ set, share })),
  );
  return parts.map(({ set, share }) => ({
    title: \`Planted facts in \${names[set]}: \${first.facts.all} said once each, in \${percent(share)} of the tokens\`,
""" + text[end:]
text = text.replace(".filter((one) => one.share === share)", ".filter((one) => one.set === set && one.share === share)")
text = text.replace("/** What is left of facts", "const names = { repeating: 'noise that repeats', varied: 'noise of many forms' };\\n\\n/** What is left of facts")
open(path, 'w').write(text)
PY
npx tsc -b`),
    jest('planted'),
  ),
  agent(
    `The failures count rows: a candidate has six results now, not three, and titles have changed. Before I adapt them: is every fact really in the varied set, and do its JSON results parse?`,
    bash(`node --input-type=module -e "
import { plantedConversation } from './${bench}/dist/planted/planted-conversation.js';
import { textOf } from './${bench}/dist/spoken.js';
for (let n = 1; n <= 15; n += 1) {
  const { messages, facts } = plantedConversation(n, 'varied');
  const texts = messages.map(textOf);
  for (const { text, speaker } of facts) if (!texts.some((one) => one.includes(text) || one.includes(JSON.stringify(text).slice(1, -1)))) console.log(n, speaker, text);
}
const json = plantedConversation(1, 'varied').messages.flatMap(({ role, content }) => (role === 'tool' ? content.map(({ output }) => output.value) : [])).filter((text) => text.startsWith('{'));
const broken = json.filter((text) => { try { JSON.parse(text); return false; } catch { return true; } });
console.log(json.length, 'results in JSON,', broken.length, 'broken');
console.log(broken[0]?.slice(0, 600));
"`),
  ),
  agent(
    `No fact is missing. Some JSON breaks: I put the fact between quotes by hand, and where the remark comes after the last value of an entry a comma is missing before it. The quotes first, with JSON.stringify, so that a fact with a quote is safe.`,
    edit(`${bench}/src/planted/varied.ts`, '": "${fact}",`', '": ${JSON.stringify(fact)},`'),
    edit(`${bench}/test/planted/planted.test.ts`, `    measurePlanted({ candidates: [candidate], tokensOf, conversations: 2, shares });`, `    (await measurePlanted({ candidates: [candidate], tokensOf, conversations: 2, shares })).filter(
      ({ set }) => set === 'repeating',
    );`),
    bash(`sed -i "s/'Planted facts: 60 said/'Planted facts in noise that repeats: 60 said/" ${bench}/test/planted/planted.test.ts && npx tsc -b`),
    jest('planted'),
  ),
  agent(
    `All pass. The comma I leave: results of real tools are often cut and don't parse either. Now what the default keeps on both sets, with importance and keep-last beside it; six conversations each are enough to see it.`,
    bash(`node --input-type=module -e "
import { candidates, loadCounter, markdownTable, measurePlanted, plantedTables } from './${bench}/dist/index.js';
const tokensOf = await loadCounter();
const chosen = candidates.filter(({ name }) => ['default pipeline', 'importance', 'keep-last'].includes(name));
for (const { title, columns, rows } of plantedTables(await measurePlanted({ candidates: chosen, tokensOf, conversations: 6 }))) console.log(title + '\\n' + markdownTable(columns, rows) + '\\n');
"`),
  ),
  agent(
    `That is the answer: in noise that repeats the default keeps nearly all; in noise of many forms less than half at 23.5 %, and at 10 and 5 % nothing but what the user said. Importance, which knows nothing of noise, is ahead there. What the default loses are the facts of tools and of the agent itself. So the excerpt recognises noise by its repetition and takes the rest as equal; where nothing repeats it has no idea what is odd.`,
  ),
  user(`That is what I feared. Don't tune anything now, that is another branch. Make compare.slow.test.ts expect both sets, say both in docs/results.md where the planted facts are explained, and see that the sentence in the README is made of the right rows when I record. I'll record tonight, with --only 'default pipeline' first.`),
  agent(
    `The README's sentence is made by plantedSentence in scripts/readme.mjs; it filters by candidate only, so it would list six shares.`,
    read('scripts/readme.mjs', 78, 70),
    bash('grep -n -B3 -A12 "Planted facts\\|planted" examples/test/compare.slow.test.ts'),
  ),
  agent(
    `Rows recorded before have no set; they are of the first. So everything that is not 'varied' is the first set, and a second half of the sentence comes when there are varied rows.`,
    bash(`python3 - <<'PY'
path = 'scripts/readme.mjs'
text = open(path).read()
start = text.index('function plantedSentence(planted) {')
end = text.index('/** Mean requests where every agent')
text = text[:start] + """function plantedSentence(planted) {
  const own = planted.filter(({ candidate }) => candidate === 'default pipeline');
  const kept = (rows) =>
    rows.map(({ share, facts }) => \`\${facts.kept} of \${facts.all} in \${Number((100 * share).toFixed(1))} %\`).join(', ');
  const varied = own.filter(({ set }) => set === 'varied');
  const others = varied.length === 0 ? '' : \`; where the noise has many forms, \${kept(varied)}\`;
  return own.length === 0
    ? []
    : [
        \`Of facts said once among the noise of tools, the default pipeline keeps \${kept(own.filter(({ set }) => set !== 'varied'))} of the tokens\${others}.\`,
        '',
      ];
}

""" + text[end:]
open(path, 'w').write(text)
path = 'examples/test/compare.slow.test.ts'
text = open(path).read()
text = text.replace("""    ['23.5', '10', '5'].map((share) => expect.stringMatching(\`^### Planted facts: .* in \${share} % \`)),""", """    ['repeats', 'of many forms'].flatMap((noise) =>
      ['23.5', '10', '5'].map((share) =>
        expect.stringMatching(\`^### Planted facts in noise.* \${noise}: .* in \${share} % \`),
      ),
    ),""")
open(path, 'w').write(text)
path = 'docs/results.md'
text = open(path).read()
text = text.replace("The tables have the tokens that are left and the\\nfacts that are in the view", "A second set has noise of many\\nforms that the first does not have, without numbers, and facts in the middle of other text. The tables have the tokens that are left and the\\nfacts that are in the view")
open(path, 'w').write(text)
PY
git diff docs/results.md scripts/readme.mjs examples/test/compare.slow.test.ts`),
  ),
  agent(
    `The README itself is untouched. You record with --only first: \`merged\` of compare.ts replaces the rows of the candidates that were measured and keeps those of the others, by candidate. I look whether that is right for rows with a set, and for the new differences.`,
    read('examples/benchmarks/compare.ts'),
    bash('head -c 1500 examples/benchmarks/results/compare.json; echo; python3 -c "import json; r = json.load(open(\'examples/benchmarks/results/compare.json\')); print({k: len(v) if isinstance(v, list) else v for k, v in r.items()})"'),
  ),
  agent(
    `For planted rows it is right: all rows of the candidate are replaced, those without a set among them. For differences it is not: with --only 'default pipeline' there is one candidate, so \`differences\` is empty, and the recorded differences of the others to the old default stay as they were — against figures that are gone. They have to be dropped where their base was measured again: a difference counts only if neither side is newer than the other. Test first, beside the test of \`merged\`.`,
    edit('examples/test/compare.slow.test.ts', `test('a session is compared: tables`, `test('a difference to figures that were replaced is not kept', () => {
  const difference = { candidate: 'theirs', against: 'ours', figure: 'misses' };
  const recorded = { overall: [{ candidate: 'ours' }, { candidate: 'theirs' }], differences: [difference] };
  expect(merged(recorded, { overall: [{ candidate: 'ours' }], differences: [] })).toMatchObject({ differences: [] });
  expect(merged(recorded, { overall: [{ candidate: 'theirs' }], differences: [] })).toMatchObject({ differences: [] });
});

test('a session is compared: tables`),
    bash('npx jest examples/test/compare.slow.test.ts -t "difference to figures|record of some" 2>&1 | tail -40'),
  ),
  agent(
    ``,
    edit('examples/benchmarks/compare.ts', `    return [key, kept.length === 0 ? value : [...kept, ...rows]];
  });
  return { ...recorded, ...(Object.fromEntries(entries) as Recorded) };`, `    // What was measured apart is not paired.
    if (key === 'differences') return [key, rows];
    return [key, kept.length === 0 ? value : [...kept, ...rows]];
  });
  return { ...recorded, ...(Object.fromEntries(entries) as Recorded) };`),
    bash('npx tsc -b; npx jest examples/test/compare.slow.test.ts -t "difference to figures|record of some|said once can be measured" 2>&1 | tail -40'),
  ),
  agent(
    `Green, and simpler than I feared: what was measured in different runs is not a pair, so a partial record has no differences but its own. The tables in results.md will then show only those of the new run, in again.md.`,
    bash('npx biome check packages/tools/bench scripts/readme.mjs examples/test examples/benchmarks 2>&1 | tail -30'),
  ),
  agent(
    `Formatting is left, then the last look at the whole diff.`,
    bash('npx biome check --write packages/tools/bench scripts/readme.mjs examples/test examples/benchmarks 2>&1 | tail -5'),
    bash('git diff --stat; git status --short'),
    jest('planted', 'averages.test.ts', 'summary.test.ts'),
  ),
  agent(
    `Done: both sets are measured and printed, compare.slow.test.ts expects six tables, docs/results.md says what the second set is, and the README's sentence will have both when you record. A partial record no longer keeps differences to figures that were replaced. I did not tune anything. To record: \`npm run bench -- --record --only 'default pipeline'\`, the whole later, then \`npm run readme\`. Two things to know: the headline moves because of the averages, and the claims line "80 ± 2 %" with it.`,
  ),
];

const clean = (text) =>
  text
    .replaceAll(copy, '/repo')
    .replace(/ \(\d+(\.\d+)? m?s\)/g, '')
    .replace(/ \(\d+(\.\d+)? s\)/g, '')
    .replace(/^Time: .*\n/gm, '')
    .replace(/ in \d+(\.\d+)? ?(ms|s)\b/g, '')
    .trimEnd();

const tools = {
  read({ path, offset = 1, limit = 2000 }) {
    const lines = readFileSync(join(copy, path), 'utf8').replace(/\n$/, '').split('\n');
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    const rest = lines.length - (offset - 1) - shown.length;
    const numbered = shown.map((line, at) => `${String(offset + at).padStart(5)}  ${line}`);
    return [...numbered, ...(rest > 0 ? [`(${rest} more lines)`] : [])].join('\n');
  },
  edit({ path, old, new: text }) {
    const pieces = readFileSync(join(copy, path), 'utf8').split(old);
    if (pieces.length !== 2) throw new Error(`${path} has the old text ${pieces.length - 1} times: ${old.slice(0, 200)}`);
    writeFileSync(join(copy, path), pieces.join(text));
    return `Edited ${path}.`;
  },
  write({ path, content }) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), content);
    return `Wrote ${content.split('\n').length - 1} lines to ${path}.`;
  },
  bash({ command }) {
    const PATH = `${join(copy, 'node_modules/.bin')}:${process.env.PATH}`;
    const env = { ...process.env, PATH, CI: 'true', NO_COLOR: '1' };
    const text = `(${command.replaceAll('npx ', '')}\n) 2>&1`;
    try {
      const ran = execSync(text, { cwd: copy, encoding: 'utf8', env, maxBuffer: 1e8, shell: '/bin/bash' });
      return ran.trimEnd() || '(no output)';
    } catch (error) {
      return `${error.stdout}\nexit code ${error.status}`;
    }
  },
};

const messages = [];
let count = 0;
for (const step of steps) {
  if (step.user !== undefined) {
    messages.push({ role: 'user', content: step.user });
    continue;
  }
  const calls = step.calls.map(([name, input]) => {
    count += 1;
    const id = `call_${String(count).padStart(3, '0')}`;
    return { type: 'function', id, function: { name, arguments: JSON.stringify(input) } };
  });
  messages.push({ role: 'assistant', content: step.agent, ...(calls.length > 0 && { tool_calls: calls }) });
  for (const call of calls) {
    const content = clean(tools[call.function.name](JSON.parse(call.function.arguments)));
    messages.push({ role: 'tool', tool_call_id: call.id, content });
    writeFileSync(out, `${JSON.stringify({ id: 'each-session-once', messages })}\n`);
    console.error(messages.length, call.function.name, content.length, content.split('\n').at(-1).slice(0, 100));
  }
}
writeFileSync(out, `${JSON.stringify({ id: 'each-session-once', messages })}\n`);
