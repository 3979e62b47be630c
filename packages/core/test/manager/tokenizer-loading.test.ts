import {
  type CompressionStrategy,
  ContextManager,
  compressMessages,
  defineStrategy,
  type TokenCounter,
} from '@ctx/core';
import { assistant, user, words } from '@ctx/testing';
import { dropOldest } from '../drop-oldest.js';
import { planner } from '../edits.js';
import { heard } from '../heard.js';
import { talk } from '../talk.js';

/** Far off before it is loaded: two tokens per character instead of one per word. */
function slowCounter(): TokenCounter & { fail: boolean; loaded: boolean } {
  const counter = {
    loaded: false,
    fail: false,
    async load() {
      await Promise.resolve();
      if (counter.fail) throw new Error('not here');
      counter.loaded = true;
    },
    count: (text: string) => (counter.loaded ? text.split(' ').length : 2 * text.length),
  };
  return counter;
}

const plain = { overhead: { message: 0, conversation: 0 }, contextWindow: 100_000 };
const conversation = talk(20, 100);
const filled = (counter: TokenCounter, strategy: CompressionStrategy = dropOldest) => {
  const manager = new ContextManager({ counter, strategies: [strategy], config: plain });
  for (const message of conversation) manager.append(message);
  return manager;
};
const overflow = { status: 400, message: "This model's maximum context length is 100 tokens." };

test.each<[string, (counter: TokenCounter, strategy: CompressionStrategy) => Promise<unknown>]>([
  ['compress', (counter, strategy) => filled(counter, strategy).compress({ targetTokens: 1_000 })],
  ['simulate', (counter, strategy) => filled(counter, strategy).simulate({ targetTokens: 1_000 })],
  ['recover', (counter, strategy) => filled(counter, strategy).recover(overflow)],
  [
    'compressMessages',
    (counter, strategy) =>
      compressMessages(conversation, { counter, strategy, targetTokens: 1_000, config: plain }),
  ],
])('%s waits for the tokenizer even if it is the first call', async (_name, act) => {
  const seen: number[] = [];
  const watching = planner('watching', ({ currentTokens }) => {
    seen.push(currentTokens);
    return [];
  });
  await act(slowCounter(), watching);
  expect(seen[0]).toBe(2_000);
});

test('what is appended after the tokenizer was loaded is never estimated', async () => {
  const counter = slowCounter();
  const manager = new ContextManager({ counter, strategies: [dropOldest], config: plain });
  await manager.loadTokenizer();
  const tokens = heard(manager, 'message-append', (appended) => appended.tokens);
  manager.append(user(words(100)));
  expect(tokens).toEqual([100]);
});

test('a tokenizer loaded during a compression counts for what the compression leaves', async () => {
  const counter = slowCounter();
  counter.fail = true;
  const loadsMeanwhile = defineStrategy({
    name: 'loads-meanwhile',
    emits: ['drop'],
    async plan() {
      counter.fail = false;
      await manager.simulate({ targetTokens: 1_000_000 });
      return { edits: [{ type: 'drop', messages: ['m1'], reason: 'old' }] };
    },
  });
  const manager = filled(counter, loadsMeanwhile);
  await manager.compress({ targetTokens: 10 });
  expect(manager.view()).toHaveLength(19);
  expect(manager.stats()).toMatchObject({ countedTokens: 1_900, quality: 'exact' });
  expect(manager.warnings).toEqual([]);
});

test('a counter that another manager loads is exact for both, including their tools', async () => {
  const counter = slowCounter();
  const tools = 'four words of tools';
  const waiting = new ContextManager({ counter, tools, config: plain });
  waiting.append(user(words(100)));
  expect(waiting.stats().quality).toBe('estimated');
  await filled(counter).simulate();
  waiting.append(assistant(words(100)));
  expect(waiting.stats()).toMatchObject({ countedTokens: 204, quality: 'exact' });
});

test('what was learned from estimates is forgotten once the tokenizer is loaded', async () => {
  const counter = slowCounter();
  const manager = filled(counter);
  const estimated = manager.stats().countedTokens;
  manager.view();
  expect(manager.reportUsage({ inputTokens: Math.round(estimated / 2) })).toEqual({ used: true });
  manager.view();
  await manager.simulate();
  expect(manager.reportUsage({ inputTokens: 2_000 })).toEqual({ used: false, reason: 'no-request' });
  expect(manager.stats()).toMatchObject({ currentTokens: 2_000, quality: 'exact' });
  manager.view();
  expect(manager.reportUsage({ inputTokens: 2_100 })).toEqual({ used: true });
  expect(manager.stats().currentTokens).toBe(2_100);
});

test('what an aborted wait has not counted is not counted at once, but in slices by the next one', async () => {
  const counter = slowCounter();
  const { count } = counter;
  let counted = 0;
  counter.count = (text) => {
    counted += counter.loaded ? 1 : 0;
    return count(text);
  };
  const gone = new AbortController();
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    if (pauses === 3) gone.abort();
  };
  const manager = new ContextManager({ counter, slices: { sliceMs: 0, pause }, config: plain });
  for (let at = 0; at < 100; at += 1) manager.append(user(`${at} ${words(100)}`));
  await manager.checkAndCompress({ signal: gone.signal });
  expect(manager.stats().quality).toBe('estimated');
  expect(counted).toBeLessThan(10);
  await manager.checkAndCompress();
  expect(manager.stats()).toMatchObject({ countedTokens: 10_100, quality: 'exact' });
  expect(pauses).toBeGreaterThan(100);
});

test('a tokenizer that could not be loaded is requested again', async () => {
  const counter = slowCounter();
  counter.fail = true;
  const manager = filled(counter);
  expect((await manager.compress({ targetTokens: 1_000 })).record).toBeDefined();
  expect(manager.stats().quality).toBe('estimated');
  manager.undo('compression-1');
  expect(manager.warnings).toEqual([expect.stringContaining('not here')]);
  counter.fail = false;
  await manager.simulate();
  expect(manager.warnings).toEqual([]);
  expect(manager.stats()).toMatchObject({ countedTokens: 2_000, quality: 'exact' });
});
