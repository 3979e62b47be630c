import type { Message } from '@ctx/core';
import { and, assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import { firstLookOf, unreadOf } from '../src/replay-figures.js';
import { countWords as tokensOf } from './small-cut.js';

const history = transcript(
  system('be brief'),
  user('fix it'),
  call('1', 'read'),
  result('1', words(10, 'old')),
  and(call('2', 'read'), call('3', 'read')),
  result('2', words(10, 'two')),
  result('3', 'three\nlines\nhere'),
);
const at = (index: number) => history[index] as Message;
const [prompt, task, calls, second, third] = [at(0), at(1), at(4), at(5), at(6)];

describe('what the model has not read yet', () => {
  test('is everything after its newest message', () => {
    expect(unreadOf(history)).toEqual([second, third]);
    expect(unreadOf([...history, user('and this')])).toHaveLength(3);
  });

  test('is everything before its first message', () => {
    expect(unreadOf(history.slice(0, 2))).toHaveLength(2);
  });
});

describe('a first look is whole', () => {
  const look = (view: readonly Message[], limit = 1_000) => firstLookOf(history, view, { limit, tokensOf });
  const quoted = user(`## read\n${words(10, 'two')}\n## read\nthree\nlines\nhere`);
  const cut = result('3', 'three\n[… 1 line left out …]\nhere');

  test.each<[string, boolean, Message[]]>([
    ['if the unread results are in the view as they came', true, [prompt, task, calls, second, third]],
    ['if another message quotes them word for word', true, [prompt, quoted]],
    ['not if one of them is cut', false, [prompt, task, calls, second, cut]],
    ['not if one of them is gone', false, [prompt, task, calls, second]],
  ])('%s', (_when, isWhole, view) => {
    expect(look(view)).toBe(isWhole);
  });

  test('does not count if they do not fit together with the system prompt and the newest user message', () => {
    const needed = [prompt, task, second, third].reduce((sum, one) => sum + tokensOf(one), 0);
    expect(look([assistant('gone')], needed)).toBe(false);
    expect(look([assistant('gone')], needed - 1)).toBeUndefined();
  });
});
