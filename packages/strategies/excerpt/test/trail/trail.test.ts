import type { Message } from '@ctx/core';
import { assistant, call, result, user } from '@ctx/testing';
import fc from 'fast-check';
import { excerptText, trailHeading } from '../../src/excerpt-text.js';
import { rootFolderOf } from '../../src/root-folder.js';
import type { Section } from '../../src/sections.js';
import type { ToolActions } from '../../src/trail/action.js';
import { trailOf } from '../../src/trail/trail.js';
import { sizes } from '../../src/weights.js';
import { sectionsIn } from '../reading.js';

interface Room {
  readonly actions?: ToolActions;
  readonly isNewest?: boolean;
  /** UTF-16 units. */
  readonly length?: number;
}

/** The lines on what was done in a conversation. */
function trailIn(
  messages: readonly Message[],
  { actions, isNewest = true, length = 100_000 }: Room = {},
): string[] {
  const sections = sectionsIn(messages);
  const trail = trailOf(sections, {
    all: isNewest ? sections : undefined,
    root: rootFolderOf(sections.map(({ heading }) => heading)),
    actions,
    fits: (text) => text.length <= length,
  });
  if (trail === undefined) return [];
  expect(trail.heading).toBe(trailHeading);
  return trail.text.split('\n');
}

let calls = 0;
/** A call with its result. */
function done(toolName: string, input: unknown, output = 'ok', isError = false): Message[] {
  calls += 1;
  return [call(`c${calls}`, toolName, input), result(`c${calls}`, output, { isError })];
}
const edit = (path: string, isError = false) =>
  done('edit', { path, old_string: 'a', new_string: 'b' }, isError ? 'no match' : 'ok', isError);
const run = (command: string, output = 'ok', isError = false) => done('bash', { command }, output, isError);

describe('the trail of files', () => {
  test('names each file once, with the number of its edits, in the order of their last change', () => {
    const messages = [...edit('a.ts'), ...edit('b.ts'), ...edit('c.ts'), ...edit('a.ts'), ...edit('a.ts')];
    expect(trailIn(messages)).toEqual(['edited b.ts, c.ts, a.ts (3 times)']);
  });

  test('names what failed with its reason, until it works', () => {
    expect(trailIn(edit('a.ts', true))).toEqual(['failed: a.ts (edit: no match)']);
    expect(trailIn([...edit('a.ts'), ...edit('a.ts', true)])).toEqual([
      'edited a.ts',
      'failed: a.ts (edit: no match)',
    ]);
    expect(trailIn([...edit('a.ts', true), ...edit('a.ts')])).toEqual(['edited a.ts']);
  });

  test.each([
    ['Claude Code', '<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>'],
    ['Claude Code', "The user doesn't want to proceed with this tool use. The tool use was rejected"],
    ['Codex', 'apply_patch verification failed: Failed to find expected lines in a.ts:\na'],
    ['Codex', 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nInvalid patch: a.ts'],
    ['Gemini CLI', 'Failed to edit, could not find the string to replace.'],
    ['Qwen Code', 'File a.ts has not been read in this session. Use the read_file tool first.'],
    ['OpenCode', 'Error: The user rejected permission to use this specific tool call.'],
    ['pi', 'Could not find the exact text in a.ts. The old text must match exactly.'],
    ['Copilot CLI', 'No match found'],
  ])('does not say that a file was edited where %s says in its words that it was not', (_agent, output) => {
    const [line = '', ...more] = trailIn(
      done('edit', { path: 'a.ts', old_string: 'a', new_string: 'b' }, output),
    );
    expect(more).toEqual([]);
    expect(line).toMatch(/^failed: a\.ts \(edit: \S/);
    expect(line).not.toMatch(/edited|tool_use_error|Exit code/);
  });

  test.each([
    'The file src/error.ts has been updated. Here is a snippet:\n1\terror: not found',
    'Success. Updated the following files:\nM src/failed.ts',
    'Edited src/rejected.ts\nfailed to parse is a string in it',
  ])('takes no text that an edit shows for a failure: %s', (output) => {
    const call = { path: 'a.ts', old_string: 'a', new_string: 'b' };
    expect(trailIn(done('edit', call, output))).toEqual(['edited a.ts']);
  });

  test('keeps what the user said when he rejected an edit, even if it is made later', () => {
    const rejected = done(
      'Edit',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nthe interface is better, no?",
      true,
    );
    expect(trailIn([...rejected, ...edit('a.ts')])).toEqual([
      'failed: a.ts (Edit: rejected by the user: "the interface is better, no?")',
      'edited a.ts',
    ]);
  });

  test('tells edited, written, deleted and moved ones apart', () => {
    const messages = [
      ...done('write', { path: 'new.ts', content: 'a' }),
      ...edit('a.ts'),
      ...done('delete_file', { path: 'old.ts' }),
      ...done('move_file', { path: 'b.ts', to: 'c.ts' }),
    ];
    expect(trailIn(messages)).toEqual(['wrote new.ts', 'edited a.ts', 'deleted old.ts', 'moved b.ts']);
  });

  const patch = [
    '*** Begin Patch',
    '*** Add File: src/new.ts\n+a',
    '*** Update File: src/a b.ts\n@@\n-a\n+b',
    '*** Delete File: src/old.ts',
    '*** End Patch',
  ].join('\n');

  test('reads patches', () => {
    for (const messages of [
      done('apply_patch', { input: patch }),
      done('apply_patch', { patch }),
      done('apply_patch', patch),
      done('shell', { command: ['apply_patch', patch] }),
      run(`apply_patch <<'EOF'\n${patch}\nEOF`),
    ])
      expect(trailIn(messages)).toEqual(['wrote src/new.ts', 'edited src/a b.ts', 'deleted src/old.ts']);
  });

  test('names the files of a patch that failed, each until it is edited', () => {
    const refused = 'apply_patch verification failed: Failed to find expected lines';
    const messages = [...done('apply_patch', { patch }, refused), ...edit('src/a b.ts')];
    expect(trailIn(messages)).toEqual([
      `failed: src/new.ts, src/old.ts (apply_patch: ${refused})`,
      'edited src/a b.ts',
    ]);
    const files = Array.from({ length: 9 }, (_, at) => `*** Update File: ${at}.ts`).join('\n');
    expect(trailIn(done('apply_patch', `*** Begin Patch\n${files}`, refused))).toEqual([
      `failed: ${[...Array(9).keys()].map((at) => `${at}.ts`).join(', ')} (apply_patch: ${refused})`,
    ]);
  });

  test('says how many more failed, each for its own reason', () => {
    const failures = [...Array(6).keys()].flatMap((at) =>
      done('edit', { path: `${at}.ts`, old_string: 'a', new_string: 'b' }, `no match ${at}`, true),
    );
    expect(trailIn(failures)[0]).toMatch(/^failed: 2\.ts \(edit: no match 2\), .* and 2 more$/);
  });

  test('names the folder of all absolute paths once', () => {
    const root = '/home/me/project';
    expect(trailIn([...edit(`${root}/src/a.ts`), ...edit(`${root}/test/a.ts`)])).toEqual([
      'paths below /home/me/project/',
      'edited src/a.ts, test/a.ts',
    ]);
    expect(trailIn([...edit('/etc/a'), ...edit('/etc/b')])).toEqual(['edited /etc/a, /etc/b']);
    expect(trailIn(edit(`${root}/src/a.ts`))).toEqual([`edited ${root}/src/a.ts`]);
  });

  test('of many edits fits into the room, with the newest of them, and says how many are not listed', () => {
    const mixed = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? edit(`src/folder/file${index}.ts`) : run(`git commit -m "step ${index}"`),
    ).flat();
    const all = trailIn(mixed);
    for (const length of [2_000, 300, 75]) {
      const [first = '', ...some] = trailIn(mixed, { length });
      expect([first, ...some].join('\n').length).toBeLessThanOrEqual(length);
      expect(some).toEqual(all.slice(all.length - some.length));
      const left = [...first.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
      expect(first).toMatch(/^earlier, not listed: \d+ edited, \d+ committed$/);
      expect(left + some.length).toBe(200);
    }
    expect(trailIn(mixed, { length: 5 })).toEqual([]);
    const alike = Array.from({ length: 200 }, (_, index) => edit(`file${index}.ts`)).flat();
    expect(trailIn(alike)[0]).toMatch(/^edited file170\.ts, .*, file199\.ts and 170 more$/);
  });

  test('is counted a few times, however many lines it has to give up', () => {
    const messages = Array.from({ length: 400 }, (_, index) =>
      index % 2 === 0 ? edit(`src/folder/file${index}.ts`) : run(`git commit -m "step ${index}"`),
    ).flat();
    const sections = sectionsIn(messages);
    for (const length of [0, 60, 300]) {
      let counted = 0;
      const fits = (text: string) => {
        counted += 1;
        return text.length <= length;
      };
      trailOf(sections, { all: sections, fits });
      expect(counted).toBeLessThanOrEqual(10);
    }
  });

  test('leaves out its oldest objects first, then what was said', () => {
    const edits = Array.from({ length: 12 }, (_, index) => edit(`src/mod${index}.ts`)).flat();
    const said = [...edits, assistant('I run the tests, and then I look at what is left.')];
    expect(trailIn(said, { length: 150 })).toEqual([
      'earlier, not listed: 9 edited',
      'edited src/mod9.ts, src/mod10.ts, src/mod11.ts',
      'the agent said last: I run the tests, and then I look at what is left.',
    ]);
    expect(trailIn(said, { length: 60 })).toEqual(['earlier, not listed: 11 edited', 'edited src/mod11.ts']);
  });
});

describe('the trail of commands', () => {
  test.each([
    ['git commit -m "Parse"', 'committed "Parse"'],
    ["sed -i 's/a/b/' src/a.ts", 'edited src/a.ts'],
    ["cat > src/a.ts << 'EOF'\nrm -rf all\nnpm test\nEOF", 'wrote src/a.ts'],
    ["cat << 'EOF' > src/a.ts && git add .\nrm -rf all\nEOF\nmkdir out", 'wrote src/a.ts'],
    [
      'git commit -m "$(cat <<\'EOF\'\nfeat: read "dates"; rm -rf old (#3)\n\nnpm install was needed.\nEOF\n)" && git push',
      'committed "feat: read dates; rm -rf old (#3)"\nran git push',
    ],
    ['git commit -m "Parse; rm them" -m \'npm test\nrm more\'', 'committed "Parse; rm them"'],
    ['git commit -m "a quote that never ends; rm b', 'committed "a quote that never ends"\nran rm b'],
    ['rm $((1 << 2))', 'ran rm $((1 << 2))'],
    ['git commit -am \'one "two"\'', 'committed "one "two""'],
    ['grep -l a src/*.ts | xargs sed -i s/a/b/ src/a.ts', 'edited src/a.ts'],
    ['gh pr create --fill', 'ran gh pr create --fill'],
    ['echo "rules" >> "AGENTS.md"', 'wrote AGENTS.md'],
    ['curl -s -X POST https://example.com', 'ran curl -s -X POST https://example.com'],
    ['curl -XDELETE https://example.com/a', 'ran curl -XDELETE https://example.com/a'],
  ])('has what changes something: %s', (command, line) => {
    expect(trailIn(run(command)).join('\n')).toBe(line);
    expect(trailIn(done('shell', { command: ['bash', '-lc', command] })).join('\n')).toBe(line);
  });

  test.each([
    ...['ls -la src', 'git log --oneline -5', 'gh pr view 3 --json title', 'git stash list', 'mkdir -p out'],
    ...['find . -name "*.ts" 2>/dev/null', 'npm ls > /tmp/list.txt', 'npm ls 2>&1', 'echo "a > b"'],
    ...['cd /repo && ls', 'curl -s https://example.com/POST', 'head -5 a.ts | wc -l'],
  ])('has nothing that only looks: %s', (command) => {
    expect(trailIn(run(command))).toEqual([]);
  });

  test('shortens a long one at the end of a word', () => {
    const [line = ''] = trailIn(run(`git commit -m "${'word '.repeat(60)}"`));
    expect(line).toMatch(/^committed "word (?:word )+…"$/);
    expect(line.length).toBeLessThan(sizes.title + 20);
  });
});

describe('a command that failed', () => {
  test('is named with its reason, until one like it works', () => {
    const push = run('git push', 'fatal: The current branch has no upstream branch.', true);
    expect(trailIn(push)).toEqual(['failed: git push (fatal: The current branch has no upstream branch.)']);
    expect(trailIn([...push, ...run('git push -u origin a')])).toEqual(['ran git push -u origin a']);
  });

  test.each([
    'Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\ncannot lock',
    'Exit code 1\ncannot lock',
    'cannot lock\n\nCommand exited with code 1',
    'cannot lock\n<exited with exit code 1>',
  ])('is known by the code that it ended with: %j', (output) => {
    expect(trailIn(run('rm a.ts', output))).toEqual(['failed: rm a.ts (cannot lock)']);
  });

  test('is not the commit before it, which was made', () => {
    const made = 'Exit code 1\n[main 1a2b3c4] Parse\n 1 file changed\nfatal: no upstream';
    expect(trailIn(run('git commit -m "Parse"; git log x', made, true))).toEqual(['committed "Parse"']);
    const refused = 'Pre-commit validation failed:\n[FORMAT] Code is not formatted.';
    expect(trailIn(run('git commit -m "Parse"', refused))).toEqual([
      'failed: git commit "Parse" (Pre-commit validation failed:)',
    ]);
  });

  test('is not the change before a check that ran', () => {
    const output = 'Exit code 1\nTests: 1 failed, 2 passed';
    expect(trailIn(run("sed -i 's/a/b/' a.ts && npm test && git push", output, true))).toEqual([
      'edited a.ts',
      'last run of tests (npm test): exit code 1; Tests: 1 failed, 2 passed',
      'failed: git push (Tests: 1 failed, 2 passed)',
    ]);
  });
});

describe('the newest run of a check', () => {
  test.each([
    [
      'npm test',
      'Test Suites: 3 passed, 3 total\nTests: 12 passed, 12 total\nTime: 3 s',
      'Test Suites: 3 passed, 3 total; Tests: 12 passed, 12 total',
    ],
    ['npx mocha', '  38 passing (2s)\n', '38 passing (2s)'],
    [
      'mix test',
      '..\nFinished in 2 seconds\n14 doctests, 106 tests, 0 failures',
      '14 doctests, 106 tests, 0 failures',
    ],
    [
      'cargo test',
      'test result: ok. 14 passed; 0 failed; 0 ignored\n\n  Doc-tests a\n\ntest result: ok. 0 passed; 0 failed',
      'test result: ok. 14 passed; 0 failed; 0 ignored',
    ],
    [
      'bun run test',
      '[log] deleted\n\n 1274 pass\n 0 fail\n 2760 expect() calls\nRan 1274 tests across 56 files.',
      '1274 pass; 0 fail; Ran 1274 tests across 56 files.',
    ],
    [
      'npx vitest run',
      '\u001b[2m Test Files \u001b[22m \u001b[31m1 failed\u001b[39m (4)\n\u001b[2m      Tests \u001b[22m 10 failed | 32 passed (42)',
      'Test Files 1 failed (4); Tests 10 failed | 32 passed (42)',
    ],
    [
      'go test ./...',
      'FAIL\ta/b [build failed]\nok  \ta/c\t1.2s\nok  \ta/d\t(cached)\nok  \ta/e\t1.0s\nok  \ta/f\t1.0s',
      'FAIL a/b [build failed]; ok a/d (cached); ok a/e 1.0s; ok a/f 1.0s',
    ],
    ['node test.js', 'ok mod01.js revision 2\n24 passed, 0 failed', '24 passed, 0 failed'],
    ['make test', '', 'no output'],
  ])('of tests is told in its own words: %s', (command, output, said) => {
    expect(trailIn(run(command, output))).toEqual([
      `last run of tests (${command.replace(/^npx /, '')}): ${said}`,
    ]);
  });

  test.each([
    ['bun run lint', 'Checked 277 files in 81ms. No fixes applied.', 'lint'],
    ['go vet ./...', 'no output', 'lint'],
    ['npx tsc --noEmit', 'src/a.ts(1,2): error TS2345: no', 'types'],
    ['cargo build --release', 'Finished release', 'build'],
    ['npm run check', 'Checked 3 files', 'check'],
  ])('has its kind: %s', (command, output, kind) => {
    expect(trailIn(run(command, output))).toEqual([
      `last run of ${kind} (${command.replace(/^npx /, '')}): ${output}`,
    ]);
  });

  test('that prints findings and no sum is told by its last finding, not by the code under it', () => {
    const output = 'cmd/hooks.go:28:51: result 1 is always nil (unparam)\nvar hooks = []string{\n    ^';
    expect(trailIn(run('golangci-lint run ./...', output))).toEqual([
      'last run of lint (golangci-lint run ./...): cmd/hooks.go:28:51: result 1 is always nil (unparam)',
    ]);
  });

  test('that failed says so in its own words, with the code that it ended with', () => {
    expect(trailIn(run('npm test', 'Exit code 1\n38 passing', true))).toEqual([
      'last run of tests (npm test): exit code 1; 38 passing',
    ]);
    expect(trailIn(run('npm test', 'cannot find npm', true))).toEqual([
      'last run of tests (npm test): ended with an error; cannot find npm',
    ]);
  });

  test('is the only one of its kind, at its place among the changes, with what shows only a part of it', () => {
    const messages = [
      ...run('npm test', 'Tests: 2 failed'),
      ...edit('a.ts'),
      ...run('npm run check 2>&1 | grep error | head -5', ''),
      ...run('pytest -q 2>&1 | tail -3', '3 passed'),
      ...edit('b.ts'),
    ];
    expect(trailIn(messages)).toEqual([
      'edited a.ts',
      'last run of check (npm run check | grep error, before the newest edits): no output',
      'last run of tests (pytest -q, before the newest edits): 3 passed',
      'edited b.ts',
    ]);
  });

  test('is told once if a call runs several', () => {
    expect(trailIn(run('npm test && npm run lint', 'Tests: 3 passed\n0 issues.'))).toEqual([
      'last run of tests (npm test): see the run of lint',
      'last run of lint (npm run lint): Tests: 3 passed; 0 issues.',
    ]);
  });

  test('in the background is told when it has ended', () => {
    const started = run(
      'npm test',
      'Command running in background with ID: be6. Output is written to a file',
    );
    const poll = done('TaskOutput', { task_id: 'be6' }, '<status>running</status>\n3 passed');
    expect(trailIn([...started, ...poll])).toEqual([
      'last run of tests (npm test): started in the background',
    ]);
    const ended = done('TaskOutput', { task_id: 'be6' }, '<status>completed</status>\n49 tests, 0 failures');
    expect(trailIn([...started, ...poll, ...ended])).toEqual([
      'last run of tests (npm test): 49 tests, 0 failures',
    ]);
  });

  test.each([
    'grep -rn test src',
    'cat test.js',
    'ls build',
    'git diff --check',
    'test -f a.ts',
    'echo npm test',
  ])('is not one that only names it: %s', (command) => {
    expect(trailIn(run(command))).toEqual([]);
  });
});

describe('the trail of other tools', () => {
  test('says what was booked, cancelled or sent, with what came of it', () => {
    const messages = [
      ...done('get_order_details', { order_id: '#W2378156' }, '{"status": "pending"}'),
      ...done('cancel_order', { order_id: '#W2378156', reason: 'no longer needed' }, 'Order cancelled'),
      ...done('book_flight', { flight: 'HAT136' }, '{\n"id": 1\n}'),
      ...done('sendEmail', { to: 'anna@example.com' }, 'no such address', true),
      ...done('search_flights', { from: 'LIS' }, 'HAT136'),
    ];
    expect(trailIn(messages)).toEqual([
      'cancel_order #W2378156 no longer needed: Order cancelled',
      'book_flight HAT136',
      'failed: sendEmail anna@example.com (no such address)',
    ]);
  });

  test('says what the host says of a tool, and nothing of one that it says only looks', () => {
    const messages = [
      ...done('deploy_preview', { id: 'p1' }),
      ...done('lights', { mode: 'dim', room: 'hall' }),
    ];
    expect(trailIn(messages)).toEqual(['deploy_preview p1']);
    const actions = { lights: { verb: 'switched', object: 'room' }, deploy_preview: false as const };
    expect(trailIn(messages, { actions })).toEqual(['switched hall']);
  });

  test('names the object of a host’s tool once, with what came of it', () => {
    const actions = { reserve_seat: { verb: 'booked', object: 'flight_id' } };
    const messages = [
      ...done('reserve_seat', { note: 'aisle', flight_id: 7 }, 'seat 4A'),
      ...done('reserve_seat', { flight_id: 8 }, 'sold out', true),
      ...done('reserve_seat', { flight_id: 7 }, 'seat 4B'),
    ];
    expect(trailIn(messages, { actions })).toEqual([
      'failed: 8 (reserve_seat: sold out)',
      'booked 7 (2 times): seat 4B',
    ]);
  });

  test('shows the call where the argument that the host names is missing or no short text', () => {
    const actions = { charge: { verb: 'charged', object: 'order' } };
    const messages = [
      ...done('charge', { card: 'c-1' }),
      ...done('charge', { order: { id: 'o-2' } }),
      ...done('charge', { order: 'o'.repeat(200), card: 'c-3' }),
      ...done('charge', { order: null, card: 'c-4' }),
    ];
    const [first, second, third, fourth] = trailIn(messages, { actions });
    expect([first, second]).toEqual(['charged charge c-1', 'charged {"id":"o-2"}']);
    expect(third).not.toContain('ooo');
    expect(fourth).toBe('charged charge c-4');
  });

  test('takes no tool of the host for one that its name only resembles', () => {
    expect(trailIn(done('toString', { id: 'p1' }), { actions: { charge: { verb: 'charged' } } })).toEqual([]);
  });
});

describe('the newest trail', () => {
  const plan = (step: string) =>
    done('update_plan', {
      plan: [
        { step: 'read the tests', status: 'completed' },
        { step, status: 'in_progress' },
        { step: 'write the docs', status: 'pending' },
      ],
    });
  const heading = 'the newest plan or to-do list ([x] done, [>] in progress, [ ] open):';

  test('has the newest plan with its states, and what the agent said last', () => {
    const lines = trailIn([...plan('fix a'), assistant('I fix\nb now.'), ...plan('fix b'), ...edit('b.ts')]);
    expect(lines).toEqual([
      'edited b.ts',
      heading,
      '[x] read the tests',
      '[>] fix b',
      '[ ] write the docs',
      'the agent said last: I fix b now.',
    ]);
  });

  test('has no plan that is done, and says which is older than what the user wants now', () => {
    const steps = (status: string) =>
      done('update_plan', {
        plan: [
          { step: 'fix a', status: 'completed' },
          { step: 'fix b', status },
        ],
      });
    expect(trailIn([...steps('completed'), ...edit('a.ts')])).toEqual(['edited a.ts']);
    const next = user('Now write the documents for the release.');
    expect(trailIn([...steps('pending'), user('go on'), ...edit('a.ts')])[1]).toBe(heading);
    expect(trailIn([...steps('pending'), next, ...edit('a.ts')])[1]).toMatch(
      /^the plan from before what the user said last/,
    );
    expect(trailIn([...steps('pending'), next, ...steps('pending')])).toContain(heading);
  });

  test.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'fix a', done: true },
          { content: 'fix\nb', done: false },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'fix a', status: 'completed' },
          { description: 'fix b', status: 'pending' },
        ],
      },
    ],
    ['attempt', { task_progress: '- [x] fix a\n- [ ] fix b' }],
  ])('reads the list of %s', (toolName, input) => {
    expect(trailIn(done(toolName, input))).toEqual([heading, '[x] fix a', '[ ] fix b']);
  });

  test('follows tasks that are made and changed one after the other', () => {
    const messages = ['fix a', 'fix b', 'fix c', 'fix d'].flatMap((subject, at) =>
      done(
        'TaskCreate',
        { subject, description: 'in full' },
        `Task #${at + 1} created successfully: ${subject}`,
      ),
    );
    const update = (taskId: string, status: string) => done('TaskUpdate', { taskId, status }, 'Updated task');
    messages.push(...update('1', 'completed'), ...update('2', 'in_progress'), ...update('3', 'deleted'));
    expect(trailIn(messages)).toEqual([heading, '[x] fix a', '[>] fix b', '[ ] fix d']);
  });

  test('keeps them when the user speaks in between', () => {
    const before = [
      ...plan('fix a'),
      ...edit('a.ts'),
      assistant('a is fixed. Shall I fix b too?'),
      user('Yes, go on.'),
    ];
    const after = edit('b.ts');
    const all = sectionsIn([...before, ...after]);
    const trail = trailOf(all.slice(-1), { all, fits: () => true });
    expect(trail?.text.split('\n')).toEqual([
      'edited b.ts',
      heading,
      '[x] read the tests',
      '[>] fix a',
      '[ ] write the docs',
      'the agent asked: a is fixed. Shall I fix b too?',
      'the user answered: Yes, go on.',
    ]);
  });

  test('has the answers that the agent offered to its question', () => {
    const question = 'Which one?\n1. The class.\n2. The function.';
    const lines = trailIn([...edit('a.ts'), assistant(`${'It is done. '.repeat(40)}\n${question}`)]);
    expect(lines[1]).toMatch(
      /^the agent asked: (?:It is done\. )+Which one\? 1\. The class\. 2\. The function\.$/,
    );
    expect(lines[1]?.length).toBeLessThan(350);
  });

  test('has what the user answered to a tool that asks', () => {
    expect(trailIn(done('ask_user', { question: 'Which one?' }, 'User selected: the class'))).toEqual([
      'asked ask_user Which one?: User selected: the class',
    ]);
  });

  test('is the only one that has them, but for a question before what the user answered', () => {
    const messages = [...edit('a.ts'), ...plan('fix a'), assistant('I fix b now.')];
    expect(trailIn(messages, { isNewest: false })).toEqual(['edited a.ts']);
    expect(trailIn([...messages, assistant('Shall I?')], { isNewest: false })).toEqual([
      'edited a.ts',
      'the agent asked: Shall I?',
    ]);
  });

  test('gives up what is done before what is open, and a question last', () => {
    const steps = ['read all of the tests', 'read all of the documents', 'fix a'];
    const items = steps.map((step, at) => ({ step, status: at < 2 ? 'completed' : 'pending' }));
    const messages = [...done('update_plan', { plan: items }), ...edit('a.ts'), assistant('Shall I?')];
    expect(trailIn(messages, { length: 160 })).toEqual([
      'edited a.ts',
      heading,
      '(2 more, mostly done)',
      '[ ] fix a',
      'the agent asked: Shall I?',
    ]);
    expect(trailIn(messages, { length: 60 })).toEqual([
      'earlier, not listed: 1 edited',
      'the agent asked: Shall I?',
    ]);
  });

  test('is empty where people only talk', () => {
    expect(trailIn([user('Hello!'), assistant('Hello, what can I do?'), user('Nothing.')])).toEqual([]);
  });

  test('of an earlier excerpt comes first', () => {
    const text = [
      'edited a.ts (2 times)',
      'ran git push',
      heading,
      '[ ] fix b',
      'the agent said last: a',
    ].join('\n');
    const messages = [
      user(excerptText([{ heading: trailHeading, text }]), { summary: true }),
      ...edit('b.ts'),
    ];
    expect(trailIn(messages)).toEqual([
      'edited a.ts (2 times)',
      'ran git push',
      'edited b.ts',
      heading,
      '[ ] fix b',
    ]);
    expect(trailIn([...messages, ...plan('fix c')])).not.toContain('[ ] fix b');
  });
});

test('a trail of any lines fits any room', () => {
  const piece = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(', ', ',', ' ', '… ', '\n', 'edited '));
  const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.nat(40), (lines, length) => {
      const sections: Section[] = [
        {
          title: trailHeading,
          heading: trailHeading,
          blocks: lines.map((text) => ({ text, message: 0, voice: 'agent' })),
          kind: 'call',
          message: 0,
        },
      ];
      const trail = trailOf(sections, { all: sections, fits: (text) => text.length <= length });
      expect(trail?.text.length ?? 0).toBeLessThanOrEqual(length);
    }),
  );
});

test('a trail fits any room, and is written the same twice, whatever was called', () => {
  const step = fc
    .tuple(
      fc.constantFrom('edit', 'bash', 'shell', 'apply_patch', 'update_plan', 'cancel_order', 'read'),
      fc.anything(),
      fc.string(),
    )
    .map(([name, input, output]) => done(name, input, output));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(2_000), (steps, length) => {
      const lines = trailIn(steps.flat(), { length });
      expect(lines.join('\n').length).toBeLessThanOrEqual(length);
      expect(lines).toEqual(trailIn(steps.flat(), { length }));
    }),
    {
      numRuns: 67,
      examples: [
        [[done('edit', { a: { toString: '' } }), done('TaskUpdate', { taskId: { toString: '' } })], 0],
      ],
    },
  );
});
