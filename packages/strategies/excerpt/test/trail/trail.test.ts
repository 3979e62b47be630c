import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import fc from 'fast-check';
import { excerptText, trailHeading } from '../../src/excerpt-text.js';
import { type Section, sectionsOf } from '../../src/sections.js';
import type { ToolDeeds } from '../../src/trail/deed.js';
import { trailOf } from '../../src/trail/trail.js';

interface Room {
  readonly deeds?: ToolDeeds;
  readonly isNewest?: boolean;
  /** UTF-16 units. */
  readonly length?: number;
}

/** The lines on what was done in a conversation. */
function trailIn(
  messages: readonly Message[],
  { deeds, isNewest = true, length = 100_000 }: Room = {},
): string[] {
  const sections = sectionsOf(transcript(...messages).map((message, index) => ({ message, index })));
  const trail = trailOf(sections, { isNewest, deeds, fits: (text) => text.length <= length });
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

  test('says what failed, unless it had worked before or works later', () => {
    expect(trailIn(edit('a.ts', true))).toEqual(['edited a.ts (failed)']);
    expect(trailIn([...edit('a.ts'), ...edit('a.ts', true)])).toEqual(['edited a.ts']);
    expect(trailIn([...edit('a.ts', true), ...edit('a.ts')])[0]).not.toContain('failed');
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

  test('reads patches', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: src/new.ts\n+a',
      '*** Update File: src/a b.ts\n@@\n-a\n+b',
      '*** Delete File: src/old.ts',
      '*** End Patch',
    ].join('\n');
    for (const messages of [
      done('apply_patch', { input: patch }),
      done('apply_patch', { patch }),
      done('apply_patch', patch),
      done('shell', { command: ['apply_patch', patch] }),
      run(`apply_patch <<'EOF'\n${patch}\nEOF`),
    ])
      expect(trailIn(messages)).toEqual(['edited src/new.ts, src/a b.ts, src/old.ts']);
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

  test('of 200 edits is at most 20 lines that name each, and fits into the room', () => {
    const mixed = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? edit(`src/folder/file${index}.ts`) : run(`git commit -m "step ${index}"`),
    ).flat();
    const all = trailIn(mixed);
    expect(all.length).toBeLessThanOrEqual(20);
    for (let index = 0; index < 200; index += 1)
      expect(all.join('\n')).toContain(index % 2 === 0 ? `/file${index}.ts` : `"step ${index}"`);
    expect(all.at(-1)).toBe('ran git commit -m "step 199"');
    const alike = Array.from({ length: 200 }, (_, index) => edit(`src/folder/file${index}.ts`)).flat();
    expect(trailIn(alike)).toHaveLength(5);
    for (const length of [2_000, 300, 60]) {
      const some = trailIn(mixed, { length });
      expect(some.join('\n').length).toBeLessThanOrEqual(length);
      // The newest stay.
      expect(some.slice(1)).toEqual(all.slice(all.length - some.length + 1));
    }
    expect(trailIn(mixed, { length: 5 })).toEqual([]);
  });

  test('is counted a few times, however many lines it has to give up', () => {
    const messages = Array.from({ length: 400 }, (_, index) =>
      index % 2 === 0 ? edit(`src/folder/file${index}.ts`) : run(`git commit -m "step ${index}"`),
    ).flat();
    const sections = sectionsOf(transcript(...messages).map((message, index) => ({ message, index })));
    for (const length of [0, 60, 300]) {
      let counted = 0;
      const fits = (text: string) => {
        counted += 1;
        return text.length <= length;
      };
      trailOf(sections, { isNewest: true, fits });
      expect(counted).toBeLessThanOrEqual(10);
    }
  });

  test('leaves its oldest objects out where there is little room, and what was said before it', () => {
    const edits = Array.from({ length: 12 }, (_, index) => edit(`src/mod${index}.ts`)).flat();
    const said = [
      ...edits,
      assistant('I run the tests, and then I look at what is left of the work to be done.'),
    ];
    expect(trailIn(said, { length: 120 })).toEqual(['edited … src/mod9.ts, src/mod10.ts, src/mod11.ts']);
    expect(trailIn(said, { length: 24 })).toEqual(['edited … src/mod11.ts']);
  });
});

describe('the trail of commands', () => {
  test.each([
    ['git commit -m "Parse"', 'ran git commit -m "Parse"'],
    ['cd /repo && git add . && git commit -m "x"', 'ran git add ., git commit -m "x"'],
    ["sed -i 's/a/b/' src/a.ts", 'edited src/a.ts'],
    ['cat > src/a.ts', 'wrote src/a.ts'],
    ["cat > src/a.ts << 'EOF'\nrm -rf all\nnpm test\nEOF", 'wrote src/a.ts'],
    [
      "cat << 'EOF' > src/a.ts && git add .\nrm -rf all\nEOF\nmkdir out",
      'wrote src/a.ts\nran git add ., mkdir out',
    ],
    [
      'git commit -m "$(cat <<\'EOF\'\nfeat: read "dates"; rm -rf old (#3)\n\nnpm install was needed.\nEOF\n)" && git push',
      'ran git commit -m "feat: read dates; rm -rf old (#3)", git push',
    ],
    [
      'git commit -m "Parse; rm them" -m \'npm test\nrm more\'',
      'ran git commit -m "Parse; rm them" -m \'npm test rm more\'',
    ],
    ['git commit -m "a quote that never ends; rm b', 'ran git commit -m "a quote that never ends, rm b'],
    ['mkdir $((1 << 2))', 'ran mkdir $((1 << 2))'],
    ['echo "rules" >> "AGENTS.md"', 'wrote AGENTS.md'],
    ['npm install zod', 'ran npm install zod'],
    ['mv a.ts b.ts', 'ran mv a.ts b.ts'],
    ['mkdir -p out', 'ran mkdir -p out'],
    ['curl -s -X POST https://example.com', 'ran curl -s -X POST https://example.com'],
    ['curl -XDELETE https://example.com/a', 'ran curl -XDELETE https://example.com/a'],
  ])('has what changes something: %s', (command, line) => {
    expect(trailIn(run(command)).join('\n')).toBe(line);
    expect(trailIn(done('shell', { command: ['bash', '-lc', command] })).join('\n')).toBe(line);
  });

  test.each([
    ...[
      'ls',
      'ls -la src',
      'grep -rn parse src',
      'cat src/a.ts',
      'git status',
      'git log --oneline -5',
      'git diff',
    ],
    ...[
      'find . -name "*.ts" 2>/dev/null',
      'echo done',
      'cd /repo && ls',
      'npm ls 2>&1',
      'curl -s https://example.com/POST',
      'head -5 a.ts | wc -l',
    ],
  ])('has nothing that only looks: %s', (command) => {
    expect(trailIn(run(command))).toEqual([]);
  });

  test('shortens a long one at the end of a word', () => {
    const [line = ''] = trailIn(run(`git commit -m "${'word '.repeat(60)}"`));
    expect(line).toMatch(/^ran git commit -m "word (?:word )+…$/);
    expect(line.length).toBeLessThan(110);
  });
});

describe('the last run of the tests', () => {
  const passed = 'Tests: 12 passed, 12 total\nTime: 3 s';
  const failed = 'FAIL a.test.ts\nTests: 2 failed, 10 passed, 12 total';

  test('is named with how it ended', () => {
    expect(trailIn(run('npm test', passed))).toEqual([
      'last test run: npm test: passed: Tests: 12 passed, 12 total',
    ]);
    expect(trailIn(run('npx jest a', failed))).toEqual([
      'last test run: npx jest a: failed: Tests: 2 failed, 10 passed, 12 total',
    ]);
    expect(trailIn(run('npm test', 'cannot find npm', true))).toEqual([
      'last test run: npm test: failed: cannot find npm',
    ]);
    expect(trailIn(run('cargo test', 'ended'))).toEqual(['last test run: cargo test: ended']);
  });

  test('is the only one, at its place among the changes', () => {
    const messages = [
      ...run('npm test', failed),
      ...edit('a.ts'),
      ...run('pytest -q', '3 passed in 0.1s'),
      ...edit('b.ts'),
    ];
    expect(trailIn(messages)).toEqual([
      'edited a.ts',
      'last test run: pytest -q: passed: 3 passed in 0.1s',
      'edited b.ts',
    ]);
  });

  test('of none that failed does not count the word', () => {
    expect(trailIn(run('mix test', '106 tests, 0 failures'))).toEqual([
      'last test run: mix test: passed: 106 tests, 0 failures',
    ]);
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
      'sendEmail anna@example.com (failed): no such address',
    ]);
  });

  test('says what the host says of a tool, and nothing of one that it says only looks', () => {
    const messages = [
      ...done('deploy_preview', { id: 'p1' }),
      ...done('lights', { mode: 'dim', room: 'hall' }),
    ];
    expect(trailIn(messages)).toEqual(['deploy_preview p1']);
    const deeds = { lights: { verb: 'switched', object: 'room' }, deploy_preview: false as const };
    expect(trailIn(messages, { deeds })).toEqual(['switched hall']);
  });

  test('names the object of a host’s tool once, with what came of it', () => {
    const deeds = { reserve_seat: { verb: 'booked', object: 'flight_id' } };
    const messages = [
      ...done('reserve_seat', { note: 'aisle', flight_id: 7 }, 'seat 4A'),
      ...done('reserve_seat', { flight_id: 8 }, 'sold out', true),
      ...done('reserve_seat', { flight_id: 7 }, 'seat 4B'),
    ];
    expect(trailIn(messages, { deeds })).toEqual([
      'booked 8 (failed): sold out',
      'booked 7 (2 times): seat 4B',
    ]);
  });

  test('shows the call where the argument that the host names is missing or no short text', () => {
    const deeds = { charge: { verb: 'charged', object: 'order' } };
    const messages = [
      ...done('charge', { card: 'c-1' }),
      ...done('charge', { order: { id: 'o-2' } }),
      ...done('charge', { order: 'o'.repeat(200), card: 'c-3' }),
      ...done('charge', { order: null, card: 'c-4' }),
    ];
    const [first, second, third, fourth] = trailIn(messages, { deeds });
    expect([first, second]).toEqual(['charged charge c-1', 'charged {"id":"o-2"}']);
    expect(third).not.toContain('ooo');
    expect(fourth).toBe('charged charge c-4');
  });

  test('takes no tool of the host for one that its name only resembles', () => {
    expect(trailIn(done('toString', { id: 'p1' }), { deeds: { charge: { verb: 'charged' } } })).toEqual([]);
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
  const todo = done('TodoWrite', {
    todos: [
      { content: 'fix a', done: true },
      { content: 'fix\nb', done: false },
    ],
  });

  test('has the newest plan, and what the agent said last', () => {
    const lines = trailIn([...plan('fix a'), assistant('I fix\nb now.'), ...plan('fix b'), ...edit('b.ts')]);
    expect(lines.slice(-5)).toEqual([
      'plan:',
      '[x] read the tests',
      '[>] fix b',
      '[ ] write the docs',
      'said last: I fix b now.',
    ]);
    expect(lines.join('\n')).not.toContain('fix a');
    expect(trailIn(todo)).toEqual(expect.arrayContaining(['plan:', '[x] fix a', '[ ] fix b']));
  });

  test('is the only one that has them', () => {
    const messages = [...edit('a.ts'), ...plan('fix a'), assistant('I fix b now.')];
    const lines = trailIn(messages, { isNewest: false }).join('\n');
    expect(lines).toContain('edited a.ts');
    expect(lines).not.toContain('plan:');
    expect(lines).not.toContain('said last');
  });

  test('is empty where people only talk', () => {
    expect(trailIn([user('Hello!'), assistant('Hello, what can I do?'), user('Nothing.')])).toEqual([]);
  });

  test('of an earlier excerpt comes first', () => {
    const earlier = excerptText([{ heading: trailHeading, text: 'edited a.ts (2 times)\nran git push' }]);
    const messages = [user(earlier, { summary: true }), ...edit('b.ts')];
    expect(trailIn(messages)).toEqual(['edited a.ts (2 times)', 'ran git push', 'edited b.ts']);
  });
});

test('a trail gives up what it names one after the other, also where no verb comes first', () => {
  const earlier = excerptText([{ heading: trailHeading, text: 'a, b, c, d, e, f' }]);
  const messages = [user(earlier, { summary: true })];
  expect(trailIn(messages, { length: 9 })).toEqual(['… e, f']);
  expect(trailIn(messages, { length: 5 })).toEqual(['… f']);
  expect(trailIn(messages, { length: 2 })).toEqual([]);
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
      const trail = trailOf(sections, { isNewest: true, fits: (text) => text.length <= length });
      expect(trail?.text.length ?? 0).toBeLessThanOrEqual(length);
    }),
  );
});

test('a trail fits any room, has a limited number of lines, and is written the same twice, whatever was called', () => {
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
      expect(lines.filter((line) => !/^(?:plan:|\[[x> ]\] )/.test(line)).length).toBeLessThanOrEqual(21);
    }),
    { numRuns: 67 },
  );
});
