import type { CompressionStrategy, Message } from '@ctx/core';
import { compressMessages } from '@ctx/core';
import { efficiency, hybrid } from '@ctx/strategy-hybrid';
import { middleRemoval } from '@ctx/strategy-middle-removal';
import { oldestRemoval } from '@ctx/strategy-oldest-removal';
import {
  call,
  planContextOf,
  result,
  system,
  testStrategy,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import { characteristicsOf, recommend } from '../src/characteristics.js';

const middle = middleRemoval({ minMessagesToKeep: 1 });
const oldest = oldestRemoval({ minMessagesToKeep: 1 });
const strategy = hybrid({ middle, oldest });

testStrategy('hybrid', () => strategy, {
  deviations: [
    {
      law: 'does nothing more to its own view',
      reason: 'the resulting view may need the other way of removal, which finds more to remove',
    },
  ],
});

const typical = { messages: 25, ratio: 0.7, recentShare: 0.2, hasLongMessage: false, hasToolOrSystem: false };

test.each([
  ['light compression of a short conversation', { ratio: 0.81, messages: 19 }, 'middle', 0.8],
  ['heavy compression of a long conversation', { ratio: 0.6, messages: 31 }, 'oldest', 0.9],
  ['most tokens in the last five messages', { recentShare: 0.41 }, 'middle', 0.7],
  ['long messages where compression is not light', { hasLongMessage: true }, 'oldest', 0.6],
  ['a tool or a system prompt', { hasToolOrSystem: true }, 'middle', 0.7],
  ['none of it', {}, undefined, 0],
  ['light, but not short', { ratio: 0.9, messages: 20 }, undefined, 0],
  ['heavy, but not long', { ratio: 0.5, messages: 30 }, undefined, 0],
  ['long messages, but light', { ratio: 0.9, hasLongMessage: true }, undefined, 0],
])('%s is recommended for by the first rule that matches', (_title, differing, way, confidence) => {
  expect(recommend({ ...typical, ...differing })).toMatchObject({ way, confidence });
});

test('the efficiency of the two ways is the same as in the published example', () => {
  const before = { tokens: 9_000, messages: 15 };
  const ofMiddle = efficiency(before, { tokens: 6_200, messages: 12 });
  const ofOldest = efficiency(before, { tokens: 5_800, messages: 10 });
  expect(ofMiddle).toBeCloseTo(0.506667, 3);
  expect(ofOldest).toBeCloseTo(0.48, 3);
  expect(ofMiddle).toBeGreaterThan(ofOldest);
});

test.each<[string, Message[], object]>([
  ['301 tokens', [user(words(301)), user('and?')], { hasLongMessage: true, hasToolOrSystem: false }],
  ['300 tokens', [user(words(300)), user('and?')], { hasLongMessage: false, recentShare: 1 }],
  ['a tool', [user('go'), call('a', 'read'), result('a', 'A')], { hasToolOrSystem: true, messages: 3 }],
  ['a system prompt', [system('be kind'), user('go')], { hasToolOrSystem: true, ratio: 1 / 3 }],
  ['six messages', Array.from({ length: 6 }, () => user('go')), { recentShare: 5 / 6 }],
])('the characteristics of a conversation with %s', async (_what, messages, expected) => {
  const context = await planContextOf(transcript(...messages), { targetTokens: 1 });
  expect(characteristicsOf(context)).toMatchObject(expected);
});

/** Only user messages, so that no rule applies: nothing long, nothing recent, no tools. */
const undecided = Array.from({ length: 25 }, () => user(words(40), { priority: 'NORMAL' }));

const compressed = (by: CompressionStrategy, messages: readonly Message[], targetTokens: number) =>
  compressMessages(messages, { strategy: by, targetTokens, counter: wordCounter });

describe('if no rule applies', () => {
  const lazy: CompressionStrategy = { name: 'lazy', emits: ['drop'], plan: () => ({ edits: [] }) };

  test('both ways are tried, and a tie goes to the middle', async () => {
    const { record } = await compressed(strategy, undecided, 700);
    expect(record).toMatchObject({ strategy: 'hybrid', chosen: 'middle-removal' });
    const notes = record?.stages[0]?.notes as { efficiency: Record<string, number>; confidence: number };
    expect(notes.confidence).toBe(0);
    expect(notes.efficiency['middle-removal']).toBeGreaterThan(0);
    expect(notes.efficiency['middle-removal']).toBe(notes.efficiency['oldest-removal']);
  });

  test.each([
    ['more efficient one is taken', { middle: oldest, oldest: lazy }],
    ['oldest are removed if that frees more', { middle: lazy, oldest }],
  ])('the %s', async (_what, ways) => {
    const { record } = await compressed(hybrid(ways), undecided, 700);
    expect(record).toMatchObject({ chosen: 'oldest-removal' });
    expect(record?.tokensAfter).toBeLessThanOrEqual(700);
  });

  test('the plan has the reason of the way that is taken', async () => {
    const idle = (name: string, reason?: string): CompressionStrategy => ({
      ...lazy,
      name,
      plan: () => ({ edits: [], ...(reason !== undefined && { reason }) }),
    });
    const context = await planContextOf(undecided, { targetTokens: 700 });
    const planned = (middleReason?: string) =>
      hybrid({ middle: idle('middle', middleReason), oldest: idle('oldest', 'not mine') }).plan(context);
    expect(await planned('nothing may leave')).toMatchObject({
      chosen: 'middle',
      reason: 'nothing may leave',
    });
    expect(await planned()).not.toHaveProperty('reason');
  });

  test.each(['middle', 'oldest'] as const)('only the %s may be asynchronous', async (which) => {
    const slow: CompressionStrategy = { ...oldest, name: 's', plan: async (context) => oldest.plan(context) };
    const context = await planContextOf(undecided, { targetTokens: 700 });
    const plan = await hybrid({ middle: oldest, oldest, [which]: slow }).plan(context);
    expect(plan.edits).toEqual((await oldest.plan(context)).edits);
  });
});

test('a confident recommendation is followed, and the record says so', async () => {
  const long = Array.from({ length: 31 }, () => user(words(20)));
  const { record } = await compressed(strategy, long, 200);
  expect(record).toMatchObject({
    strategy: 'hybrid',
    chosen: 'oldest-removal',
    stages: [{ notes: { confidence: 0.9, rule: 'heavy compression of a long conversation' } }],
  });
});

describe('a recommendation', () => {
  const withSystem = [system('be kind'), ...undecided];
  const planned = async (minConfidence?: number) =>
    hybrid({ middle, oldest, ...(minConfidence !== undefined && { minConfidence }) }).plan(
      await planContextOf(withSystem, { targetTokens: 700 }),
    );

  test('is followed if its confidence is high enough', async () => {
    const notes = { confidence: 0.7, rule: 'tools or a system prompt' };
    expect((await planned()).notes).toEqual(notes);
    expect((await planned(0.7)).notes).toEqual(notes);
  });

  test('is not followed if its confidence is lower: both ways are tried', async () => {
    const { notes } = await planned(0.71);
    expect(notes).toMatchObject({
      confidence: 0.7,
      efficiency: { 'middle-removal': expect.any(Number), 'oldest-removal': expect.any(Number) },
    });
  });
});
