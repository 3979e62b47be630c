import {
  ContextManager,
  ContextOverflowError,
  defineStrategy,
  type ManagerOptions,
  type Message,
} from '@ctx/core';
import { assistant, system, user, wordCounter, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';
import { planner } from '../edits.js';
import { restored } from '../restored.js';

function manager({ config, ...rest }: Partial<ManagerOptions> = {}) {
  return new ContextManager({
    counter: wordCounter,
    strategies: [dropOldest],
    now: () => 0,
    ...rest,
    config: {
      contextWindow: 100,
      trigger: { fraction: 0.8 },
      target: { fraction: 0.5 },
      overhead: { message: 0, conversation: 0 },
      throttleMs: 0,
      minMessagesToKeep: 1,
      reserve: 0,
      ...config,
    },
  });
}

/** The last message but one is an answer, so that those before it are read. */
function filled(count: number, options?: Parameters<typeof manager>[0]): ContextManager {
  const made = manager(options);
  for (let at = 0; at < count; at += 1)
    made.append(at === count - 2 ? assistant(words(10)) : user(words(10)));
  return made;
}

/** A strategy that makes no progress, and how often it was asked. */
function idling() {
  const idle = { asked: 0 };
  const plan = () => {
    idle.asked += 1;
    return [];
  };
  return Object.assign(idle, { strategy: planner('idle', plan) });
}

describe('checkAndCompress', () => {
  test('compresses the view down to the target at the trigger, not below, and records how', async () => {
    const made = filled(7);
    expect(await made.checkAndCompress()).toEqual({ status: 'unchanged', reason: 'below the trigger' });
    made.append(user(words(10)));
    const { status, record } = await made.checkAndCompress();
    expect(status).toBe('compressed');
    expect(record).toMatchObject({
      id: 'compression-1',
      strategy: 'drop-oldest',
      tokensBefore: 80,
      tokensAfter: 50,
      messagesBefore: 8,
      messagesAfter: 5,
      ratio: 0.625,
      reduction: 0.375,
      removed: ['m1', 'm2', 'm3'],
      rejected: [],
    });
    expect(made.view()).toHaveLength(5);
    expect(made.transcript).toHaveLength(8);
    expect(made.stats()).toMatchObject({
      currentTokens: 50,
      compressions: 1,
      tokensRemoved: 30,
      messagesRemoved: 3,
    });
  });

  test('checks at most every five seconds below level HARD, and always at HARD or before a send', async () => {
    let now = 0;
    const made = filled(0, { now: () => now, config: { throttleMs: 5_000 } });
    await made.checkAndCompress();
    for (let at = 0; at < 8; at += 1) made.append(at === 6 ? assistant(words(10)) : user(words(10)));
    now = 4_999;
    expect(await made.checkAndCompress()).toEqual({ status: 'unchanged', reason: 'throttled' });
    now = 5_000;
    expect((await made.checkAndCompress()).status).toBe('compressed');

    const fillTo = (level: number) => {
      while (made.level < level) made.append(assistant(words(5)));
    };
    fillTo(2);
    expect((await made.checkAndCompress()).reason).toBe('throttled');
    expect((await made.checkAndCompress({ beforeSend: true })).status).toBe('compressed');
    fillTo(3);
    expect((await made.checkAndCompress()).status).toBe('compressed');
  });

  test('throws with a breakdown if the messages that must stay are larger than the window', async () => {
    const made = manager({ tools: { tool: 'one two three' } });
    made.append(system(words(60)));
    made.append(user(words(40), { pinned: true }));
    made.append(user(words(20)));
    const error = await made.checkAndCompress().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContextOverflowError);
    const { breakdown } = error as ContextOverflowError;
    expect(breakdown).toMatchObject({ system: 60, pinned: 40, newestUser: 1, rest: 0, limit: 100 });
    const { total, limit: _, ...parts } = breakdown;
    expect(Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
    expect(made.view()).toHaveLength(3);
  });

  test('asks a stage that made no progress again only once the view has grown', async () => {
    const idle = idling();
    const made = filled(9, { strategies: [idle.strategy] });
    await made.checkAndCompress();
    await made.checkAndCompress();
    expect(idle.asked).toBe(1);
    made.append(user('more'));
    await made.checkAndCompress();
    expect(idle.asked).toBe(2);
  });

  test('asks it again once another has made the view smaller and it has grown since', async () => {
    const idle = idling();
    let drops = false;
    const sometimes = planner('sometimes', (context) => (drops ? dropOldest.plan(context).edits : []));
    const made = filled(9, { strategies: [idle.strategy, sometimes] });
    await made.checkAndCompress();
    drops = true;
    await made.compress({ strategy: sometimes });
    expect(made.stats().currentTokens).toBe(40);
    for (let at = 0; at < 4; at += 1) made.append(user(words(10)));
    await made.checkAndCompress();
    expect(idle.asked).toBe(2);
  });
});

test('a caller that aborts does not wait for the compression before its own, but the next one does', async () => {
  const controller = new AbortController();
  const waiting: (() => void)[] = [];
  const slow = defineStrategy({
    name: 'slow',
    emits: ['drop'],
    plan: () => new Promise<{ edits: [] }>((resolve) => waiting.push(() => resolve({ edits: [] }))),
  });
  const made = filled(9, { strategies: [slow] });
  const planned = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate);
  };
  const first = made.compress();
  const second = made.compress({ signal: controller.signal });
  const third = made.compress();
  await planned(1);
  controller.abort();
  expect(await second).toMatchObject({ status: 'failed', reason: 'aborted' });
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  await first;
  await planned(2);
  waiting[1]?.();
  expect((await third).status).toBe('insufficient');
});

describe('compressing by hand', () => {
  test('simulate shows what it would do and changes nothing', async () => {
    const made = filled(5);
    const before = [...made.view()];
    let heard = 0;
    for (const name of ['compression-start', 'compression-end', 'strategy-select'] as const)
      made.on(name, () => (heard += 1));
    const simulation = await made.simulate({ targetTokens: 20 });
    expect(simulation).toMatchObject({
      tokensBefore: 50,
      tokensAfter: 20,
      messagesBefore: 5,
      messagesAfter: 2,
    });
    expect(simulation.edits).toHaveLength(3);
    expect([heard, made.history.length]).toEqual([0, 0]);
    expect(made.view()).toEqual(before);
    const { record } = await made.compress({ targetTokens: 20 });
    expect(record?.edits).toEqual(simulation.edits);
  });
});

test('the history has the newest ten records, or as many as configured', async () => {
  const made = filled(30, { config: { contextWindow: 1_000 } });
  for (let target = 290; target > 130; target -= 10) await made.compress({ targetTokens: target });
  expect(made.history.map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, at) => `compression-${at + 7}`),
  );
  expect(made.stats()).toMatchObject({ compressions: 16, historyCount: 10 });
  expect(() => made.undo('compression-6')).toThrow('No record in force has this id');
  made.undo('compression-7');
  expect(made.stats().currentTokens).toBe(150);
});

test('pinning keeps a message unchanged, and is refused for one that is unknown or gone', async () => {
  const made = filled(9);
  made.pin('m1');
  await made.checkAndCompress();
  expect(made.transcript[0]?.message).toBe(made.view()[0]);
  expect(() => made.pin('nobody')).toThrow('no message with this id');
  expect(() => made.pin('m2')).toThrow('is no longer in the view');
  made.unpin('m1');
  await made.compress({ targetTokens: 10 });
  expect(made.view()).toHaveLength(1);
});

describe('recover', () => {
  const overflow = { status: 400, message: "This model's maximum context length is 100 tokens." };

  test('reduces a little after an overflow that names nothing, then much, at most three times', async () => {
    const made = filled(20);
    const sizes = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await made.recover(overflow)).record).toBeDefined();
      sizes.push(made.stats().currentTokens);
    }
    expect(sizes).toEqual([90, 40, 10]);
    expect((await made.recover(overflow)).status).toBe('failed');
    expect((await restored(made).recover(overflow)).status).toBe('failed');
    made.append(assistant('here you are'));
    expect((await made.recover(overflow)).record).toBeDefined();
  });

  test('leaves the view unchanged after any other error', async () => {
    const made = filled(8);
    const rateLimit = { status: 429, message: 'Rate limit reached: too many tokens per minute' };
    for (const error of [rateLimit, new Error('socket hang up'), undefined, 'oops']) {
      expect((await made.recover(error)).status).toBe('unchanged');
    }
    expect(made.view()).toHaveLength(8);
  });

  test('uses no stage that needs something outside', async () => {
    const summarizing = planner('summarizing', () => [], { emits: ['summarize'] });
    const made = filled(8, { strategies: [summarizing, dropOldest] });
    expect((await made.recover(overflow)).record?.stages.map(({ strategy }) => strategy)).toEqual([
      'drop-oldest',
    ]);
  });
});

describe('reported usage', () => {
  test('is ignored if it belongs to something else', async () => {
    const made = manager({ model: 'one' });
    expect(made.reportUsage({ inputTokens: 50 })).toEqual({ used: false, reason: 'no-request' });
    for (let at = 0; at < 9; at += 1) made.append(at === 7 ? assistant(words(10)) : user(words(10)));
    made.view();
    expect(made.reportUsage({ inputTokens: 0 })).toEqual({ used: false, reason: 'aborted' });
    expect(made.reportUsage({ inputTokens: 95, model: 'other' })).toEqual({
      used: false,
      reason: 'other-model',
    });
    await made.checkAndCompress();
    expect(made.reportUsage({ inputTokens: 95 })).toEqual({ used: false, reason: 'predates-compression' });
    expect(made.stats().quality).toBe('exact');
    expect(() => made.reportUsage({ inputTokens: Number.NaN })).toThrow('usage.inputTokens');
  });

  test.each([
    ['gpt-5', 'gpt-5-2025-08-07', true],
    ['gpt-5-latest', 'gpt-5-2025-08-07', true],
    ['openai/gpt-5', 'gpt-5', true],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', true],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929', true],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929', true],
    ['models/Gemini-3-pro', 'gemini-3-pro-preview-11-2025', true],
    ['qwen2.5-coder:7b', 'qwen2.5-coder:7b', true],
    ['claude-sonnet-4-0', 'claude-sonnet-4-20250514', true],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929', true],
    ['gpt-5', 'gpt-5-mini', false],
    ['gpt-5', 'gpt-5.1', false],
    ['gpt-5', 'gpt-55', false],
    ['claude-opus-4', 'claude-opus-4-1-20250805', false],
    ['qwen3:8b', 'qwen3:32b', false],
  ])('a request to %s is answered by %s: %s', (model, answered, isSame) => {
    const made = manager({ model });
    for (let at = 0; at < 3; at += 1) made.append(user(words(10)));
    made.view();
    const outcome = made.reportUsage({ inputTokens: 31, model: answered });
    expect(outcome).toEqual(isSame ? { used: true } : { used: false, reason: 'other-model' });
  });

  test('decides when to compress', async () => {
    const made = filled(6);
    made.view();
    expect(made.willCompress()).toBe(false);
    made.reportUsage({ inputTokens: 90 });
    expect(made.willCompress()).toBe(true);
    await made.checkAndCompress();
    expect(made.stats().currentTokens).toBeLessThanOrEqual(50);
    const [record] = made.history;
    expect(record?.tokensBefore).toBe(60);
    expect(record?.reason).toMatch(/^90 tokens .+ \(60 are counted here\)$/);
  });
});

test('level changes are reported, and a warning as the window fills up', () => {
  const made = manager();
  const heard: unknown[] = [];
  made.on('level-change', ({ from, to }) => heard.push([from, to]));
  made.on('usage-warning', ({ utilization }) => heard.push(utilization));
  for (const size of [60, 15, 6, 15, 6]) made.append(user(words(size)));
  expect(heard).toEqual([[0, 1], 0.75, [1, 2], [2, 3], [3, 4]]);
});

test('the returned transcript cannot be used to change the manager', () => {
  const made = filled(2);
  (made.transcript as unknown as Message[]).pop();
  (made.view() as Message[]).pop();
  expect([made.transcript.length, made.view().length]).toEqual([2, 2]);
});
