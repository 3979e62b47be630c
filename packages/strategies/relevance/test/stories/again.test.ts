import { anthropicCodec } from '@ctx/codec-anthropic';
import { compressMessages, type Message, messageText } from '@ctx/core';
import { excerptSections, intro, workIntro } from '@ctx/excerpt';
import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  managerOf,
  result,
  system,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { relevance } from '../../src/index.js';
import {
  compressAgain,
  compressed,
  excerptIn,
  expectFrom,
  expectWordForWord,
  inWindow,
  saidIn,
  sourcesIn,
  trailIn,
  unreadMark,
} from '../compressing.js';

/** Calls of a tool that does not show whole files, which would be kept as a whole. */
const work = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${from + index}`;
    return transcript(
      call(id, 'lookup', { path: `src/f${id}.ts` }),
      result(id, `export const setting${id} = ${id};\nfunction helper${id}() {\n${words(40)}\n}`),
    );
  }).flat();

const strategy = relevance();

describe('compressed a second time', () => {
  test('the excerpt is written again from the original messages, and mentions no excerpt', async () => {
    const { manager } = await compressed([user('Build it.'), ...work(0, 20), user('go')], 300);
    for (const message of [...work(20, 20), user('go on')]) manager.append(message);
    const { excerpt, sections, view } = await compressAgain(manager, 300);
    expect(view.map(messageText).join('\n').split(workIntro)).toHaveLength(2);
    expect(excerpt.startsWith(workIntro)).toBe(true);
    expectWordForWord({ manager, view });
    expect(view[0]).toEqual(user('Build it.'));
    expect(sections).toContainEqual({ heading: 'user', text: 'go' });
  });

  const long = 'a '.repeat(900).trim();
  const last = assistant('a '.repeat(200).trim());
  const read = (id: string, output: string, input = {}) =>
    transcript(call(id, 'read', input), result(id, output));
  test.each<[what: string, messages: Message[], target: number, kept: string]>([
    [
      'a long text of the user stays although the results around it have left without an excerpt',
      [user(long), user('next'), ...read('one', long), ...read('two', long), call('open', 'run', {})],
      0,
      long,
    ],
    [
      'what the agent said last stays although the calls before it have left without a line',
      [user('ut'), ...read('a', 'quis', { path: 'src/0.ts' }), user('ok'), last, call('open', 'run', {})],
      0,
      'the agent said last: a a',
    ],
    [
      'an excerpt stays where it stands although an earlier call is the newest thing that was not excerpted',
      [
        ...read('a', 'ok', { path: 'src/0.ts' }),
        user('ok'),
        ...read('b', 'non', { path: 'src/2.ts' }),
        last,
        system('egestas'),
      ],
      20,
      'the agent said last: a a',
    ],
  ])('%s', async (_, messages, target, kept) => {
    const { manager, view } = await compressed(transcript(...messages), target, { minMessagesToKeep: 1 });
    expect(view.map(messageText).join('\n')).toContain(kept);
    expect((await compressAgain(manager, target)).view).toEqual(view);
  });

  test('it contains lines that have been mentioned since, although the first excerpt left them out', async () => {
    const messages = [user('Build it.'), ...work(0, 40), user('go')];
    const first = await compressed(messages, 160);
    const lost = [...Array(39).keys()].find(
      (index) => !first.excerpt.includes(`setting${index} = ${index};`),
    ) as number;
    const used = call('again', 'grep', { pattern: `setting${lost}`, path: `src/f${lost}.ts` });
    for (const message of [
      used,
      result('again', 'no matches'),
      ...work(60, 5),
      assistant('So.'),
      user('And then?'),
    ])
      first.manager.append(message);
    const { excerpt } = await compressAgain(first.manager, 160);
    expect(excerpt).toMatch(new RegExp(`setting${lost}\\b`));
  });

  test('to fewer tokens, with nothing new, it is shorter but not empty', async () => {
    const { manager, excerpt } = await compressed(
      [user('Build it.'), ...work(0, 20), assistant('ok'), user('go')],
      400,
    );
    const again = await compressAgain(manager, 150);
    expect(again.tokens).toBeLessThanOrEqual(150);
    expect(again.tokens).toBeGreaterThan(90);
    expect(again.sections.length).toBeGreaterThan(3);
    expect(again.excerpt.length).toBeLessThan(excerpt.length);
    expectWordForWord(again);
  });

  test('where only a little is missing to fit the window, it is shortened by that, and what the user wants stays', async () => {
    const rules = Array.from({ length: 12 }, (_, at) => `Always keep rule ${at}: never ${words(12)} w${at}.`);
    const said = rules.flatMap((rule, at) => [
      user(rule),
      ...(at < 11 ? [assistant(`Noted. ${words(60)}`)] : []),
    ]);
    const pinned = (count: number) => user(words(count), { pinned: true });
    const { manager } = await compressed([...said, pinned(9_000)], 9_010, inWindow(10_000));
    manager.append(pinned(790));
    const { record, excerpt, tokens } = await compressAgain(manager, 7_000);
    expect(record?.tokensBefore).toBeGreaterThan(10_000);
    expect(tokens).toBeLessThanOrEqual(10_000);
    expect(record?.stages.map(({ strategy: name }) => name)).toEqual(['relevance']);
    expect(rules.filter((rule) => excerpt.includes(rule)).length).toBeGreaterThan(5);
  });

  test('after it was cut short beside a message that filled the window, it is written again with what it had', async () => {
    const rules = Array.from({ length: 12 }, (_, at) => `Always keep rule ${at}: never ${words(12)} w${at}.`);
    const said = rules.flatMap((rule) => [user(rule), assistant(`Noted. ${words(60)}`)]);
    const { manager } = await compressed([...said, user('go')], 300, inWindow(2_000));
    const kept = (made: { readonly excerpts: readonly string[] }) =>
      rules.filter((rule) => made.excerpts.join().includes(rule)).length;
    for (const message of transcript(call('big', 'lookup', {}), result('big', words(1_900))))
      manager.append(message);
    const crowded = await compressAgain(manager, 300);
    expect(kept(crowded)).toBeLessThan(4);
    for (const message of [assistant('read'), ...work(0, 20), user('go on')]) manager.append(message);
    expect(kept(await compressAgain(manager, 600))).toBeGreaterThan(8);
  });

  test('or ten times in a row, it does not grow, and the task and the newest exchange stay', async () => {
    const manager = managerOf([user('Build a parser.')]);
    for (let round = 0; round < 10; round += 1) {
      for (const message of [...work(round * 20, 20), user(`go on ${round}`)]) manager.append(message);
      const made = await compressAgain(manager, 300);
      const { tokens, view, excerpts, sections } = made;
      expect(tokens).toBeLessThanOrEqual(300);
      expect(view[0]).toEqual(user('Build a parser.'));
      expect(view.at(-1)).toEqual(user(`go on ${round}`));
      expect(excerpts).toHaveLength(1);
      expect(excerpts[0]?.startsWith(workIntro)).toBe(true);
      expect(sections.filter(({ heading }) => heading === 'user').map(({ text }) => text)).toEqual(
        Array.from({ length: round }, (_, index) => `go on ${index}`),
      );
      expectWordForWord(made);
    }
    const { tokens } = await compressAgain(manager, 290);
    expect(tokens).toBeLessThanOrEqual(290);
  });

  test('after a new task, what was done for the last one is merged with what was said before it', async () => {
    const manager = managerOf([
      user('Fix the parser.'),
      ...work(0, 20),
      assistant('Fixed.'),
      user('Write the docs.'),
    ]);
    await compressAgain(manager, 300);
    for (const message of work(20, 20)) manager.append(message);
    const second = await compressAgain(manager, 300);
    expect(second.excerpts.map((excerpt) => excerpt.split('\n')[0])).toEqual([intro, workIntro]);
    for (const message of [assistant('Written.'), user('Publish it.'), ...work(40, 10)])
      manager.append(message);
    const third = await compressAgain(manager, 300);
    const [before, after] = third.excerpts;
    expect(third.view.map(messageText).slice(0, 3)).toEqual([before, 'Publish it.', after]);
    expect(before).toContain('Fix the parser.');
    expect(before).toContain('Write the docs.');
    expect(after).not.toMatch(/src\/f[0-3]?\d\.ts/);
    expectWordForWord(third);
  });

  test('any conversation is excerpted word for word and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryTranscript,
        arbitraryTranscript,
        fc.nat(800),
        async (before, after, targetTokens) => {
          const { manager } = await compressed(before, targetTokens);
          for (const message of after) manager.append(message);
          const made = await compressAgain(manager, Math.floor(targetTokens / 2));
          expectWordForWord(made);
          // No two excerpts follow each other: one would have been written of both.
          const kinds = made.view.map(({ role, summary }) => `${role}${summary === true ? ' summary' : ''}`);
          expect(kinds.join()).not.toContain('user summary,user summary');
        },
      ),
      { numRuns: 34 },
    );
  });
});

describe('a newest exchange that was cut', () => {
  const log = Array.from({ length: 300 }, (_, index) => `line ${index} of app.log says word${index}`).join(
    '\n',
  );
  const newest = transcript(
    call('x', 'bash', { command: 'cat app.log', note: words(400) }),
    result('x', log),
  );
  const messages = [user('go'), ...work(0, 10), ...newest];
  const seen = [...messages, assistant('I see.')];
  // The call, its result, the task, the excerpt, and what was said last.
  const kept = { minMessagesToKeep: 5 };

  test('is cut further from the original once it has been read, with one mark', async () => {
    const { manager } = await compressed(seen, 1_200, kept);
    const { view, tokens } = await compressAgain(manager, 500);
    expect(tokens).toBeLessThanOrEqual(500);
    const lines = messageText(view.at(-2) as Message).split('\n');
    const left = lines.slice(0, -1).filter((line) => line !== '…');
    expect(lines.at(-1)).toBe(`[… ${300 - left.length} lines left out …]`);
    for (const line of left) expect(log).toContain(line);
    expect(JSON.stringify(view.at(-3)).split('left out')).toHaveLength(2);
  });

  test('does not change if the target is the same', async () => {
    const { manager, view } = await compressed(seen, 500, kept);
    const again = await compressAgain(manager, 500);
    expect(again.record).toBeUndefined();
    expect(again.view).toEqual(view);
  });

  test('because it did not fit into the window does not change if the window is the same', async () => {
    const { manager, view } = await compressed(messages, 1, inWindow(1_000));
    expect(messageText(view.at(-1) as Message)).toMatch(unreadMark);
    const again = await compressAgain(manager, 1);
    expect(again.record).toBeUndefined();
    expect(again.view).toEqual(view);
  });

  test('is excerpted from the original once it is old', async () => {
    const { manager } = await compressed(messages, 1, inWindow(1_000));
    for (const message of [assistant('I see word77, word78 and word299.'), ...work(50, 4), user('and now?')])
      manager.append(message);
    const made = await compressAgain(manager, 300);
    const { sections } = made;
    expectWordForWord(made);
    expect(sections.map(({ text }) => text).join('\n')).not.toContain('left out');
  });
});

describe('an excerpt whose originals are gone', () => {
  async function compressTwice(between: (view: readonly Message[]) => Message[]) {
    const options = { strategy, counter: wordCounter };
    const messages = [
      user('Build it.'),
      ...work(0, 20),
      ...transcript(
        call('f', 'bash', { command: 'npm test' }),
        result('f', 'TypeError: loader is undefined at loader.js:12, trace E-471199', { isError: true }),
      ),
      assistant('setting3 must be set in helper3.'),
      user('And now?'),
    ];
    const first = await compressMessages(messages, { ...options, targetTokens: 520 });
    const passed = deepFreeze(between(first.messages));
    const more = [...passed, ...work(30, 10), assistant('setting3 again'), user('What next?')];
    const second = await compressMessages(more, { ...options, targetTokens: 400 });
    return { first: excerptIn(first.messages), second: excerptIn(second.messages), messages, more };
  }

  test('keeps its sections and headings if it is passed on unchanged', async () => {
    const { first, second, messages, more } = await compressTwice((view) => [...view]);
    expect(first).not.toBe('');
    expect(second.split(intro)).toHaveLength(2);
    const sections = saidIn(second);
    expectFrom(sections, sourcesIn([...messages, ...more.slice(-22)]));
    const failure = 'TypeError: loader is undefined at loader.js:12, trace E-471199';
    expect(trailIn(first)).toEqual([]);
    expect(trailIn(second)).toEqual([`last run of tests (npm test): ended with an error; ${failure}`]);
    const headings = sections.map(({ heading }) => heading);
    expect(headings).toContain('bash npm test (failed)');
    expect(sections[0]).toEqual({ heading: 'user', text: 'Build it.' });
    expect(headings).not.toContain('summary');
  });

  test.each([
    [
      'as an ordinary message of the user',
      (view: readonly Message[]) =>
        view.map((message) => ({ role: message.role, content: message.content }) as Message),
    ],
    [
      'in the form of a provider',
      (view: readonly Message[]) => {
        const native = JSON.parse(JSON.stringify(anthropicCodec.fromMessages(view))) as ReturnType<
          typeof anthropicCodec.fromMessages
        >;
        return [...anthropicCodec.toMessages(native)];
      },
    ],
  ])('passed on %s is a summary, whose headings are text', async (_, between) => {
    const { second } = await compressTwice(between);
    expect(second.split(intro)).toHaveLength(2);
    const [first, ...others] = saidIn(second);
    expect(first?.heading).toBe('summary');
    expect(first?.text).toMatch(/helper\d+|Build it/);
    expect(others.filter(({ heading }) => heading === 'user').map(({ text }) => text)).toEqual(['And now?']);
  });

  test('stays separate from the user’s next words if both are passed on in one message', async () => {
    const { second } = await compressTwice(([excerpt, ...rest]) => [
      user([
        { type: 'text', text: messageText(excerpt as Message) },
        { type: 'text', text: 'Mind setting3.' },
      ]),
      ...rest,
    ]);
    expect(excerptSections(second)).toContainEqual({ heading: 'user', text: 'Mind setting3.' });
  });
});
