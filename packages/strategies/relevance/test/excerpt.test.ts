import { exchangesOf, type Message, messageText, partsOf, toolCallsOf } from '@ctx/core';
import { intro, workIntro } from '@ctx/excerpt';
import {
  and,
  arbitraryTranscript,
  assistant,
  call,
  managerOf,
  planContextOf,
  result,
  system,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { relevance } from '../src/index.js';
import { compressed, expectFrom, expectWordForWord, inWindow, sourcesIn, unreadMark } from './compressing.js';

const line = fc.oneof(
  fc.lorem({ maxCount: 8 }),
  fc.constantFrom(
    'parseTokens in src/parser.ts:12 returns 4711',
    '# a comment',
    '## user',
    '    ## indented',
    'TypeError: x is not a function',
    '{"id": "res-4711", "name": "Anna"}',
    '| a | b |',
    '- [ ] call https://example.com/a?b=1',
    '',
    '\t',
    '🙂 ok',
  ),
);
const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `x${lines.join('\n')}y`);
const turn = fc.oneof(
  text.map((said) => (_: number) => [user(said)]),
  text.map((said) => (_: number) => [assistant(said)]),
  fc
    .tuple(fc.constantFrom('read', 'bash', 'grep'), text, text, fc.boolean())
    .map(([name, input, output, isError]) => (index: number) => [
      call(`c${index}`, name, { path: `src/file${index}.ts`, content: input }),
      result(`c${index}`, output, { isError }),
    ]),
  fc
    .tuple(fc.constantFrom('edit', 'write', 'cancel_order'), fc.nat(3), text, fc.boolean())
    .map(([name, file, change, isError]) => (index: number) => [
      call(`c${index}`, name, { path: `src/file${file}.ts`, old_string: 'x', new_string: change }),
      result(`c${index}`, isError ? 'no such text' : 'ok', { isError }),
    ]),
  fc
    .tuple(
      fc.constantFrom('npm test', 'git add . && git commit -m "more"', 'sed -i s/a/b/ src/a.ts', 'ls'),
      text,
    )
    .map(([command, output]) => (index: number) => [
      call(`c${index}`, 'bash', { command }),
      result(`c${index}`, output),
    ]),
);
/** Work with identifiers, Markdown, JSON and failures; every call has its result. */
const arbitraryWork: fc.Arbitrary<Message[]> = fc
  .array(turn, { minLength: 2, maxLength: 14 })
  .map((turns) => transcript(user('go'), ...turns.flatMap((make, index) => make(index))));

const anyConversation = fc.oneof(arbitraryWork, arbitraryTranscript);
const share = fc.constantFrom(0.05, 0.2, 0.5, 0.8);

function wordsIn(messages: readonly Message[]): number {
  return managerOf(messages).stats().countedTokens;
}

describe('an excerpt of any conversation', () => {
  test('gives every line word for word, under the heading of its source, in the order of the conversation', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, share, async (messages, part) => {
        const made = await compressed(messages, Math.floor(wordsIn(messages) * part));
        expectWordForWord(made);
        for (const excerpt of made.excerpts) expect([intro, workIntro]).toContain(excerpt.split('\n')[0]);
      }),
      { numRuns: 50 },
    );
  });

  test('is made only from messages that left the view', async () => {
    const messages = transcript(
      user('parseTokens is slow'),
      ...Array.from({ length: 20 }, (_, index) => [
        call(`c${index}`, 'read', { path: `src/f${index}.ts` }),
        result(`c${index}`, `only in f${index}\n${words(30)}`),
      ]).flat(),
      user('and now?'),
    );
    const { view, sections, left } = await compressed(messages, 250);
    expect(sections.length).toBeGreaterThan(3);
    expectFrom(sections, sourcesIn(left));
    const shown =
      view
        .map(messageText)
        .join('\n')
        .match(/only in f\d+/g) ?? [];
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('brings the view within budget if the messages that must stay allow it, what was done, and what is wanted', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyConversation,
        fc.integer({ min: 0, max: 1_500 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(0, 3),
        fc.constantFrom(2_000, 20_000),
        async (messages, targetTokens, minMessagesToKeep, overhead, window) => {
          const config = { reserve: 0, overhead: { message: overhead, conversation: overhead } };
          const planning = { minMessagesToKeep, contextWindow: window, config };
          const context = await planContextOf(messages, { ...planning, targetTokens });
          const { tokens, trail, excerpts, record } = await compressed(messages, targetTokens, planning);
          expect(tokens).toBeLessThanOrEqual(window);
          if (record?.stages.some(({ strategy }) => strategy === 'last-resort')) return;
          // A heading has at most seven words.
          const done =
            excerpts.length === 0 ? window * 0.04 : wordCounter.count(trail.join('\n')) + 7 * excerpts.length;
          const least = leastOf(context, overhead) + done + window * 0.03;
          expect(tokens).toBeLessThanOrEqual(Math.max(targetTokens - overhead, least) + overhead);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('takes messages with headings in where what else is old is shorter than its first line', async () => {
    const named = 'parseTokens in src/parser.ts:12 returns 4711';
    const messages = transcript(
      ...[
        user('go'),
        user(named),
        user(`integer\n## indented\n${words(60)}\n${named}`),
        assistant('enim'),
        user(named),
      ],
      call('c4', 'read', { path: 'src/file4.ts', content: words(20) }),
      result('c4', `${named}\n${named}`),
      assistant('So it is.'),
      user('TypeError: x is not a function'),
    );
    const { excerpt, tokens, view } = await compressed(messages, 60, {
      minMessagesToKeep: 5,
      ...inWindow(1_000),
    });
    expect(excerpt).not.toBe('');
    expect(view.map(messageText).join('\n')).not.toContain(words(60));
    expect(tokens).toBeLessThanOrEqual(60);
  });
});

/**
 * The tokens that must stay: what nobody may touch, segments too small to be excerpted, the first line of each excerpt, and enough other
 * messages, with each text cut to a mark.
 */
function leastOf(context: Awaited<ReturnType<typeof planContextOf>>, overhead: number): number {
  const exchanges = exchangesOf(context.view);
  const staying = exchanges.filter(({ pinned }) => pinned);
  const free = exchanges.filter(({ pinned }) => !pinned);
  const usersStaying = staying
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => message.role === 'user').length;
  const firstLine = wordCounter.count(workIntro) + overhead;
  // A segment stays as it is up to 60 tokens.
  let tokens = (usersStaying + 1) * Math.max(60, firstLine);
  let messages = 1;
  for (const { tokens: own, messages: some } of staying) {
    tokens += own;
    messages += some.length;
  }
  let isNewest = true;
  for (const { messages: some } of free.toReversed()) {
    if (!isNewest && messages >= context.minMessagesToKeep) continue;
    isNewest = false;
    messages += some.length;
    for (const { message } of some)
      tokens += overhead + partsOf(message).length * markRoom + callTokens(message);
  }
  return tokens;
}

/** Of `[… 12 lines left out …]`. */
const markRoom = 6;

function callTokens(message: Message): number {
  return toolCallsOf(message).reduce(
    (sum, { input }) => sum + 1 + wordCounter.count(JSON.stringify(input)) * 2,
    0,
  );
}

describe('the newest exchange', () => {
  const older = Array.from({ length: 10 }, (_, index) =>
    transcript(
      call(`c${index}`, 'read', { path: `src/f${index}.ts` }),
      result(`c${index}`, words(50, 'retries')),
    ),
  ).flat();
  const log = Array.from({ length: 400 }, (_, index) => `line ${index} of app.log says word${index}`).join(
    '\n',
  );

  test('stays whole up to its share, and the excerpt is before it', async () => {
    const messages = [user('go'), ...older, assistant('nearly done'), user('and now?')];
    const { view } = await compressed(messages, 400);
    expect(view.slice(-4)).toEqual(messages.slice(-4));
    expect(messageText(view[0] as Message).startsWith(intro)).toBe(true);
    expect(view[0]?.summary).toBe(true);
  });

  test('is cut if it alone is larger than the window, with a mark that says so and what to do', async () => {
    const messages = transcript(
      user('why does word77 fail?'),
      ...older,
      call('x', 'bash', { command: 'cat app.log' }),
      result('x', log),
    );
    const { view, tokens, record } = await compressed(messages, 100, inWindow(400));
    const shown = messageText(view.at(-1) as Message);
    expect(view[0]).toEqual(messages[0]);
    expect(view.at(-2)).toEqual(messages.at(-2));
    expect(shown).toContain('line 77 of app.log says word77');
    const kept = shown.split('\n').slice(0, -1);
    for (const one of kept) if (one !== '…') expect(log).toContain(one);
    expect(Number(unreadMark.exec(shown)?.[1])).toBe(400 - kept.filter((one) => one !== '…').length);
    expect(tokens).toBeLessThanOrEqual(400);
    expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['relevance']);
  });

  test('gets the room that nothing else needs if it has been read and must stay', async () => {
    const messages = transcript(
      user('why?'),
      call('x', 'bash', { command: 'cat app.log' }),
      result('x', log),
      assistant('I see.'),
    );
    const { tokens, view } = await compressed(messages, 1_000, { minMessagesToKeep: 4 });
    expect(tokens).toBeGreaterThan(900);
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(messageText(view[2] as Message)).toMatch(/\[… \d+ lines left out …\]$/);
    expect([view[0], view[1], view[3]]).toEqual([messages[0], messages[1], messages[3]]);
  });

  test('keeps its arguments valid JSON if they are too large', async () => {
    const messages = transcript(
      user('write it'),
      ...older,
      call('x', 'write', {
        path: 'src/a.ts',
        content: words(3_000),
        list: Array.from({ length: 300 }, (_, index) => index),
      }),
      result('x', 'ok'),
    );
    const read = await compressed([...messages, assistant('Written.')], 400, { minMessagesToKeep: 5 });
    const unread = await compressed(messages, 1, inWindow(400));
    for (const { view, tokens } of [read, unread]) {
      const [written] = view.flatMap(toolCallsOf).filter(({ toolCallId }) => toolCallId === 'x');
      expect(written?.input).toMatchObject({ path: 'src/a.ts' });
      expect(JSON.stringify(written?.input).length).toBeLessThan(3_000);
      expect(tokens).toBeLessThanOrEqual(400);
    }
    const whole = await compressed(messages, 1);
    expect(whole.view.slice(-2)).toEqual(messages.slice(-2));
  });

  test('keeps them valid JSON in parallel calls that are too large only together', async () => {
    const calls = Array.from({ length: 20 }, (_, index) =>
      call(`w${index}`, 'write', { path: `src/${index}.ts`, content: words(60) }),
    );
    const answers = calls.map((_, index) => result(`w${index}`, 'ok'));
    const messages = transcript(user('write'), ...older, and(...calls), ...answers);
    const read = await compressed([...messages, assistant('Written.')], 600, { minMessagesToKeep: 24 });
    const unread = await compressed(messages, 1, inWindow(600));
    for (const { view, tokens } of [read, unread]) {
      expect(tokens).toBeLessThanOrEqual(600);
      const written = view.flatMap(toolCallsOf).map(({ input }) => (input as { path: string }).path);
      expect(written).toEqual(calls.map((_, index) => `src/${index}.ts`));
    }
  });

  test('loses lines of its largest text first', async () => {
    const small = log.split('\n').slice(0, 40).join('\n');
    const messages = transcript(
      user('all three'),
      ...older,
      and(
        call('x', 'bash', { command: 'a' }),
        call('y', 'bash', { command: 'b' }),
        call('z', 'bash', { command: 'c' }),
      ),
      ...[result('x', small), result('y', log), result('z', small)],
    );
    const { view } = await compressed(messages, 1, inWindow(1_200));
    expect(view.slice(-3).map((message) => unreadMark.test(messageText(message)))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is cut together with the newest user message only if they fill the window', async () => {
    const pasted = user(log);
    for (const window of [100_000, 4_000]) {
      const { view } = await compressed([...older, pasted, assistant('hm')], 1_000, inWindow(window));
      expect(view).toContain(pasted);
    }
    const tight = await compressed([...older, pasted, assistant('hm')], 1_000, inWindow(1_500));
    const shown = messageText(tight.view.find(({ role, summary }) => role === 'user' && !summary) as Message);
    expect(shown).toMatch(/\[… [\d,]+ lines left out …\]$/);
    expect(tight.tokens).toBeLessThanOrEqual(1_500);
    expect(tight.view.at(-1)).toEqual(assistant('hm'));
    expect(tight.record?.stages.map(({ strategy }) => strategy)).toEqual(['relevance']);
  });

  test('leaves half of the target to the work on a newest user message that is larger than the window', async () => {
    const frames = Array.from({ length: 30 }, (_, at) => `    at render${at} (chunk.js:${at}:5)`);
    const warnings = Array.from({ length: 60 }, (_, at) => [
      `Warning: two children have the key k${at}.`,
      ...frames,
    ]);
    const asked = user(['It says, please mend it:', ...warnings.flat()].join('\n'));
    const work = [...older, assistant('The keys come from both lists.')];
    const { view } = await compressed([asked, ...work], 2_000, inWindow(4_000));
    const shown = messageText(view[0] as Message);
    expect(shown).toContain('It says, please mend it:');
    for (const at of [0, 30, 59]) expect(shown).toContain(`the key k${at}.`);
    // The stack of each warning is the same, and stands there once.
    expect(shown.split('render7 ').length).toBe(2);
    expect(view.map(messageText).join('\n')).toContain('The keys come from both lists.');
  });
});

describe('a message that must not leave', () => {
  const noise = (id: string) =>
    transcript(call(id, 'read', { path: `${id}.ts` }), result(id, words(80, `${id}Retries`)));

  test('stays in the middle, and what was said before and after the user’s is excerpted apart', async () => {
    const rule = user('Never push.', { pinned: true });
    const fact = assistant('The port is 4711.', { priority: 'CRITICAL' });
    const messages = [
      system('You help.'),
      ...noise('a'),
      rule,
      ...noise('b'),
      fact,
      ...noise('c'),
      ...noise('d'),
      user('go'),
    ];
    const { view, excerpts } = await compressed(messages, 220);
    expect(view[0]).toBe(messages[0]);
    expect(excerpts).toHaveLength(2);
    expect(view[1]).toMatchObject({ content: excerpts[0], summary: true });
    expect(excerpts[0]).toContain('read a.ts');
    expect(view.indexOf(rule)).toBe(2);
    expect(view[3]).toMatchObject({ content: excerpts[1], summary: true });
    expect(excerpts[1]).toContain('read b.ts');
    expect(view.indexOf(fact)).toBe(4);
    expect(view.at(-1)).toBe(messages.at(-1));
  });
});

describe('a failure', () => {
  const noise = Array.from({ length: 40 }, (_, index) =>
    transcript(
      call(`n${index}`, 'read', { path: 'same.ts' }),
      result(`n${index}`, `value_${index} of module_${index} is set`),
    ),
  ).flat();
  const failed = transcript(
    call('a', 'bash', { command: 'npm test' }),
    result('a', 'loader_9 is missing in src/loader.ts:12, says checkLoader', { isError: true }),
  );
  const end = [...noise.slice(0, 10), assistant(words(40)), user('on')];

  test('is shown as one', async () => {
    const { sections } = await compressed([user('go'), ...noise, ...failed, ...end], 150);
    expect(sections).toContainEqual({
      heading: 'bash npm test (failed)',
      text: 'loader_9 is missing in src/loader.ts:12, says checkLoader',
    });
  });
});

describe('the notes', () => {
  const messages = transcript(
    ...Array.from({ length: 10 }, (_, index) => [
      call(`c${index}`, 'read', { path: `f${index}` }),
      result(`c${index}`, words(50)),
    ]).flat(),
    user('go'),
  );
  test('count the lines that were kept, and the lines that they were chosen from', async () => {
    const { record } = await compressed(messages, 150);
    const { kept, of } = (record?.stages[0]?.notes ?? {}) as { kept: number; of: number };
    expect(kept).toBeGreaterThan(0);
    expect(of).toBeGreaterThanOrEqual(kept);
    expect(Object.keys(record?.stages[0]?.notes ?? {})).toEqual(['kept', 'of']);
  });

  test('invalid options are rejected', () => {
    expect(() => relevance({ recent: 2 })).toThrow(/recent/);
    expect(() => relevance({ users: -1 })).toThrow(/users/);
    expect(() => relevance({ share: 1 } as never)).toThrow(/relevance/);
  });
});
