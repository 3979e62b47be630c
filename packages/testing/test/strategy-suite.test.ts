import { defineStrategy, exchangesOf } from '@ctx/core';
import {
  assistant,
  call,
  checkLaws,
  expectView,
  result,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';

const oldestFirst = defineStrategy({
  name: 'oldest-first',
  emits: ['drop'],
  plan({ view, currentTokens, targetTokens, minMessagesToKeep }) {
    const edits = [];
    let [tokens, left] = [currentTokens, view.length];
    for (const exchange of exchangesOf(view)) {
      if (tokens <= targetTokens) break;
      if (exchange.pinned) continue;
      if (exchange.tokens === 0 || left - exchange.messages.length < minMessagesToKeep) continue;
      tokens -= exchange.tokens;
      left -= exchange.messages.length;
      edits.push({
        type: 'drop' as const,
        messages: exchange.messages.map(({ id }) => id),
        reason: 'oldest',
      });
    }
    return { edits };
  },
});

testStrategy('a well-behaved strategy', () => oldestFirst);

test('expectView shows what a strategy makes of a conversation', () =>
  expectView(
    oldestFirst,
    transcript(user('fix it'), call('a', 'read'), result('a', words(9)), assistant('so'), user('go on')),
    transcript(user('go on')),
  ));

describe('the laws catch a strategy that', () => {
  const conversation = transcript(user(words(9)), call('a', 'read'), result('a', words(9)), user('go on'));
  const drop = (...messages: string[]) => ({ type: 'drop' as const, messages, reason: 'wrong' });

  test('splits a call from its result', async () => {
    const splitting = defineStrategy({ name: 's', emits: ['drop'], plan: () => ({ edits: [drop('m3')] }) });
    await expect(checkLaws(splitting, conversation, { targetTokens: 0 })).rejects.toThrow('tool-pairs');
  });

  test('does not plan the same twice', async () => {
    let turn = 0;
    const moody = defineStrategy({
      name: 's',
      emits: ['drop'],
      plan: () => ({ edits: turn++ % 2 ? [] : [drop('m1')] }),
    });
    await expect(checkLaws(moody, conversation, { targetTokens: 0 })).rejects.toThrow();
  });

  test('compresses its own view again', async () => {
    const greedy = defineStrategy({
      name: 's',
      emits: ['drop'],
      plan: ({ view }) => ({
        edits: view
          .slice(0, 1)
          .filter((one) => !one.pinned)
          .map((one) => drop(one.id)),
      }),
    });
    const plain = transcript(user('a a'), user('b b'), user('c c'), user('d d'));
    await expect(checkLaws(greedy, plain, { targetTokens: 0 })).rejects.toThrow();
  });

  test('emits what it does not declare', async () => {
    const undeclared = defineStrategy({
      name: 's',
      emits: ['replace'],
      plan: () => ({ edits: [drop('m1')] }),
    });
    await expect(checkLaws(undeclared, conversation, { targetTokens: 0 })).rejects.toThrow('replace');
  });
});
