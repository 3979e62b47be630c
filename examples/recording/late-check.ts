import { system } from './system.js';
import { agent, bash, edit, failing, grep, list, read, type Task, user, write } from './task.js';

const trigger = 'packages/core/src/trigger.ts';
const test = 'packages/core/test/throttle.test.ts';

const testText = `import { CompressionLevel, isThrottled } from '@ctx/core';

const check = { now: 10_000, last: 9_000, throttleMs: 5000 };

describe('a check one second after another', () => {
  test.each(['NONE', 'WARNING', 'SOFT'] as const)('is skipped at level %s', (level) =>
    expect(isThrottled(check, CompressionLevel[level])).toBe(true));

  test.each(['HARD', 'EMERGENCY'] as const)('is made at level %s', (level) =>
    expect(isThrottled(check, CompressionLevel[level])).toBe(false));
});
`;

const profileTest = `import { allowedTokens, effectiveThreshold } from '@ctx/core';

describe('the threshold of a profile', () => {
  test.each([5, 50, 100])('%d is used', (own) =>
    expect(effectiveThreshold(75, 'coder', { coder: own })).toEqual({ percent: own }));

  test.each([0, 4.9, 101, Number.NaN])('%d is not used, and the warning names the range', (own) =>
    expect(effectiveThreshold(75, 'coder', { coder: own })).toEqual({
      percent: 75,
      warning: expect.stringContaining('between 5 and 100'),
    }));

  test('-1 is the global one', () =>
    expect(effectiveThreshold(75, 'coder', { coder: -1 })).toEqual({ percent: 75 }));
});

test('a window smaller than the reserve allows nothing', () => expect(allowedTokens(4000)).toBe(1));
`;

/** A check that comes too late, then a few wishes on the same file. */
export const lateCheck: Task = {
  id: 'late-check',
  system,
  prepare: [edit(trigger, 'level < CompressionLevel.HARD &&', 'level <= CompressionLevel.HARD &&')],
  steps: [
    user(
      'An agent of ours sits at 96 % of its window and nothing is compressed: checkAndCompress() says "throttled". The documentation says that a check is never throttled at that level. Find out why, write a test that shows it, and fix it.',
    ),
    agent('I will look at the layout of the repository and at core first.', [
      list('.'),
      list('packages'),
      list('packages/core/src'),
    ]),
    agent('The word "throttled" should lead me there.', [grep('[tT]hrottle', 'packages/core/src')], {
      hits: /(\d+) matches/,
    }),
    agent(
      '{hits} places. `isThrottled` in trigger.ts decides, and context-manager.ts asks it. I will read both, and level.ts for what the levels mean.',
      [read(trigger), read('packages/core/src/level.ts'), read('packages/core/src/context-manager.ts')],
      { line: /(\d+) {2}export function isThrottled/ },
    ),
    agent(
      '`levelOf` gives HARD from 0.95 of the window, so 96 % is HARD. `isThrottled` at line {line} of trigger.ts is what I have to understand; let me see it alone, and who calls it.',
      [read(trigger, { offset: 84, limit: 16 }), grep('isThrottled|#lastCheck', 'packages')],
    ),
    agent(
      'The comment says "At HARD and above it never may", but the comparison lets HARD be throttled. Before I touch it, a test that shows it.',
      [list('packages/core/test'), grep('throttleMs', 'packages/core/test')],
    ),
    agent('', [write(test, testText)]),
    agent('', [failing(bash('yarn jest packages/core/test/throttle.test.ts'))]),
    user('use npm, not yarn'),
    agent(
      'Right, there is only a pnpm-lock.yaml and npm scripts here. With npx then.',
      [failing(bash('npx jest packages/core/test/throttle.test.ts'))],
      { failed: /Tests: +(\d+) failed/ },
    ),
    agent(
      '{failed} test fails, and it is the one for HARD: a check one second after another is skipped although the level is HARD. The fix is one character.',
      [
        edit(
          trigger,
          'level <= CompressionLevel.HARD && check.last',
          'level < CompressionLevel.HARD && check.last',
        ),
      ],
    ),
    agent('', [bash('npx jest packages/core/test/throttle.test.ts')], { passed: /Tests: +(\d+) passed/ }),
    agent(
      'All {passed} pass now. The cause was `level <= CompressionLevel.HARD` in `isThrottled` (packages/core/src/trigger.ts): at level HARD, which starts at 0.95 of the window, a check within throttleMs of the last one was skipped. It is `<` again, and packages/core/test/throttle.test.ts holds each level to it.',
    ),
    user('Does the manager pass the right level? Between two checks it may have grown.'),
    agent(
      'The level has to be fresh when the check is made. I will follow it through the manager and the meter.',
      [grep('level', 'packages/core/src/context-manager.ts'), read('packages/core/src/meter.ts')],
    ),
    agent('`#check` passes `this.level`, and that getter asks the meter. The budget gives the thresholds.', [
      read('packages/core/src/budget.ts'),
      read('packages/core/src/context-manager.ts', { offset: 305, limit: 40 }),
    ]),
    agent(
      'Yes. `level` is computed by `Meter.level` from the current measure each time it is read, and `append` adds to the running total, so a message that arrives after the last check counts. Only the `level-change` event works with a remembered value (`#level`), and that is right: it has to compare.',
    ),
    user(
      'Good. Next: the 5 and 100 in effectiveThreshold are bare figures, and they stand there twice. Give them names. Never touch the public API.',
    ),
    agent(
      'Let me see where effectiveThreshold is used and what index.ts exports of this file.',
      [
        grep('effectiveThreshold', 'packages'),
        read('packages/core/src/index.ts'),
        read(trigger, { offset: 98, limit: 24 }),
      ],
      { uses: /(\d+) matches/ },
    ),
    agent(
      '{uses} places name it. index.ts exports `effectiveThreshold` itself, so its signature and its result stay; the constants will not be exported.',
      [
        edit(
          trigger,
          '/**\n * The threshold that holds for a profile',
          "/** The range of a profile's own threshold, in percent of the window (rule of Roo Code). */\nconst leastPercent = 5;\nconst mostPercent = 100;\n\n/**\n * The threshold that holds for a profile",
        ),
        edit(trigger, 'own >= 5 && own <= 100', 'own >= leastPercent && own <= mostPercent'),
        edit(trigger, 'is not between 5 and 100;', `is not between \${leastPercent} and \${mostPercent};`),
      ],
    ),
    agent('Now a test for the ends of the range, the warning and -1.', [
      write('packages/core/test/profile-threshold.test.ts', profileTest),
    ]),
    agent('', [failing(bash('npx jest packages/core/test/profile-threshold.test.ts'))]),
    agent(
      'The thresholds pass; the last test is wrong, not the code: I expected 1 for a window of 4000, but 0.9 · 4000 is 3600, below the reserve of 4096, and `Math.max(0, …)` makes that 0.',
      [
        edit(
          'packages/core/test/profile-threshold.test.ts',
          'expect(allowedTokens(4000)).toBe(1)',
          'expect(allowedTokens(4000)).toBe(0)',
        ),
        bash(
          'npx jest packages/core/test/profile-threshold.test.ts packages/core/test/throttle.test.ts --runInBand',
        ),
        bash('npx tsc -b packages/core'),
      ],
      { both: /Tests: +(\d+) passed/ },
    ),
    agent(
      'Done: `leastPercent` and `mostPercent` in trigger.ts, not exported, and the warning is made of them. {both} tests pass in the two files and tsc has nothing to say.',
    ),
    user(
      'allowedTokens is both a function, a key of Trigger and a field of Measure. I would call the function requestAllowance. What would that touch?',
    ),
    agent(
      'I will look for every use, in the source, the tests and the configuration.',
      [grep('allowedTokens', 'packages'), grep('allowedTokens', 'packages/core/src/config.ts')],
      { all: /(\d+) matches/ },
    ),
    agent('', [read('packages/core/src/config.ts', { offset: 1, limit: 120 }), read(trigger, { limit: 62 })]),
    agent(
      'The word stands in {all} lines. Most are the key of `Trigger` and the field of `Measure` and `Budget`, which are part of the configuration file and have to stay. The function is called by `budgetOf` and exported by index.ts, so under your rule I can only add a name, not take one away.',
    ),
    user('ok, but keep the old name'),
    agent('Then the function gets the new name inside, and the exported one stays as it is.', [
      edit(
        trigger,
        'export function allowedTokens(contextWindow: number, reserve = 4096): number {\n  return Math.max(0, Math.floor(contextWindow * 0.9) - reserve);\n}',
        'export function requestAllowance(contextWindow: number, reserve = 4096): number {\n  return Math.max(0, Math.floor(contextWindow * 0.9) - reserve);\n}\n\n/** The name under which `requestAllowance` is exported by the package. */\nexport const allowedTokens = requestAllowance;',
      ),
      edit(
        'packages/core/src/budget.ts',
        'import { allowedTokens, effectiveThreshold',
        'import { effectiveThreshold, requestAllowance',
      ),
    ]),
    agent('', [failing(bash('npx tsc -b packages/core'))]),
    agent('budget.ts still calls it by the old name, and the import has lost it. One more edit.', [
      edit(
        'packages/core/src/budget.ts',
        'const allowed = allowedTokens(contextWindow, reserve);',
        'const allowed = requestAllowance(contextWindow, reserve);',
      ),
    ]),
    agent('', [bash('npx tsc -b packages/core'), bash('npx biome check packages/core/src')]),
    agent(
      'Both are quiet. Now everything of core, because budget.ts is under all of it.',
      [bash('npx jest --selectProjects core --runInBand')],
      { tests: /Tests: +(\d+) passed/, suites: /Test Suites: (\d+) passed/ },
    ),
    agent(
      '{tests} tests in {suites} files pass. `budgetOf` calls `requestAllowance`; `allowedTokens` is still what the package exports, and now a second name of the same function.',
    ),
    user('How large are the files of core by now? Anything over 250 lines?'),
    agent('', [bash('wc -l packages/core/src/*.ts | sort -n')], {
      total: /(\d+) total/,
      manager: /(\d+) packages\/core\/src\/context-manager\.ts/,
    }),
    agent(
      'core/src has {total} lines. The largest file is context-manager.ts with {manager}; everything else stays near 250 or below.',
    ),
    user('What is in the manager that could stand elsewhere? Do not move anything yet, just tell me.'),
    agent('I will read it again, now for its structure, together with the two it leans on.', [
      read('packages/core/src/context-manager.ts'),
      read('packages/core/src/compressor.ts'),
      read('packages/core/src/conversation.ts'),
    ]),
    agent('And what runs the stages, to see where the line between the two is drawn.', [
      read('packages/core/src/pipeline.ts'),
      grep('runPipeline|planContext|resolvePlan', 'packages/core/src'),
    ]),
    agent(
      'Two candidates. `snapshot()` and the static `restore()` only copy fields of the conversation, the compressor and the calibration; they could be functions of snapshot.ts, if the private fields were reachable there. And the throttle (`#lastCheck`, `throttleMs`, `isThrottled`) is a small thing of its own with a clock. Against both: they would need access to private fields, so I would leave them.',
    ),
    user('Leave them. Which names does index.ts export that nothing outside of core uses?'),
    agent(
      'I will list what the other packages import from core.',
      [grep("from '@ctx/core'", 'packages'), grep('^export ', 'packages')],
      { exports: /(\d+) matches\npackages\/[a-z-]+\/src\/[a-z-]+\.ts:\d+: export/ },
    ),
    agent('', [read('packages/core/src/index.ts'), read('pnpm-lock.yaml', { limit: 320 })]),
    agent(
      'The packages have {exports} lines that export something. From index.ts, mostly types go unused inside of the repository: they are for readers of the package, and the lock file shows that every package but core depends on it through the workspace, so a removed name would not be noticed by an installed version but by tsc here. I would not take any away: you said never to touch the public API.',
    ),
    user('Right. Last thing: show me trigger.ts as it is now, the part with the threshold.'),
    agent('', [
      read(trigger, { offset: 30, limit: 14 }),
      grep('leastPercent|mostPercent|requestAllowance', 'packages'),
    ]),
    agent(
      'As you wanted: `leastPercent` and `mostPercent` stand above `effectiveThreshold`, `requestAllowance` has its second name right below it, and the comparison in `isThrottled` is `<`. Three new things in one file, no export gone.',
    ),
  ],
};
