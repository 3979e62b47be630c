import type { Message } from '@ctx/core';
import { arbitraryTranscript, assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { repaired } from '../src/bench-session.js';
import { loadCounter } from '../src/index.js';
import { expectEverything } from './recall-of-copies.js';
import { countWords, cutBefore, measure } from './small-cut.js';

const everything = { survival: 100, ctx: 100, usableCtx: 100, usablePassage: 100 };

const longLine = 'We found out that the total in src/sum.ts is rounded twice before it is shown.';
const before = transcript(
  system('Be brief.'),
  user('Why is order-4821 wrong?'),
  call('1', 'read', { path: 'src/sum.ts' }),
  result('1', `first line\n${longLine}\nlast line`),
  assistant('Both of them round.'),
  user('Then fix it, and nothing else.'),
);
const cut = cutBefore(before, [assistant('I change src/sum.ts for order-4821.')]);
const [prompt, question, asked, answer, said, wish] = before as [
  Message,
  Message,
  Message,
  Message,
  Message,
  Message,
];

describe('no compression scores 100', () => {
  test('on a hand-made session', () => {
    expect(measure(cut, before)).toMatchObject({
      ...everything,
      far: 100,
      instructions: 100,
      inBudget: true,
      validOpenai: true,
      validAnthropic: true,
      lost: [],
    });
  });

  /** Gives every text its own name, so that the agent can need each of them. */
  const named = (messages: readonly Message[]): Message[] =>
    messages.map((message, index) => {
      if (message.role === 'system') return message;
      if (message.role !== 'tool')
        return typeof message.content === 'string'
          ? ({ ...message, content: `${message.content}\nitem_${index} is here` } as Message)
          : message;
      const content = message.content.map((part, position) => ({
        ...part,
        output: `${JSON.stringify(part.output)} item_${index}p${position}`,
      }));
      return { ...message, content };
    });

  test('on arbitrary ones, whose call ids are reused', () => {
    fc.assert(
      fc.property(arbitraryTranscript, (messages) => {
        const prefix = named(repaired([...messages, assistant('then')]));
        const all = prefix.flatMap(({ content }) => JSON.stringify(content).match(/item_\w+/g) ?? []);
        const arbitrary = cutBefore(prefix, [assistant(`${all.join(' ')} in src/0.ts and src/1.ts`)]);
        expect(arbitrary.needed.length).toBeGreaterThan(0);
        expectEverything(measure(arbitrary, prefix));
      }),
      { numRuns: 20 },
    );
  });
});

describe('survival', () => {
  test('is the share of atoms that survive', () => {
    // src/sum.ts is kept; order-4821 and 4821 are not.
    expect(measure(cut, [user('see src/sum.ts')]).survival).toBeCloseTo(100 / 3);
  });

  test('finds them only at word boundaries', () => {
    expect(measure(cut, [user('src/sum.tsx, my-order-48210')]).survival).toBe(0);
    expect(measure(cut, [user('(src/sum.ts), "order-4821"')]).survival).toBe(100);
  });

  test('finds them in the arguments of calls too', () => {
    expect(measure(cut, [asked, result('1', '[cleared]')]).survival).toBeCloseTo(100 / 3);
  });
});

describe('recall in context (ctx)', () => {
  test('counts an atom with 24 characters of its line on either side, at any position', () => {
    const context = 'd out that the total in src/sum.ts is rounded twice before';
    const one = cutBefore([user(longLine)], [assistant('src/sum.ts')]);
    expect(one.needed[0]?.contexts).toEqual([context]);
    expect(measure(one, [user(`…${context}…`)])).toMatchObject({ survival: 100, ctx: 100 });
    expect(measure(one, [user(`…${context.slice(1)}…`)])).toMatchObject({ survival: 100, ctx: 0 });
    expect(measure(one, [user(`…${context.slice(0, -1)}…`)])).toMatchObject({ survival: 100, ctx: 0 });
  });

  test('one of several contexts is enough', () => {
    const twice = cutBefore(
      [user(`one src/sum.ts here`), user('and src/sum.ts there')],
      [assistant('src/sum.ts')],
    );
    expect(measure(twice, [user('and src/sum.ts there')]).ctx).toBe(100);
  });

  test('is zero for a bare list of names, although it has all of them', () => {
    const names = cutBefore(
      [user(longLine), user('Why is order-4821 wrong?')],
      [assistant('src/sum.ts, order-4821')],
    );
    const bare = [user('src/sum.ts order-4821 4821')];
    expect(measure(names, bare)).toMatchObject({ survival: 100, ctx: 0, usableCtx: 0 });
  });
});

describe('usable is', () => {
  test('the recall within budget', () => {
    // 2 + 4 + 4 + 18 + 4 + 6 words.
    const { tokens } = measure(cut, before);
    expect(measure(cut, before, tokens)).toMatchObject({ ...everything, inBudget: true });
    const over = { ctx: 100, usableCtx: 0, inBudget: false, validAnthropic: true };
    expect(measure(cut, before, tokens - 1)).toMatchObject(over);
  });

  test('nothing if Anthropic would refuse it', () => {
    const orphan = [...before, result('9', 'nobody asked')];
    const refused = { inBudget: true, validAnthropic: false, validOpenai: false };
    expect(measure(cut, orphan)).toMatchObject({ ctx: 100, usableCtx: 0, ...refused });
  });

  test('nothing if the assistant would speak first, which only OpenAI takes', () => {
    const refused = { usableCtx: 0, validAnthropic: false, validOpenai: true };
    expect(measure(cut, [prompt, asked, answer, said, wish])).toMatchObject(refused);
  });

  test('counted with the system prompt', () => {
    expect(measure(cut, [system(words(7)), user(words(5))]).tokens).toBe(12);
  });
});

describe('far is recall of what was', () => {
  // 70 words, then 30: the border is where the second begins.
  const session = (first: number, second: number) => [
    user(`far_one far_two ${words(first - 2)}`),
    user(`near_one ${words(second - 1)}`),
  ];
  const needs = [assistant('far_one far_two near_one')];

  test('last seen before the newest 30 % of the prefix', () => {
    const prefix = session(70, 30);
    const far = cutBefore(prefix, needs);
    expect(measure(far, prefix).far).toBe(100);
    expect(measure(far, [user('far_one alone')]).far).toBe(50);
    expect(measure(far, [user('near_one alone')]).far).toBe(0);
  });

  test('none if part of the message is in the newest 30 %', () => {
    expect(measure(cutBefore(session(70, 29), needs), []).far).toBeUndefined();
  });

  test('not seen again later', () => {
    const prefix = session(70, 30).map((message, index) =>
      index === 1 ? user(`far_one near_one ${words(28)}`) : message,
    );
    const far = cutBefore(prefix, needs);
    expect(measure(far, [user('far_two alone')]).far).toBe(100);
    expect(measure(far, [user('far_one near_one')]).far).toBe(0);
  });

  test('only of messages: the system prompt is not part of the prefix', () => {
    const prefix = [system(words(900)), ...session(70, 30)];
    expect(measure(cutBefore(prefix, needs), [user('far_one alone')]).far).toBe(50);
  });
});

describe('instructions are', () => {
  test('the user’s messages that survive word for word', () => {
    expect(measure(cut, [wish]).instructions).toBe(50);
    expect(measure(cut, [question, wish]).instructions).toBe(100);
    expect(measure(cut, [user('Then fix it, and nothing more.')]).instructions).toBe(0);
  });

  test('also those that a summary quotes', () => {
    const summary = user('## user\nWhy is order-4821 wrong?\n\n## user\nThen fix it, and nothing else.', {
      summary: true,
    });
    expect(measure(cut, [summary]).instructions).toBe(100);
  });

  test('not a short one that is part of another word', () => {
    const short = cutBefore([user('ok'), user('take src/sum.ts')], [assistant('src/sum.ts')]);
    expect(measure(short, [user('Look, a token.')]).instructions).toBe(0);
    expect(measure(short, [user('ok')]).instructions).toBe(50);
  });

  test('neither results nor summaries', () => {
    const done = user('What was done is in src/sum.ts.', { summary: true });
    const prefix = transcript(done, call('1', 'read'), result('1', 'a line'));
    expect(measure(cutBefore(prefix, [assistant('src/sum.ts')]), []).instructions).toBeUndefined();
  });
});

test('the counter for all candidates counts content, names and arguments, but no overhead', async () => {
  const tokensOf = await loadCounter();
  expect(tokensOf(user('hello world'))).toBe(2);
  expect(tokensOf.text('hello world')).toBe(2);
  expect(tokensOf(user(''))).toBe(0);
  const bare = tokensOf(call('1', 'read', {}));
  expect(tokensOf(call('1', 'read', { path: 'hello world' }))).toBeGreaterThan(bare);
  expect(countWords(user('hello world'))).toBe(2);
});
