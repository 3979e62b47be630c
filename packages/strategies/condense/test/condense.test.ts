import type { Edit } from '@ctx/core';
import {
  createContainer,
  type Message,
  type SummarizeRequest,
  type Summarizer,
  summarizerToken,
} from '@ctx/core';
import {
  assistant,
  call,
  deepFreeze,
  managerOf,
  planContextOf,
  result,
  system,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';
import { condense, createSummarizer, register } from '../src/index.js';

testStrategy('condense', () => condense());

type Options = Parameters<typeof condense>[0];
const summaries = { text: 'the summary' };

/** A manager whose summariser gives the specified answers and remembers the requests. */
function managerFor(
  messages: readonly Message[],
  options: Options = {},
  answer: { text: string } = summaries,
) {
  const asked: SummarizeRequest[] = [];
  const meanwhile: (() => void)[] = [];
  const summarizer: Summarizer = {
    async summarize(request) {
      asked.push(request);
      for (const act of meanwhile) act();
      return { text: answer.text, notes: { by: 'stub' } };
    },
  };
  const container = createContainer();
  container.register(summarizerToken, { useValue: summarizer });
  register(container);
  const manager = managerOf(deepFreeze(messages), {
    container,
    contextWindow: 10_000,
    config: { options: { condense: options as Record<string, unknown> } },
  });
  const run = (targetTokens = 100) => manager.compress({ strategy: 'condense', targetTokens });
  return { manager, asked, meanwhile, run };
}

const talk = (count: number, tokens = 40) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? assistant(words(tokens, `a${index}`)) : assistant(words(tokens, `b${index}`)),
  );

describe('the messages that are kept', () => {
  const messages = [system('be kind'), user(words(30, 'task')), ...talk(20), user('and now?')];

  test('are by default the first, the last, and as many others as the usage of the window allows', async () => {
    const { manager, asked, run } = managerFor(messages, { keep: { recent: 0 } });
    await run(400);
    expect(asked[0]?.messages.length).toBeGreaterThan(10);
    const view = manager.view();
    expect(view[0]).toBe(messages[0]);
    expect(view).toContain(messages[1]);
    expect(view.at(-1)).toBe(messages.at(-1));
    expect(view.filter(({ summary }) => summary === true)).toHaveLength(1);
    expect(view.length).toBeLessThan(10);
  });

  test('include the newest exchanges up to a share of the target', async () => {
    const { manager, run } = managerFor(messages, { keep: { recent: 0.5 } });
    await run(600);
    for (const message of messages.slice(-8)) expect(manager.view()).toContain(message);
  });

  test('are the newest three, and the summary before them replaces all others', async () => {
    const { manager, run } = managerFor(messages, { keep: { mode: 'last' } });
    await run();
    expect(manager.view()).toEqual([
      messages[0],
      { role: 'user', content: 'the summary', summary: true },
      ...messages.slice(-3),
    ]);
  });

  test('are some at both ends', async () => {
    const { manager, run } = managerFor(messages, { keep: { mode: 'edges', first: 2, last: 2 } });
    await run();
    expect(manager.view().map(({ content }) => content)).toEqual([
      'be kind',
      messages[1]?.content,
      messages[2]?.content,
      'the summary',
      messages.at(-2)?.content,
      'and now?',
    ]);
  });

  test('are only those that must stay', async () => {
    const { manager, run } = managerFor(messages, { keep: { mode: 'fresh' } });
    await run();
    expect(manager.view().map(({ content }) => content)).toEqual(['be kind', 'the summary', 'and now?']);
  });

  test('include the results of a kept call', async () => {
    const calls = transcript(
      user('task'),
      ...talk(10),
      call('1', 'read', {}),
      result('1', words(30)),
      user('go on'),
    );
    const { manager, run } = managerFor(calls, { keep: { mode: 'last', last: 2 } });
    await run();
    expect(manager.view().slice(-3)).toEqual(calls.slice(-3));
  });

  test('include pinned messages, which are not moved either', async () => {
    const pinned = [...talk(5), { ...user('never do that'), pinned: true }, ...talk(5), user('go on')];
    const { manager, asked, run } = managerFor(pinned, { keep: { mode: 'fresh' } });
    await run();
    expect(manager.view()).toContain(pinned[5]);
    expect(asked[0]?.messages).not.toContain(pinned[5]);
  });
});

describe('the summary is placed', () => {
  const messages = [
    user(words(50, 'task')),
    ...talk(6),
    assistant(words(5, 'pinned'), { pinned: true }),
    ...talk(6),
    user('and now?'),
  ];
  const placesOf = async (options: Options) => {
    const { manager, run } = managerFor(messages, options);
    await run();
    return manager
      .view()
      .map(({ summary, content }) => (summary === true ? 'summary' : String(content).slice(0, 4)));
  };

  test('at the first or the last message that it covers, or after the first message of the conversation', async () => {
    expect(await placesOf({ keep: { mode: 'fresh' } })).toEqual(['summary', 'pinn', 'and ']);
    expect(await placesOf({ keep: { mode: 'fresh' }, placement: 'last' })).toEqual([
      'pinn',
      'summary',
      'and ',
    ]);
    expect(await placesOf({ keep: { mode: 'fresh' }, placement: 'after-first' })).toEqual([
      'task',
      'summary',
      'pinn',
      'and ',
    ]);
  });
});

describe('a message of the user’s that stays', () => {
  const rule = user(words(9, 'rule'), { pinned: true });
  const shown = (view: readonly Message[]) =>
    view.map(({ summary, content }) => (summary === true ? 'summary' : String(content).slice(0, 4)));

  test('divides what is summarised, so that no work comes to stand before its task', async () => {
    const messages = [...talk(10), rule, ...talk(20), user(words(9, 'task')), ...talk(30)];
    const { manager, asked, run } = managerFor(messages, { keep: { mode: 'fresh' } });
    const { record } = await run(200);
    expect(shown(manager.view())).toEqual(['summary', 'rule', 'summary', 'task', 'summary']);
    expect(record?.rejected).toEqual([]);
    // The largest part is summarised first.
    expect(asked.map(({ messages: some }) => some.length)).toEqual([30, 20, 10]);
  });

  test('leaves no summary of a single message, or of very few tokens', async () => {
    const few = [assistant(words(99, 'a')), assistant(words(99, 'b'))];
    const messages = [assistant(words(900)), rule, ...few, rule, ...talk(5), user(words(9, 'task'))];
    const { manager, asked, run } = managerFor(messages, { keep: { mode: 'fresh' } });
    await run();
    expect(asked).toHaveLength(1);
    expect(shown(manager.view())).toEqual(['word', 'rule', 'a a ', 'b b ', 'rule', 'summary', 'task']);
  });

  test('gives each summary the part of the room that its messages are of all', async () => {
    const messages = [...talk(300), rule, ...talk(100), user(words(9, 'task'))];
    const lengths = async (options: Options, targetTokens = 4_018) => {
      const context = await planContextOf(messages, { targetTokens });
      const { edits } = condense({ keep: { mode: 'fresh' }, ...options }).plan(context);
      return (edits as Edit<'summarize'>[]).map(({ maxTokens = 0, roomTokens = 0 }) => ({
        maxTokens,
        roomTokens,
      }));
    };
    const sum = (all: readonly number[]) => all.reduce((one, next) => one + next, 0);
    const [large, small] = await lengths({});
    // Sixty-four tokens for each, and the rest in the proportion of three to one.
    expect([large?.roomTokens, small?.roomTokens]).toEqual([64 + 0.75 * 3_872, 64 + 0.25 * 3_872]);
    for (const target of [200, 1_000, 4_018]) {
      const all = await lengths({}, target);
      expect(sum(all.map(({ maxTokens }) => maxTokens))).toBeLessThanOrEqual(Math.max(256, target / 4));
    }
    const own = await lengths({ maxSummaryTokens: 1_000 });
    expect(sum(own.map(({ roomTokens }) => roomTokens))).toBe(1_000);
  });
});

describe('a summariser is not asked', () => {
  test('for a single message, or for very few tokens', async () => {
    const { run, asked, manager } = managerFor([user(words(500)), user('go on')], {
      keep: { mode: 'fresh' },
    });
    const { record } = await run(10);
    expect([asked.length, record, manager.view().length]).toEqual([0, undefined, 2]);
    const few = managerFor([assistant('one'), assistant('two'), user('go on')], { keep: { mode: 'fresh' } });
    await few.run(1);
    expect(few.asked).toEqual([]);
  });

  test('right after it has been, and the plan says why', async () => {
    const messages = [{ ...user(words(300)), summary: true }, assistant(words(50)), user('go on')];
    const context = await planContextOf(messages, { targetTokens: 10 });
    expect(condense({ keep: { mode: 'fresh' } }).plan(context)).toEqual({
      edits: [],
      reason: 'Context was condensed recently; skipping this attempt',
    });
  });
});

describe('the summariser gets', () => {
  test('the messages, their numbers in the transcript, and the most tokens it may use', async () => {
    const messages = [system('be kind'), ...talk(8), user('go on')];
    const { asked, run } = managerFor(messages, { keep: { mode: 'fresh' }, maxSummaryTokens: 321 });
    await run();
    expect(asked[0]).toMatchObject({ maxTokens: 321, contextWindow: 10_000, automatic: false });
    expect(asked[0]?.messages).toEqual(messages.slice(1, 9));
    expect(asked[0]?.originals.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('the messages that an earlier summary replaced', async () => {
    const { manager, asked, run } = managerFor([...talk(8), user('go on')], { keep: { mode: 'fresh' } });
    await run();
    for (const message of [...talk(6), user('and on')]) manager.append(message);
    await run();
    expect(asked[1]?.messages[0]).toMatchObject({ summary: true, content: 'the summary' });
    expect(asked[1]?.originals.map(({ number }) => number)).toEqual(
      [...Array(15).keys()].map((index) => index + 1),
    );
    expect(manager.view().filter(({ summary }) => summary === true)).toHaveLength(1);
  });

  test('the instructions of the caller', async () => {
    const { manager, asked } = managerFor([...talk(8), user('go on')], { keep: { mode: 'fresh' } });
    await manager.compress({ strategy: 'condense', targetTokens: 10, instructions: 'keep the names' });
    expect(asked[0]?.instructions).toBe('keep the names');
  });
});

test('the cost of a summary that was not used is in the record, and the outcome says why', async () => {
  const usage = { inputTokens: 70, outputTokens: 3 };
  const answers = [
    { text: "I'm sorry, I can't do that.", stopReason: 'stop', usage, cost: 0.25 },
    { text: words(60, 'Fine'), stopReason: 'length', usage, cost: 0.25 },
    {
      text: Array.from({ length: 900 }, (_, at) => `w${at}`).join(' '),
      stopReason: 'stop',
      usage,
      cost: 0.25,
    },
  ] as const;
  for (const answer of answers) {
    const container = createContainer();
    const model = { name: 'paid', complete: async () => answer };
    container.register(summarizerToken, { useValue: createSummarizer({ model }) });
    register(container);
    const manager = managerOf([...talk(8), user('go on')], { container, contextWindow: 10_000 });
    const { record, reason, stages } = await manager.compress({
      strategy: condense({ keep: { mode: 'fresh' }, maxSummaryTokens: 2000 }),
      targetTokens: 100,
    });
    expect(record).toBeUndefined();
    expect(reason).toMatch(
      /^no stage made progress: condense: CtxError: \[ctx\] (Failed to condense context|The summary has)/,
    );
    const paid = { by: 'paid', calls: 1, inputTokens: 70, outputTokens: 3, cost: 0.25 };
    expect(stages).toMatchObject([
      { strategy: 'condense', status: 'failed', notes: { resolutions: [paid] } },
    ]);
  }
});

test('its notes are in the record', async () => {
  const { run } = managerFor([...talk(8), user('go on')], { keep: { mode: 'fresh' } });
  const { record } = await run();
  expect(record?.stages[0]?.notes).toEqual({ resolutions: [{ by: 'stub' }] });
});

describe('a summary is not used', () => {
  test.each([
    ['that is empty', ' '],
    ['that is not a fifth shorter', words(290)],
    ['that is larger than what it stands for', words(5000)],
  ])('%s', async (_what, text) => {
    const messages = [...talk(8), user('go on')];
    const { manager, run } = managerFor(messages, { keep: { mode: 'fresh' } }, { text });
    const failures: unknown[] = [];
    manager.on('compression-fail', ({ error }) => failures.push(error));
    await run();
    expect(manager.view()).toEqual(messages);
    expect(failures).toMatchObject([{ code: 'summary-useless' }]);
  });
});

test('rewinding to before it restores the messages, and later messages stay', async () => {
  const messages = [...talk(8), user('go on')];
  const { manager, meanwhile, run } = managerFor(messages, { keep: { mode: 'fresh' } });
  meanwhile.push(() => manager.append(assistant('said while it was being written')));
  await run();
  expect(manager.view().at(-1)?.content).toBe('said while it was being written');
  manager.rewindTo(manager.transcript[3]?.id as string);
  expect(manager.view()).toEqual(messages.slice(0, 4));
});
