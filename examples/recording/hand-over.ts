import { system } from './system.js';
import { agent, bash, edit, failing, grep, list, read, type Task, user } from './task.js';

const core = 'packages/core/src';
const validate = `${core}/validate.ts`;
const notices = "npx jest packages/core/test/invariants.test.ts -t 'validateView notices'";

/** Somebody takes the repository over and asks; on the way a failing test is put right. */
export const handOver: Task = {
  id: 'hand-over',
  system,
  prepare: [edit(validate, 'if (!open.delete(toolCallId))', 'if (!open.has(toolCallId))')],
  steps: [
    user('I take this repository over and know nothing. Where do I begin?'),
    agent('I will look at what is there.', [
      list('.'),
      list('packages'),
      read('package.json'),
      read('tsconfig.json'),
    ]),
    agent(
      '',
      [bash('wc -l packages/core/src/*.ts | sort -n | tail -12'), bash('wc -l packages/testing/src/*.ts')],
      {
        total: /(\d+) total/,
      },
    ),
    agent(
      'Begin with packages/core: its src has {total} lines, and every other package is built on it. `npm test` runs all tests. strategy.ts is the contract that the strategies keep, message.ts what they work with.',
    ),
    user('Show me these two.'),
    agent('', [read(`${core}/strategy.ts`), read(`${core}/message.ts`)]),
    agent(
      'A strategy is `{ name, emits, plan(context) }` and only proposes; `PlanContext` is all it sees. A message has a role and either a string or parts, and messageSchema is the one place where its form is written down.',
    ),
    user('Do the tests pass?'),
    agent(
      'The ones for the invariants first, they say the most. Only the small cases, without the random ones.',
      [failing(bash(notices))],
      { failed: /Tests: +(\d+) failed/ },
    ),
    agent('They do not: {failed} fail. Even the untouched transcript is said to break tool-pairs.', [
      grep('tool-pairs', 'packages'),
    ]),
    agent('', [read(validate), read('packages/core/test/invariants.test.ts', { offset: 150, limit: 60 })]),
    user('You may fix it, but the invariants and their names stay as they are'),
    agent(
      'In the check of `tool-pairs` a result has to take its call out of `open`, so that what is left over are calls without a result. It only asks with `has`, and so every call looks unanswered.',
      [edit(validate, 'if (!open.has(toolCallId))', 'if (!open.delete(toolCallId))')],
    ),
    agent('', [bash(notices)], { passed: /Tests: +.*?(\d+) passed/ }),
    agent('{passed} pass now. It was one word in validate.ts, and no name changed.'),
    user('What happens to an edit that breaks one?'),
    agent('That is the gate. I will read it with the view it works on.', [
      read(`${core}/gate.ts`),
      read(`${core}/view.ts`),
      grep('applyEdits', 'packages'),
    ]),
    agent(
      'It is rejected with the name of the invariant, the others still apply, and the record lists both. `judge` decides about one edit at a time on a `Draft`, so that the second edit already sees what the first one did.',
    ),
    user('And where does the count come from?'),
    agent('', [
      read(`${core}/count.ts`),
      read(`${core}/text-cache.ts`),
      failing(read(`${core}/tokenizer.ts`)),
    ]),
    agent(
      'From `MessageCounter` in count.ts: exact BPE once the tokenizer is loaded, an estimate until then, and text-cache.ts remembers the texts used most lately. I looked for a tokenizer.ts as well, there is none.',
    ),
    user('I want to read in one go what a stage goes through. Give me the files from a to d of core.'),
    agent('That is a long one.', [
      bash(
        'cat packages/core/src/budget.ts packages/core/src/calibrate.ts packages/core/src/c[o-z]*.ts packages/core/src/d*.ts | head -1100',
      ),
    ]),
    agent(
      'I cut it at 1100 lines, which is past the manager. A stage itself is run by pipeline.ts, and compressor.ts, which stood in the middle, puts its edits in force and writes the record.',
    ),
    user('Then pipeline.ts too. Which of these names a strategy or a model?'),
    agent('', [
      read(`${core}/pipeline.ts`),
      grep('claude|gpt-|hybrid', core),
      grep('may never|never names', 'scripts'),
    ]),
    agent(
      'None of them: what was found is gpt-tokenizer, a library. scripts/boundaries.mjs checks that core names no strategy and no model; what a model needs comes in from the presets.',
    ),
    user('Is validate.ts in order now? Show me the check again.'),
    agent('', [read(validate, { offset: 56, limit: 26 }), bash(notices)]),
    agent('Yes, `open.delete(toolCallId)` stands there again and the cases pass.'),
    user('Thanks. Last question: what do the tests lean on?'),
    agent('', [
      list('packages/testing/src'),
      read('packages/testing/src/dsl.ts'),
      read('packages/testing/src/laws.ts'),
    ]),
    agent(
      'On packages/testing: a few words to write a conversation with (`user`, `call`, `result`), and `checkLaws`, which holds every strategy to the same laws: the plan is the same twice, it survives JSON, the input is not changed, and the view stays valid.',
    ),
  ],
};
