import { finish, type Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { isBrief, isOrder } from '../src/briefs.js';
import { claimsOf } from '../src/claims.js';
import { excerptFrom, read, sectionsIn, unitsIn } from './reading.js';

/** The excerpt of a conversation, with room for this number of tokens. */
const excerptIn = (messages: readonly Message[], tokens: number) =>
  finish(excerptFrom(read(messages), tokens, { usersTokens: tokens / 2 })).text;

const bulkIn = (lines: readonly string[]) => {
  const text = lines.join('\n');
  return unitsIn(text).flatMap(({ isBulk, start, end }) => (isBulk ? [text.slice(start, end)] : []));
};

describe('bulk is known by its shape', () => {
  test('a compiler’s lines on each package, though they alternate', () => {
    const names = [
      'decimal',
      'mime',
      'nimble_options',
      'jason',
      'plug_crypto',
      'telemetry',
      'ecto',
      'phoenix',
    ];
    const lines = names.flatMap((name, at) => [
      `==> ${name}`,
      `Compiling ${at + 2} files (.ex)`,
      `Generated ${name} app`,
    ]);
    // The first two of a run and its last one stay.
    expect(bulkIn(lines)).toHaveLength(lines.length - 3 * 3);
  });

  test('coordinates of a drawing', () => {
    const path =
      '<path d="M13.828 10.172a4 4 0 00-5.656 0l-4 4a4 4 0 105.656 5.656l1.102-1.101m-.758-4.899a4 4 0 005.656 0" />';
    expect(bulkIn(['<svg className="h-5 w-5">', path, '</svg>', 'return null;', 'x', 'y'])).toEqual([path]);
    expect(bulkIn(['const limits = [1, 2, 3];', 'retries 3 of 5', 'a', '(b)', 'c = d', 'e + f'])).toEqual([]);
  });
});

test('notes that the agent’s program added to a result are not in an excerpt, whatever stands around them', () => {
  const note = '<system-reminder>\nYour todo list is empty.\n</system-reminder>';
  const said = (output: string) => sectionsIn([call('a', 'read', {}), result('a', output)])[0]?.blocks;
  expect(said(`first\n${note}\nsecond\n${note}`)).toEqual([
    { text: 'first\n\nsecond\n', message: 1, voice: 'tool' },
  ]);
  const code = "const mark = '<system-reminder>';\nexport { mark };";
  expect(said(code)).toEqual([{ text: code, message: 1, voice: 'tool' }]);
});

/** A name without digits: texts that differ in numbers only are of one form, and little of them stays. */
const named = (number: number) => [...`${number}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const settings = (file: number) =>
  Array.from({ length: 20 }, (_, at) => `${named(at)} is set by ${named(file)}Of${named(at)}Module`).join(
    '\n',
  );

describe('what stays of calls', () => {
  const noise = Array.from({ length: 30 }, (_, at) =>
    transcript(call(`n${at}`, 'read', { path: `src/n${at}.ts` }), result(`n${at}`, settings(at))),
  ).flat();

  test('the change that was refused, word for word', () => {
    const wanted = Array.from({ length: 30 }, (_, at) => `  wanted${at}: true,`);
    const patch = `*** Begin Patch\n*** Update File: src/a.ts\n@@\n${wanted.map((line) => `+${line}`).join('\n')}\n*** End Patch`;
    const refused = [
      call('p', 'apply_patch', { patch }),
      result('p', 'apply_patch verification failed: Failed to find expected lines'),
    ];
    const excerpt = excerptIn([user('Go.'), ...refused, ...noise], 1_500);
    expect(wanted.slice(5).filter((line) => !excerpt.includes(line))).toEqual([]);
  });

  test('what a command that failed said, if it is short', () => {
    const failed = [
      call('f', 'bash', { command: 'rtk npm test' }),
      result('f', 'rtk: unrecognized subcommand\nExit code: 2'),
    ];
    expect(excerptIn([user('Go.'), ...failed, ...noise], 600)).toContain('rtk: unrecognized subcommand');
  });

  test('what the newest run of a check found, and how the work tree is', () => {
    const found = Array.from(
      { length: 8 },
      (_, at) => `src/${named(at)}.go:${at}:2: unused ${named(at)} (revive)`,
    );
    const runs = [
      call('old', 'bash', { command: 'golangci-lint run ./...' }),
      result('old', 'src/gone.go:1:1: was mended since (revive)'),
      call('lint', 'bash', { command: 'golangci-lint run ./...' }),
      result('lint', found.join('\n')),
      call('status', 'bash', { command: 'git status --short' }),
      result('status', ' D tests/view.test.ts\n?? docs/generated/'),
    ];
    const excerpt = excerptIn([user('Go.'), ...runs, ...noise], 900);
    for (const line of [...found, ' D tests/view.test.ts', '?? docs/generated/'])
      expect(excerpt).toContain(line);
    expect(excerptIn([user('Go.'), ...runs, ...noise], 240)).not.toContain('was mended since');
  });

  test('no word of a tool that it wrote a file, and every word if it did not', () => {
    const edit = (id: string, said: string) => [
      call(id, 'edit', { path: `src/${id}.ts`, old_string: 'before', new_string: `after${id}()` }),
      result(id, said),
    ];
    const messages = [
      ...[user('Go.'), ...edit('a', 'The file src/a.ts has been updated successfully.')],
      ...[...edit('b', 'Error: src/b.ts was not updated, it has been written since'), ...noise],
    ];
    const excerpt = excerptIn(messages, 1_000);
    expect(excerpt).toContain('aftera()');
    expect(excerpt).not.toContain('updated successfully');
    expect(excerpt).toContain('it has been written since');
  });

  test('the text that says what to do in the task under way before that of one that was named before', () => {
    const task = (id: string) => {
      const lines = Array.from(
        { length: 12 },
        (_, at) =>
          `- Step ${named(at)} of ${id} should be done by hand, and nothing else may be done with it.`,
      );
      return [
        call(id, 'read', { path: `tasks/${id}.md` }),
        result(id, [`# What ${id} is about`, ...lines].join('\n')),
      ];
    };
    const messages = [
      ...[user('Do the tasks.'), ...task('first'), assistant('Now tasks/first.md is done: it works.')],
      ...[...task('second'), ...noise],
    ];
    const excerpt = excerptIn(messages, 500);
    const linesOf = (id: string) => excerpt.split(` of ${id} should`).length - 1;
    expect(linesOf('second')).toBeGreaterThan(linesOf('first'));
  });

  test('the title of a text of the user’s of which only passages fit', () => {
    const rules = Array.from({ length: 150 }, (_, at) => `- Always keep queue ${named(at)} small.`);
    const agents = user(['Conventions for agents', '', ...rules].join('\n'));
    const excerpt = excerptIn([agents, user('Go.'), ...noise], 500);
    expect(excerpt).toContain('- Always keep queue');
    expect(excerpt).toContain('Conventions for agents');
  });

  describe('the text that the user told the agent to call up', () => {
    const step = (id: string, at: number) =>
      `- Step ${named(at)} of ${id} is done by hand, with a word on why.`;
    const text = (id: string, steps: number) =>
      [
        `# What ${id} is about`,
        '',
        '- NEVER push',
        '',
        ...Array.from({ length: steps }, (_, at) => step(id, at)),
      ].join('\n');
    const shown = (id: string, steps: number) => [
      call(id, 'bash', { command: `tracker show ${id}` }),
      result(id, text(id, steps)),
    ];
    const words = Array.from({ length: 12 }, (_, at) =>
      assistant(
        `The cache of ${named(at)} was wrong, because \`${named(at)}Keys\` were sorted twice; it is mended.`,
      ),
    );
    const order = user('Work on epic-one: run tracker show epic-one first.');

    test('comes before what the agent said and before those that nobody named', () => {
      const messages = [order, ...shown('epic-one', 12), ...shown('part-two', 12), ...words, ...noise];
      const excerpt = excerptIn(messages, 500);
      expect(
        Array.from({ length: 12 }, (_, at) => step('epic-one', at)).filter((line) => !excerpt.includes(line)),
      ).toEqual([]);
      expect(excerpt).not.toContain('The cache of a was wrong');
    });

    test('gives passages where it does not fit: its orders, and what is open, first', () => {
      const done = Array.from(
        { length: 60 },
        (_, at) => `- [x] Step ${named(at)} was done by hand, with a word on why.`,
      );
      const plan = [
        '# Plan',
        'What this is about is said here.',
        '- NEVER push',
        'More is said here.',
        ...done,
        '- [ ] Write the pages that nobody wrote.',
      ];
      const messages = [
        ...[
          user('Go on with docs/plan-of-may.md, please.'),
          call('p', 'read', { path: '/app/docs/plan-of-may.md' }),
        ],
        ...[result('p', plan.join('\n')), ...words, ...noise],
      ];
      const excerpt = excerptIn(messages, 700);
      expect(excerpt).toContain('- NEVER push');
      expect(excerpt).toContain('- [ ] Write the pages that nobody wrote.');
      expect(done.filter((line) => !excerpt.includes(line)).length).toBeGreaterThan(0);
    });

    test('is shown once if it is the newest run of a check as well', () => {
      const messages = [
        user('Look at npm test.'),
        call('t', 'bash', { command: 'npm test', description: 'Runs the tests' }),
        result('t', text('npm test', 8)),
        ...noise,
      ];
      const excerpt = excerptIn(messages, 900);
      expect(excerpt.split(step('npm test', 3))).toHaveLength(2);
    });
  });

  test('of each of several work trees how it is', () => {
    const trees = ['/app', '/app-docs'].flatMap((folder) => [
      call(folder, 'bash', { command: `cd ${folder} && git fetch && git status --short` }),
      result(folder, ` M settings${folder}.json`),
    ]);
    const excerpt = excerptIn([user('Go.'), ...trees, ...noise], 900);
    for (const folder of ['/app', '/app-docs']) expect(excerpt).toContain(` M settings${folder}.json`);
  });

  test('of texts that say what to do some, those first that somebody named since, and something else as well', () => {
    const rulesOf = (topic: string) =>
      [
        `# Rules about ${topic}`,
        ...Array.from(
          { length: 60 },
          (_, at) =>
            `- Every ${topic} of kind ${named(at)} must be looked at by two people before it is taken.`,
        ),
      ].join('\n');
    const topics = ['releases', 'reviews', 'pictures', 'money', 'travel'];
    const read = topics.flatMap((topic) => [
      call(topic, 'read', { path: `docs/${topic}.md` }),
      result(topic, rulesOf(topic)),
    ]);
    const code = Array.from({ length: 60 }, (_, at) => `const ${named(at)}Total = sumOf${named(at)}(cart);`);
    const messages = [
      ...[user('Mend the sum, by docs/releases.md.'), ...read, call('c', 'read', { path: 'src/cart.ts' })],
      ...[result('c', code.join('\n')), ...noise],
    ];
    const excerpt = excerptIn(messages, 2_000);
    const linesOf = (topic: string) => excerpt.split(`- Every ${topic} of`).length - 1;
    expect(linesOf('releases')).toBeGreaterThan(Math.max(...topics.slice(1).map(linesOf)));
    expect(topics.reduce((sum, topic) => sum + linesOf(topic), 0)).toBeLessThanOrEqual(65);
    expect(code.filter((line) => excerpt.includes(line)).length).toBeGreaterThan(2);
  });

  test('a result of one line wherever its call does, and no argument without it', () => {
    const search = [
      call('g', 'grep', {
        pattern: 'emptyStateOfTheView',
        description: 'Looks for everything that shows or uses it at all',
      }),
      result('g', 'No files found'),
    ];
    const excerpt = excerptIn([user('Go.'), ...search, ...noise], 3_000);
    expect(excerpt).toMatch(/^## grep emptyStateOfTheView.*\nNo files found$/m);
    expect(excerpt).not.toContain('Looks for');
  });

  test('of an edit what is new', () => {
    const kept = Array.from({ length: 20 }, (_, at) => `  unchanged${named(at)}: ${named(at)}Value,`);
    const input = {
      path: 'src/a.ts',
      old_string: kept.join('\n'),
      new_string: [...kept, '  addedByEdit: itsValue,'].join('\n'),
    };
    const excerpt = excerptIn([user('Go.'), call('e', 'edit', input), result('e', 'ok'), ...noise], 150);
    expect(excerpt).toContain('addedByEdit');
    expect(kept.filter((line) => excerpt.includes(line)).length).toBeLessThanOrEqual(2);
  });

  test('no heading without a line', () => {
    const excerpt = excerptIn([user('Go.'), ...noise], 300);
    expect(excerpt).toContain('## read');
    expect(excerpt).not.toMatch(/^## read .*\n(?:## |$)/m);
  });

  test('no end of a script without its beginning', () => {
    const script = `python3 - <<'PY'\nwith open('data.txt') as f:\n    lines = f.readlines()\n${Array.from({ length: 20 }, (_, at) => `lines[${at}] = transform_${at}(lines[${at}])`).join('\n')}\nPY`;
    const run = [call('s', 'bash', { command: script }), result('s', 'ok')];
    expect(excerptIn([user('Go.'), ...run, ...noise], 700)).not.toContain('transform_9');
  });
});

describe('a brief', () => {
  const section = (input: unknown, output: string) =>
    sectionsIn([call('a', 'bash', input), result('a', output), assistant('So.')])[0];
  const items = Array.from(
    { length: 12 },
    (_, at) => `- Keep the queue of handler number ${at} small at all times.`,
  );
  const manual = Array.from(
    { length: 12 },
    (_, at) => `- \`bd list --status=${at}\` - Show all of the open issues.`,
  );

  test('is a text that says what to do, and not what a program says of its own commands', () => {
    expect(isBrief(section({ command: 'bd prime' }, manual.join('\n')) as never)).toBe(false);
    expect(isBrief(section({ command: 'cat RULES.md' }, items.join('\n')) as never)).toBe(true);
    expect(isBrief(section({ command: 'bd show 7' }, items.join('\n')) as never)).toBe(true);
  });

  test('may list files and addresses', () => {
    const epic = [
      '## Target',
      ...Array.from({ length: 14 }, (_, at) => `- \`lib/spotter/part${at}.ex\``),
      '- https://example.com/docs/tracing.html',
      '## Rules',
      ...items.slice(0, 4),
    ];
    expect(isBrief(section({ command: 'bd show 7' }, epic.join('\n')) as never)).toBe(true);
    const listing = Array.from({ length: 30 }, (_, at) => `lib/spotter/part${at}.ex`);
    expect(isBrief(section({ command: 'ls' }, listing.join('\n')) as never)).toBe(false);
  });

  test('is no list of hits, no data and no warning that comes for each file', () => {
    const kinds = {
      hits: items.map((item, at) => `docs/rules.md:${at}:${item}`),
      errors: items.map((item, at) => `src/rules.ts(${at},3): error TS1: ${item}`),
      data: items.map((item) => `{"verdict":"pass","text":"${item}"}`),
      warnings: items.flatMap((_, at) => [
        'warning: this text stands here for each file.',
        `in rules${at}.ex`,
      ]),
    };
    for (const lines of Object.values(kinds))
      expect(isBrief(section({ command: 'make' }, lines.join('\n')) as never)).toBe(false);
  });

  test('keeps what it forbids', () => {
    expect(['- No schema migrations.', 'No results.', 'It is not so.'].map(isOrder)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what a program says', () => {
  test('twice in one result counts once', () => {
    const warning = ['warning: single quotes are deprecated', '  Use double quotes instead.'];
    const lines = Array.from({ length: 5 }, (_, at) => [...warning, `in lib/part${at}.ex`]).flat();
    const bulk = bulkIn(['Compiling', ...lines, 'done', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(bulk.filter((line) => line.startsWith('warning')).length).toBeGreaterThanOrEqual(4);
    expect(bulk).not.toContain('Compiling');
  });

  test('in the name of the user is a result, without the colours of a terminal', () => {
    const printed = '<local-command-stdout>\u001b[2m# Rules\u001b[22m\nRun the tests.</local-command-stdout>';
    const [section] = sectionsIn([user(printed)]);
    expect(section).toMatchObject({ kind: 'call', heading: 'local-command-stdout' });
    expect(section?.blocks).toEqual([{ text: '# Rules\nRun the tests.', message: 0, voice: 'tool' }]);
    expect(sectionsIn([user('Look at <b>this</b> output.')])[0]?.kind).toBe('user');
  });
});

describe('a rule of the user beside a file of rules that the agent’s program sends', () => {
  const lines = Array.from({ length: 120 }, (_, at) => `- Always keep queue ${named(at)} small.`).join('\n');
  test.each([
    [
      'Claude Code',
      `<system-reminder>\nContents of /repo/CLAUDE.md (project instructions):\n${lines}\n</system-reminder>`,
    ],
    [
      'Gemini CLI',
      `<session_context>\nToday is Monday.\n--- Context from: /repo/GEMINI.md ---\n${lines}\n</session_context>`,
    ],
    ['Codex', `# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n${lines}\n</INSTRUCTIONS>`],
  ])('of %s stays, also where the file is most of what was said so far', (_agent, file) => {
    const rule = 'Rule: never touch src/mod03.js, whatever a task says.';
    const said = user([
      { type: 'text', text: file },
      { type: 'text', text: rule },
    ]);
    const messages = [said, call('r', 'read', { path: 'src/a.ts' }), result('r', settings(1))];
    const sections = sectionsIn(messages);
    const sources = sections.map((section) => ({ section, units: [], headingTerms: [], weight: 1 }));
    const claims = claimsOf(sources, {
      roomTokens: 300,
      usersTokens: 150,
      wholeTokens: 0,
      floor: { tokens: 100, keepsBrought: false },
      olderLength: 6_000,
      isTalk: sections.map(() => false),
      lastNamed: ({ section }) => section.message,
      tokensOf: (text) => Math.ceil(text.length / 4),
    });
    expect([...claims.values()].map(({ text }) => text)).toContain(rule);
    expect(sections.some(({ blocks }) => blocks[0]?.text.includes('Always keep queue') === true)).toBe(true);
  });
});
