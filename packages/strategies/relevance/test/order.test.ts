import { type Message, messageText } from '@ctx/core';
import { intro, workIntro } from '@ctx/excerpt';
import { assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { relevance } from '../src/index.js';
import { compressAgain, compressed, expectWordForWord, inWindow } from './compressing.js';

const reads = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${from + index}`;
    return transcript(
      call(id, 'read', { path: `src/f${id}.ts` }),
      result(id, `only in f${id}\n${words(40)}`),
    );
  }).flat();
const edits = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `e${from + index}`;
    const input = { path: `src/f${from + index}.ts`, old_string: words(20), new_string: words(20) };
    return transcript(call(id, 'edit', input), result(id, 'ok'));
  }).flat();

const textsOf = (view: readonly Message[]) => view.map(messageText);

describe('what was done for a task', () => {
  const task = user('Rename parse to parseAll.');
  const before = [user('Hello.'), ...reads(0, 10), assistant('Hello! What can I do?')];
  const work = [...reads(10, 10), ...edits(10, 10)];

  test('stands behind it, and what was said before it stands before it', async () => {
    const { view, excerpts } = await compressed([...before, task, ...work], 250);
    const [first, second, third] = textsOf(view);
    expect(second).toBe(messageText(task));
    expect([first, third]).toEqual(excerpts);
    expect(first?.split('\n')[0]).toBe(intro);
    expect(third?.split('\n')[0]).toBe(workIntro);
    expect(first).not.toMatch(/f1\d\.ts/);
    expect(third).not.toMatch(/f\d\.ts/);
    expect(third).toMatch(/f1\d\.ts/);
  });

  test('says in the host’s words what its tools did', async () => {
    const bookings = ['F1', 'F2'].flatMap((flight) => {
      const input = { passenger: 'Ada', flight_id: flight };
      return transcript(call(flight, 'seat', input), result(flight, words(3)));
    });
    const messages = [task, ...bookings, ...reads(10, 12)];
    const options = { actions: { seat: { verb: 'booked', object: 'flight_id' } } };
    expect((await compressed(messages, 150)).trail).toEqual([]);
    const { trail } = await compressed(messages, 150, { options });
    expect(trail.map((line) => line.split(':')[0])).toEqual(['booked F1', 'booked F2']);
  });

  test('is not said in words that are no line', () => {
    for (const verb of ['', ' ', 'booked\n# user'])
      expect(() => relevance({ actions: { seat: { verb } } })).toThrow(/actions/);
  });

  test('is all behind it if nothing was said before it', async () => {
    const { view, excerpts } = await compressed([task, ...work, user('continue')], 200);
    expect(textsOf(view)[0]).toBe(messageText(task));
    expect(excerpts).toHaveLength(1);
    expect(
      textsOf(view)[1]?.startsWith(`${workIntro}\n## what was done, in order\nedited src/f10.ts, `),
    ).toBe(true);
    expect(view.at(-1)).toEqual(user('continue'));
  });

  test('keeps its place if it is compressed again and again', async () => {
    const manager = managerOf([...before, task, ...work]);
    for (let round = 3; round < 9; round += 1) {
      const made = await compressAgain(manager, 250);
      const at = made.view.findIndex((message) => messageText(message) === messageText(task));
      expect(at).toBeGreaterThanOrEqual(0);
      for (const [place, message] of made.view.entries())
        if (place < at) expect(messageText(message)).not.toMatch(/f[1-9]\d\.ts/);
      expectWordForWord(made);
      for (const message of [...reads(round * 10, 5), ...edits(round * 10, 5)]) manager.append(message);
    }
  });

  test('leaves no excerpt where nothing of a segment is worth a line', async () => {
    const small = Array.from({ length: 12 }, () => assistant(words(10)));
    const messages = [
      ...small,
      user('Stop!', { pinned: true }),
      ...reads(0, 10),
      assistant('So.'),
      user('Why?'),
    ];
    const { view } = await compressed(messages, 40);
    const at = view.findIndex((message) => messageText(message) === 'Stop!');
    expect(at).toBeLessThanOrEqual(1);
    expect(view.at(-1)).toEqual(user('Why?'));
  });
});

describe('a message of the user that comes while the agent is at work', () => {
  const messages = [
    user('Move the parser.'),
    ...reads(0, 8),
    ...edits(0, 2),
    user('No, leave the lexer where it is.', { pinned: true }),
    ...edits(12, 2),
    ...reads(10, 8),
    user('And be quick.'),
  ];

  test('stays, and divides the work', async () => {
    const made = await compressed(messages, 250);
    expect(textsOf(made.view.filter(({ role }) => role === 'user'))).toEqual([
      'Move the parser.',
      made.excerpts[0],
      'No, leave the lexer where it is.',
      made.excerpts[1],
      'And be quick.',
    ]);
    for (const excerpt of made.excerpts) expect(excerpt.split('\n')[0]).toBe(workIntro);
    expect(made.trail).toEqual(['edited src/f0.ts, src/f1.ts', 'edited src/f12.ts, src/f13.ts']);
    expect(made.excerpts[0]).not.toMatch(/f1\d\.ts/);
    expect(made.excerpts[1]).not.toMatch(/f\d\.ts/);
    expectWordForWord(made);
  });

  test('keeps its place in the excerpt if it leaves', async () => {
    const loose = messages.map((message) => (message.pinned === true ? user(messageText(message)) : message));
    const made = await compressed(loose, 250);
    expect(made.excerpts).toHaveLength(1);
    const headings = made.sections.map(({ heading }) => heading);
    const at = headings.indexOf('user');
    expect(made.sections[at]?.text).toBe('No, leave the lexer where it is.');
    expect(headings.slice(0, at).join()).not.toMatch(/f1\d/);
    expect(headings.slice(at).join()).not.toMatch(/f\d\.ts/);
  });
});

describe('several messages of the user that stay', () => {
  const rules = ['Use tabs.', 'Use no any.', 'Write tests.'];
  const messages = [
    user('Build a parser.'),
    ...rules.flatMap((rule, index) => [...reads(index * 10, 8), user(rule, { pinned: true })]),
    ...reads(40, 8),
  ];

  test('stand in order, with an excerpt between each two', async () => {
    const made = await compressed(messages, 450);
    expect(made.excerpts).toHaveLength(4);
    expect(
      textsOf(made.view)
        .filter((text) => !made.excerpts.includes(text))
        .slice(0, 4),
    ).toEqual(['Build a parser.', ...rules]);
    expect(made.tokens).toBeLessThanOrEqual(450);
    expectWordForWord(made);
  });

  test('keep what is short between them as it is', async () => {
    const short = [assistant(words(20)), user('Mind the tests.', { pinned: true })];
    const { view } = await compressed([user('Build it.'), ...short, ...reads(0, 10)], 100);
    expect(view.slice(0, 3)).toEqual([user('Build it.'), ...short]);
  });
});

describe('what the model has not read', () => {
  const unread: Readonly<Record<string, readonly Message[]>> = {
    'a result': [call('x', 'bash', { command: 'cat log' }), result('x', words(3_000))],
    'parallel results': [
      assistant([
        { type: 'tool-call', toolCallId: 'x', toolName: 'bash', input: { command: 'a' } },
        { type: 'tool-call', toolCallId: 'y', toolName: 'bash', input: { command: 'b' } },
      ]),
      result('x', words(1_500)),
      result('y', words(1_500)),
    ],
    'what the user pasted': [assistant('Show me.'), user(words(3_000))],
    'several messages of the user': [assistant('Show me.'), user(words(1_500)), user(words(1_500))],
    'a result, and what the user said after it': [
      call('x', 'read', { path: 'a' }),
      result('x', words(3_000)),
      user('Stop.'),
    ],
  };

  test('is cut only if it does not fit into the window, and then to fit it', async () => {
    for (const newest of Object.values(unread)) {
      const { tokens, view } = await compressed(
        transcript(user('Fix it.'), ...reads(0, 20), ...newest.map(multiline)),
        1,
        inWindow(1_000),
      );
      expect(tokens).toBeLessThanOrEqual(1_000);
      expect(tokens).toBeGreaterThan(700);
      expect(textsOf(view).join('\n')).toContain(
        'because they do not fit into the window: read them in parts',
      );
    }
  });
});

/** The message with ten words in a line, each with its number, as lines that repeat leave first. */
function multiline(message: Message): Message {
  return JSON.parse(
    JSON.stringify(message).replace(/(?:word ){10}/g, (ten, at: number) => `${ten.trim()} ${at}\\n`),
  ) as Message;
}

describe('where not all fits', () => {
  const names = ['parse', 'render', 'store', 'route', 'merge', 'index', 'token', 'queue'];
  const steps = Array.from(
    { length: 40 },
    (_, at) =>
      `${at + 1}. The ${names[at % 8]} step of part ${at + 1} is there for people who like to see such things.`,
  );
  const plan = ['# What is to be done here', ...steps].join('\n');
  const identifiers = names.flatMap((one) => names.map((other) => `${one}${other.toUpperCase()}`));
  const code = identifiers
    .map((name) => `const ${name}Value = await ${name}Service(${name}Input);`)
    .join('\n');
  const around = (...read: readonly Message[]) => [
    user('Do what plan.md says.'),
    ...read,
    ...reads(0, 4),
    assistant('Now I begin.'),
    user('Go on.'),
  ];

  test('a document that says what to do comes before code', async () => {
    const { excerpt } = await compressed(
      around(
        ...transcript(call('1', 'read', { path: 'plan.md' }), result('1', plan)),
        ...transcript(call('2', 'read', { path: 'src/values.ts' }), result('2', code)),
        assistant(identifiers.map((name) => `${name}Service`).join(' ')),
      ),
      400,
    );
    expect(steps.filter((step) => excerpt.includes(step)).length).toBeGreaterThan(5);
    for (const line of code.split('\n')) expect(excerpt).not.toContain(line);
  });

  test.each([6, 9])('of %i lines that were read twice none is shown twice', async (count) => {
    const again = steps.slice(10, 10 + count);
    const { excerpt } = await compressed(
      around(
        ...transcript(call('1', 'read', { path: 'plan.md' }), result('1', plan)),
        ...transcript(call('2', 'read', { path: 'plan.md', limit: count }), result('2', again.join('\n'))),
      ),
      700,
    );
    for (const step of again) expect(excerpt.split(step).length).toBeLessThanOrEqual(2);
    expect(again.some((step) => excerpt.includes(step))).toBe(true);
  });
});
