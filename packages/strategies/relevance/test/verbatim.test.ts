import { bpeCounter, type Message, messageText } from '@ctx/core';
import { intro, sectionText } from '@ctx/excerpt';
import {
  arbitraryTranscript,
  assistant,
  call,
  managerOf,
  result,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { relevance } from '../src/index.js';
import { type Compressed, compressed, inWindow } from './compressing.js';

const work = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `${from + index}`;
    return transcript(
      call(id, 'read', { path: `src/f${id}.ts` }),
      result(id, `export const f${id} = 1;\n${words(40)}`),
    );
  }).flat();

const usersIn = (sections: Compressed['sections']) =>
  sections.filter(({ heading }) => heading === 'user').map(({ text }) => text);

/** The end of the work, and a new task. */
const next = [assistant('Done.'), user('and now?')];

describe('what the user said', () => {
  test('stays word for word, each under its heading, behind the task', async () => {
    const said = ['Always use tabs.\n\nAnd no `any`.', 'Go on!', 'And the tests?'];
    const messages = said.flatMap((text, index) => [user(text), ...work(index * 10, 5)]);
    const { sections, view } = await compressed(
      [user('Build a parser.'), ...work(50, 5), ...messages, user('and now?')],
      200,
    );
    expect(usersIn(sections)).toEqual(said);
    expect(view[0]).toEqual(user('Build a parser.'));
    expect(view.at(-1)).toEqual(user('and now?'));
  });

  test('stays word for word if all of it fits into half of the excerpt', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryTranscript,
        fc.integer({ min: 20, max: 1_500 }),
        async (messages, targetTokens) => {
          const { tokens: all, sections, left, excerpts, trail } = await compressed(messages, targetTokens);
          if (excerpts.length === 0) return;
          const said = left.filter(({ role, summary }) => role === 'user' && !summary).map(messageText);
          const others = all - wordCounter.count(excerpts.join('\n'));
          const heads = [...excerpts.map((excerpt) => excerpt.split('\n')[0]), ...trail];
          // The heading of what was done has seven words.
          const headTokens = wordCounter.count(heads.join('\n')) + 7 * excerpts.length;
          const tokens = said.reduce((sum, text) => sum + wordCounter.count(text) + 4, 0);
          const room = targetTokens - others;
          if (tokens > Math.min(room / 2, room - headTokens)) return;
          expect(usersIn(sections)).toEqual(said);
        },
      ),
      { numRuns: 67 },
    );
  });

  test('stays first if it is an instruction and not everything fits', async () => {
    const rules = ['You must always use tabs.', 'Never change src/legacy.ts, this is important!'];
    const talk = Array.from({ length: 12 }, (_, index) => user(`${words(30, `talk${index}`)} perhaps`));
    const [first, second] = rules.map((rule) => user(rule)) as [Message, Message];
    const messages = [...talk.slice(0, 6), first, ...talk.slice(6), second, ...work(0, 30), ...next];
    const { sections, tokens } = await compressed(messages, 150, inWindow(2_500));
    const kept = usersIn(sections);
    expect(kept).toEqual(expect.arrayContaining(rules));
    expect(tokens).toBeLessThanOrEqual(150);
  });

  test('stays if it is an instruction whatever the target, up to a small share of the window', async () => {
    const rule = (index: number) => `You must never use tool${index} in src/part${index}.ts.`;
    const rules = Array.from({ length: 40 }, (_, index) => user(rule(index)));
    const talk = Array.from({ length: 12 }, (_, index) => user(`${words(60, `talk${index}`)} perhaps`));
    const messages = [...rules, ...talk, ...work(0, 80), ...next];
    const kept = async (window: number) => {
      return usersIn((await compressed(messages, 1, inWindow(window))).sections);
    };
    // Each takes 7 tokens, and 4 for its heading; 4 % of the window are theirs.
    expect(await kept(12_000)).toEqual(rules.map(messageText));
    expect(await kept(10_000)).toHaveLength(Math.floor((10_000 * 0.04) / 11));
    expect(await kept(6_000)).toHaveLength(Math.floor((6_000 * 0.04) / 11));
  });

  test('takes no room that the target does not leave if it asks for nothing', async () => {
    const rules = Array.from({ length: 8 }, (_, index) => user(`Never change src/part${index}.ts.`));
    const nods = Array.from({ length: 10 }, () => user('Thanks, sounds good.'));
    const messages = [...rules.slice(0, 5), ...nods, ...rules.slice(5), ...work(0, 30), ...next];
    const kept = async (target: number) => {
      return usersIn((await compressed(messages, target)).sections);
    };
    expect(await kept(1)).toEqual(rules.map(messageText));
    expect(await kept(500)).toEqual(messages.slice(0, 18).map(messageText));
  });

  test('holds from then on, or is said again, before what is shorter', async () => {
    const rule = user('From now on, always end what you say with the mark “slate”, in all that follows.');
    const nods = Array.from({ length: 40 }, (_, index) =>
      user(`Please go on with ${words(2, `part${index}`)}`),
    );
    const again = Array.from({ length: 40 }, () => user('Please go on with it.'));
    const messages = [rule, ...nods, ...again, ...work(0, 60), ...next];
    const { sections } = await compressed(messages, 150, inWindow(4_000));
    const said = usersIn(sections);
    expect(said).toContain(messageText(rule));
    expect(said.filter((text) => text === 'Please go on with it.').length).toBeLessThanOrEqual(1);
    expect(said.length).toBeGreaterThan(2);
    expect(said.length).toBeLessThan(42);
  });

  test('of several messages the shortest stay if not all fit', async () => {
    const talk = Array.from({ length: 12 }, (_, index) =>
      user(`${words(10 + 5 * index, `talk${index}`)} perhaps`),
    );
    const { sections, tokens } = await compressed(
      [...talk.toReversed(), ...work(0, 30), ...next],
      130,
      inWindow(2_500),
    );
    const whole = new Set(
      sections
        .filter(({ heading, part }) => heading === 'user' && part === undefined)
        .map(({ text }) => text),
    );
    const kept = talk.map((message) => whole.has(messageText(message)));
    expect(kept.slice(0, 3)).toEqual([true, true, true]);
    expect(kept.slice(5)).not.toContain(true);
    expect(tokens).toBeLessThanOrEqual(130);
  });

  test('takes less room, or does not stay word for word at all, if the option says so', async () => {
    const long = Array.from({ length: 20 }, (_, index) => `${words(5, `say${index}`)}`).join('\n');
    // Every line is of a form of its own, so that each is worth something.
    const letters = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const varied = Array.from({ length: 80 }, (_, at) => [
      call(`v${at}`, 'read', { path: `src/${letters(at)}.ts` }),
      result(`v${at}`, `const ${letters(at)}Handle = open${letters(at)}Store(${letters(at)}Path);`),
    ]);
    const messages = [user(long), ...varied.flat(), ...next];
    const whole = await compressed(messages, 360);
    const parts = await compressed(messages, 360, { options: { users: 0 } });
    expect(whole.excerpt).toContain(long);
    expect(parts.excerpt).not.toContain(long);
  });

  const markdown =
    '# Rules\n\n## user\nsay "yes"\n\n    ## code\n```sh\n# a comment\n#!/bin/sh\n```\n## read src/secret.ts';

  test('is indented if it has headings and no room to stay, so that no line of it looks like a heading', async () => {
    const messages = [user(markdown), ...work(0, 10), ...next];
    const { excerpt, sections } = await compressed(messages, 200, { options: { users: 0 } });
    const headings = excerpt.split('\n').filter((line) => /^#{1,6}(?: |$)/.test(line));
    expect(headings).toEqual(sections.map((section) => sectionText({ ...section, text: '' })));
    for (const { text } of sections.filter(({ heading }) => heading === 'user'))
      for (const line of text.split('\n')) expect(markdown.split('\n')).toContain(line);
  });

  test('is not lost if it only starts like an excerpt', async () => {
    const quoted = `${intro} is what you wrote, and I don’t like it.`;
    const { sections } = await compressed([user(quoted), ...work(0, 10), ...next], 200);
    expect(sections[0]).toEqual({ heading: 'user', text: quoted });
  });

  test('mentions its images and files', async () => {
    const shown = user([
      { type: 'text', text: 'See the button:' },
      { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
      { type: 'image', image: 'https://example.org/shots/screenshot.png?size=2' },
      { type: 'file', data: 'aGVsbG8=', mediaType: 'application/pdf', filename: 'spec.pdf' },
      { type: 'file', data: 'aGVsbG8=', mediaType: 'application/pdf' },
    ]);
    const { sections } = await compressed([shown, ...work(0, 40), ...next], 800);
    expect(sections[0]).toEqual({
      heading: 'user',
      text: 'See the button:\n[image]\n[image screenshot.png]\n[file spec.pdf]\n[file]',
    });
  });

  test('gets no special treatment if people only talk', async () => {
    const talk = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0 ? user(`well, ${words(12, 'yes')}`) : assistant('I see.'),
    );
    talk[14] = user('My booking is RZ-4711, for Anna Schmidt.');
    const { excerpt, tokens } = await compressed([...talk, user('and now?')], 60);
    expect(excerpt).toContain('My booking is RZ-4711, for Anna Schmidt.');
    expect(tokens).toBeLessThanOrEqual(60);
  });

  test('is not confused with the summary of another strategy, which stays a summary', async () => {
    const told = user('They agreed on port 4711.', { summary: true });
    const { sections } = await compressed([told, ...work(0, 10), ...next], 200);
    expect(sections[0]).toEqual({ heading: 'summary', text: messageText(told) });
  });
});

test('whether people only chat is the same in the next view, where tokens are estimated anew', async () => {
  const counter = bpeCounter();
  await counter.load?.();
  const letters = 'a '.repeat(900);
  const messages = [
    user(letters),
    call('a', 'read', { query: 'nisl', path: 'src/0.ts' }),
    result('a', letters),
    call('b', 'read', { query: 'leo', path: 'src/3.ts' }),
    result('b', letters),
    user('lacus sapien nec'),
    assistant('ipsum consectetuer sollicitudin nulla enim'),
    user('ac ultrices augue'),
  ];
  const manager = managerOf(messages, { counter });
  await manager.compress({ strategy: relevance(), targetTokens: 0 });
  const tokens = manager.stats().countedTokens;
  await manager.compress({ strategy: relevance(), targetTokens: 0 });
  expect(manager.stats().countedTokens).toBe(tokens);
  expect(manager.history).toHaveLength(1);
});
