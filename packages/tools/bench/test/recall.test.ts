import type { Message } from '@ctx/core';
import { arbitraryTranscript, assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { repaired } from '../src/bench-session.js';
import { loadCounter, type Recall } from '../src/index.js';
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

const third = expect.closeTo(100 / 3, 5);
const context = 'd out that the total in src/sum.ts is rounded twice before';
const one = cutBefore([user(longLine)], [assistant('src/sum.ts')]);
const twice = cutBefore(
  [user(`one src/sum.ts here`), user('and src/sum.ts there')],
  [assistant('src/sum.ts')],
);
const names = cutBefore([user(longLine), question], [assistant('src/sum.ts, order-4821')]);
const orphan = [...before, result('9', 'nobody asked')];
const short = cutBefore([user('ok'), user('take src/sum.ts')], [assistant('src/sum.ts')]);
const summary = user('## user\nWhy is order-4821 wrong?\n\n## user\nThen fix it, and nothing else.', {
  summary: true,
});
const silent = transcript(
  user('What was done is in src/sum.ts.', { summary: true }),
  call('1', 'read'),
  result('1', 'a line'),
);
const { tokens: whole } = measure(cut, before);

test.each<[string, typeof cut, readonly Message[], Partial<Recall> & { budget?: number }]>([
  // src/sum.ts is kept; order-4821 and 4821 are not.
  ['survival is the share of atoms that survive', cut, [user('see src/sum.ts')], { survival: third }],
  ['they survive in the arguments of calls too', cut, [asked, result('1', '[cleared]')], { survival: third }],
  ['not inside of words', cut, [user('src/sum.tsx, my-order-48210')], { survival: 0 }],
  ['but between brackets and quotes', cut, [user('(src/sum.ts), "order-4821"')], { survival: 100 }],
  ['ctx needs 24 characters on either side', one, [user(`…${context}…`)], { survival: 100, ctx: 100 }],
  ['not 23 before it', one, [user(`…${context.slice(1)}…`)], { survival: 100, ctx: 0 }],
  ['not 23 after it', one, [user(`…${context.slice(0, -1)}…`)], { survival: 100, ctx: 0 }],
  ['one of several contexts is enough', twice, [user('and src/sum.ts there')], { ctx: 100 }],
  ['a bare list of names has none', names, [user('src/sum.ts order-4821 4821')], { survival: 100, ctx: 0 }],
  ['usable is what is in budget', cut, before, { ...everything, inBudget: true, budget: whole }],
  ['not what is over it', cut, before, { ctx: 100, usableCtx: 0, inBudget: false, budget: whole - 1 }],
  [
    'nor what Anthropic refuses',
    cut,
    orphan,
    { ctx: 100, usableCtx: 0, validAnthropic: false, validOpenai: false },
  ],
  [
    'nor what the assistant opens, which only OpenAI takes',
    cut,
    [prompt, asked, answer, said, wish],
    { usableCtx: 0, validAnthropic: false, validOpenai: true },
  ],
  ['the system prompt is counted', cut, [system(words(7)), user(words(5))], { tokens: 12 }],
  ['instructions are messages of the user, word for word', cut, [wish], { instructions: 50 }],
  ['all of them', cut, [question, wish], { instructions: 100 }],
  ['not reworded ones', cut, [user('Then fix it, and nothing more.')], { instructions: 0 }],
  ['those that a summary quotes', cut, [summary], { instructions: 100 }],
  ['not a short one inside of another word', short, [user('Look, a token.')], { instructions: 0 }],
  ['a short one as a word', short, [user('ok')], { instructions: 50 }],
  [
    'neither results nor summaries',
    cutBefore(silent, [assistant('src/sum.ts')]),
    [],
    { instructions: undefined },
  ],
])('%s', (_what, of, compressed, { budget, ...figures }) => {
  expect(measure(of, compressed, budget)).toMatchObject(figures);
});

describe('far is recall of what was', () => {
  // 70 words, then 30: the border is where the second begins.
  const session = (first: number, second: number, name = '') => [
    user(`far_one far_two ${words(first - 2)}`),
    user(`${name} near_one ${words(second - 1)}`),
  ];
  const far = (prefix: readonly Message[], kept: string) =>
    measure(cutBefore(prefix, [assistant('far_one far_two near_one')]), [user(kept)]).far;

  test('last seen before the newest 30 % of the prefix, without the system prompt', () => {
    expect(far(session(70, 30), 'far_one far_two')).toBe(100);
    expect(far(session(70, 30), 'far_one alone')).toBe(50);
    expect(far(session(70, 30), 'near_one alone')).toBe(0);
    expect(far([system(words(900)), ...session(70, 30)], 'far_one alone')).toBe(50);
  });

  test('none if part of the message is in the newest 30 %', () => {
    expect(far(session(70, 29), 'nothing')).toBeUndefined();
  });

  test('not seen again later', () => {
    expect(far(session(70, 29, 'far_one'), 'far_two alone')).toBe(100);
    expect(far(session(70, 29, 'far_one'), 'far_one near_one')).toBe(0);
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
