import {
  type CompressionStrategy,
  defineStrategy,
  exchangesOf,
  finish,
  type Message,
  type Steps,
} from '@ctx/core';
import {
  assistant,
  call,
  checkLaws,
  expectView,
  managerOf,
  planContextOf,
  result,
  sentProblems,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';
import { mixedContents } from '../src/sent.js';
import { watched } from '../src/strategy-watch.js';
import { withoutOutside } from '../src/without-outside.js';

const drop = (...messages: string[]) => ({ type: 'drop', messages, reason: 'oldest' }) as const;
const merge = (...messages: string[]) =>
  ({ type: 'merge', messages, text: 'x', placement: 'first', reason: 'wrong' }) as const;
const planning = (
  plan: CompressionStrategy['plan'],
  emits: readonly string[] = ['drop', 'merge', 'replace'],
) => defineStrategy({ name: 's', emits, plan });

const oldestFirst = planning(
  ({ view, currentTokens, targetTokens, minMessagesToKeep }) => {
    const edits = [];
    let [tokens, left] = [currentTokens, view.length];
    for (const { messages, pinned, tokens: own } of exchangesOf(view)) {
      if (tokens <= targetTokens) break;
      if (pinned || own === 0 || left - messages.length < minMessagesToKeep) continue;
      tokens -= own;
      left -= messages.length;
      edits.push(drop(...messages.map(({ id }) => id)));
    }
    return { edits };
  },
  ['drop'],
);

testStrategy('a well-behaved strategy', () => oldestFirst);

test('what is unread must say all that was said, if there is room', () => {
  const said = transcript(user('a'), call('c', 'read'), result('c', words(9)));
  const cut = said.with(2, transcript(said[1] as Message, result('c', 'word …'))[1] as Message);
  expect(sentProblems(said, said, { wordForWord: true })).toEqual([]);
  expect(sentProblems(cut, said)).toEqual([]);
  expect(sentProblems(cut, said, { wordForWord: true })).toEqual([
    'something that the model has not read yet is shortened',
  ]);
});

test('a record is asked what it mixes: a merge around a user’s message, merged again or not', () => {
  const talk = [assistant('a'), user('b'), assistant('c'), assistant('d'), user('e')];
  const { transcript: said } = managerOf(talk);
  const mixedBy = (...edits: (ReturnType<typeof merge> | ReturnType<typeof drop>)[]) =>
    mixedContents({ id: 'r', edits }, said);
  expect(mixedBy(merge('m3', 'm4'))).toEqual([]);
  expect(mixedBy(merge('m1', 'm3'))).toEqual(['"ctx:r.0" stands for what was said around "m2"']);
  expect(mixedBy(merge('m3', 'm4'), merge('m1', 'ctx:r.0'))).toEqual([
    '"ctx:r.1" stands for what was said around "m2"',
  ]);
  expect(mixedBy(merge('m1', 'm3'), drop('m2'))).toEqual([]);
});

test('expectView shows what a strategy makes of a conversation', () =>
  expectView(
    oldestFirst,
    transcript(user('fix it'), call('a', 'read'), result('a', words(9)), assistant('so'), user('why?')),
    transcript(user('why?')),
  ));

describe('the laws catch a strategy that', () => {
  const conversation = transcript(user(words(9)), call('a', 'read'), result('a', words(9)), user('go on'));
  const texts = transcript(user('a a'), user('b b b'), user('c c'), user('d'));
  const answer = assistant(words(9));
  const around = transcript(answer, user('stay', { pinned: true }), answer, user('so?'));
  const read = [call('a', 'read'), result('a', words(9))];
  const work = transcript(user(words(9)), answer, user('go on please, go on'), ...read);
  const checked = (strategy: CompressionStrategy, said = conversation) =>
    expect(checkLaws(strategy, said, { targetTokens: 0 })).rejects;
  const shortening = (message: string) =>
    ({ type: 'replace', message, part: 0, text: 'x', reason: 'wrong' }) as const;

  test.each([
    ['splits a call from its result', drop('m3'), conversation, 'tool-pairs'],
    ['merges what was said around a message of the user’s that stays', merge('m1', 'm3'), around, 'order'],
    ['shortens what is unread', shortening('m5'), work, 'unread-stays'],
    ['shortens the newest message of the user’s', shortening('m3'), work, 'newest-user-stays'],
    ['shortens the task', shortening('m1'), work, 'task-stays'],
  ])('%s', async (_what, edit, said, law) => {
    await checked(
      planning(() => ({ edits: [edit] })),
      said,
    ).toThrow(law);
  });

  test('emits what it does not declare', async () => {
    await checked(planning(() => ({ edits: [drop('m1')] }), ['replace'])).toThrow('replace');
  });

  test('does not plan the same twice', async () => {
    let turn = 0;
    await checked(planning(() => ({ edits: turn++ % 2 ? [] : [drop('m1')] }))).toThrow();
  });

  test('keeps state of a plan where another plan finds it', async () => {
    let longest = { id: '', tokens: 0 };
    const careless = planning(async ({ view, inSlices }) => {
      longest = { id: '', tokens: 0 };
      let compared = 0;
      function* work(): Steps<void> {
        for (const one of view) {
          yield;
          compared += 1;
          if (!one.pinned && one.tokens > longest.tokens) longest = one;
          // What another plan has left is taken for its own.
          else if (one.id === longest.id) compared = 0;
        }
      }
      await inSlices(work());
      return { edits: [drop(longest.id)], notes: { compared } };
    });
    await checked(careless, texts).toThrow('compared');
  });

  test('compresses its own view again', async () => {
    const greedy = planning(({ view }) => ({ edits: view[0]?.pinned === false ? [drop(view[0].id)] : [] }));
    await checked(greedy, texts).toThrow();
  });

  test.each<[string, () => unknown]>([
    ['Date.now', () => Date.now()],
    ['new Date()', () => new Date()],
    ['Date()', () => Date()],
    ['performance.now', () => performance.now()],
    ['Math.random', () => Math.random()],
    ['crypto.randomUUID', () => crypto.randomUUID()],
    ['fetch', () => fetch('http://127.0.0.1:9')],
    ['setTimeout', () => setTimeout(() => {}, 1)],
    ['console.log', () => console.log('planned')],
  ])('uses %s', async (what, use) => {
    const before = outside();
    const plan = () => {
      use();
      return { edits: [] };
    };
    const hidden = () => {
      try {
        return plan();
      } catch {
        return { edits: [] };
      }
    };
    const late = async () => {
      await null;
      return plan();
    };
    await checked(planning(plan)).toThrow(`A plan may not use ${what}:`);
    await checked(planning(hidden)).toThrow(what);
    await checked(planning(late)).toThrow(`A plan may not use ${what}:`);
    expect(outside()).toEqual(before);
  });

  test('uses something while another plans: everything is put back', async () => {
    const before = outside();
    const ends: (() => void)[] = [];
    const plan = () => new Promise<void>((resolve) => ends.push(resolve));
    const plans = [withoutOutside(plan, () => {}), withoutOutside(plan, () => {})];
    for (const end of ends) end();
    await Promise.all(plans);
    expect(outside()).toEqual(before);
  });

  const outside = () => [
    Date,
    performance.now,
    Math.random,
    crypto.randomUUID,
    fetch,
    setTimeout,
    console.log,
  ];

  type Writable = {
    view: { tokens: number; message: { metadata?: object } }[];
    transcript: unknown[];
    now: number;
  };
  test.each<[string, (context: Writable) => unknown]>([
    ['the list of its messages', ({ view }) => view.reverse()],
    ['a message of its view', ({ view }) => view.map((one) => (one.tokens = 0))],
    ['the transcript', ({ transcript }) => transcript.pop()],
    ['an appended message', ({ view }) => view.map((one) => (one.message.metadata = {}))],
    ['its context', (context) => (context.now = 0)],
  ])('changes %s', async (_what, change) => {
    const changing = planning((context) => {
      change(context as unknown as Writable);
      return { edits: [] };
    });
    await checked(changing).toThrow(TypeError);
  });
});

test('what the process does while work in slices could pause is not taken for the strategy’s', async () => {
  const strategy = planning(async (context) => {
    await context.inSlices((function* () {})());
    return { edits: [] };
  });
  const context = await planContextOf([{ role: 'user', content: 'hello' }], { targetTokens: 5 });
  let pauses = 0;
  const pausing = async <Result>(steps: Steps<Result>) => {
    pauses += 1;
    return finish(steps);
  };
  await watched(strategy).strategy.plan({ ...context, inSlices: pausing });
  expect(pauses).toBe(0);
});
