import { View } from '@ctx/core';
import { assistant, call, managerOf, result, system, transcript, user, words } from '@ctx/testing';
import { type MarkerRules, markerAllowance, markerFor } from '../../src/view/marker.js';
import { drop, planning } from '../edits.js';
import { held } from '../held.js';

const conversation = transcript(
  system('be kind', { id: 's' }),
  user('do it', { id: 'task' }),
  call('a', 'read', {}, { id: 'call' }),
  result('a', words(9), { id: 'result' }),
  assistant('done', { id: 'answer' }),
  user('thanks', { id: 'newest' }),
);

/** The marker after the named messages were dropped. */
function markerWithout(gone: string[], rules: Partial<MarkerRules>) {
  const { view, transcript: said, count } = held(conversation);
  const positions = gone.map((id) => said.get(id)?.index as number);
  const dropped = { count: gone.length, first: gone.length === 0 ? undefined : Math.min(...positions) };
  const left = view.entries.filter(({ id }) => !gone.includes(id));
  const rest = new View(undefined, left, dropped);
  return markerFor(rest, said, { marker: false, leadingUser: false, ...rules }, count);
}

test.each<[what: string, gone: string[], rules: Partial<MarkerRules>]>([
  ['without dropped messages', [], { marker: true, leadingUser: true }],
  [
    'in a conversation of system messages alone, even if a user must come first',
    ['task', 'call', 'result', 'answer', 'newest'],
    { leadingUser: true },
  ],
  ['unless configured', ['call', 'result'], {}],
  ['if a user must come first, and does', ['call', 'result'], { leadingUser: true }],
])('there is none %s', (_what, gone, rules) => {
  expect(markerWithout(gone, rules)).toBeUndefined();
});

const twoGone = '[2 earlier messages were left out to save context]';
test.each<[what: string, gone: string[], rules: Partial<MarkerRules>, position: number, content?: string]>([
  ['stands at the first gap and gives the number', ['call', 'result'], { marker: true }, 2, twoGone],
  ['may have a text of one’s own', ['task'], { marker: '{count} gone, yes {count}' }, 1, '1 gone, yes 1'],
  [
    'stands before the first message of anyone else, if a user must be first',
    ['task'],
    { leadingUser: true },
    1,
  ],
  ['stands at the end if nothing after the gap is left', ['answer', 'newest'], { marker: true }, 4, twoGone],
])('it %s', (_what, gone, rules, position, content = expect.any(String)) => {
  expect(markerWithout(gone, rules)).toMatchObject({ position, message: { role: 'user', content } });
});

test('an assistant that speaks first gets a line before it, even if nothing was dropped', () => {
  const { view, transcript: said, count } = held([system('be kind'), assistant('hello'), user('hi')]);
  const marker = markerFor(view, said, { marker: true, leadingUser: true }, count);
  expect(marker).toEqual({
    position: 1,
    message: { role: 'user', content: '[The conversation goes on from here]' },
    tokens: 6,
  });
});

test('a summary that the provider wrote goes first, without a line before it', () => {
  const content = [{ type: 'opaque' as const, value: { type: 'compaction' } }];
  const summary = { role: 'assistant', content, summary: true } as const;
  const { view, transcript: said, count } = held([system('be kind'), summary, user('hi')]);
  expect(markerFor(view, said, { marker: true, leadingUser: true }, count)).toBeUndefined();
});

test('planning reserves room for a marker with the largest possible number', () => {
  const { transcript: said, count } = held(conversation);
  const rules = { marker: '{count} of them are gone', leadingUser: false };
  expect(markerAllowance(said, rules, count)).toBe(5);
  expect(markerAllowance(said, { marker: false, leadingUser: true }, count)).toBe(9);
  expect(markerAllowance(said, { marker: false, leadingUser: false }, count)).toBe(0);
  expect(markerAllowance(said, { marker: '{count}', leadingUser: true }, count)).toBe(6);
});

test('it is sent and counted, but is not in the transcript, and it leaves with the gap', async () => {
  const manager = managerOf(conversation, { config: { marker: true } });
  const before = manager.stats().countedTokens;
  const { record } = await manager.compress({ strategy: planning(drop('call', 'result')), targetTokens: 0 });
  expect(manager.view()[2]?.content).toContain('2 earlier messages');
  expect(manager.stats().countedTokens).toBe(before - 11 + 9);
  expect(manager.transcript).toHaveLength(conversation.length);
  manager.undo(record?.id ?? '');
  expect(manager.view()).toEqual(conversation);
  expect(manager.stats().countedTokens).toBe(before);
});

test.each([[[assistant('then')]], [[user('then')]]])(
  'if a user must come first, it stays after a later system prompt, whoever speaks next',
  async (next) => {
    const manager = managerOf([assistant(words(90), { id: 'old' }), system('be kind')], {
      config: { marker: true, leadingUser: true, minMessagesToKeep: 1 },
    });
    await manager.compress({ strategy: planning(drop('old')), targetTokens: 0 });
    const before = manager.view();
    expect(before.map(({ role }) => role)).toEqual(['system', 'user']);
    for (const message of next) manager.append(message);
    expect(manager.view()).toEqual([...before, ...next]);
    manager.setTools(['another']);
    expect(manager.view()).toEqual([...before, ...next]);
  },
);

test('a system prompt after a line that opens the view comes before it, and begins an epoch', async () => {
  const manager = managerOf([assistant(words(90), { id: 'old' }), system('be kind')], {
    config: { marker: true, leadingUser: true, minMessagesToKeep: 1 },
  });
  await manager.compress({ strategy: planning(drop('old')), targetTokens: 0 });
  const { epoch } = manager;
  manager.append(system('be brief'));
  const before = manager.view();
  expect(before.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
  expect(manager.epoch).toBe(epoch + 1);
  manager.append(assistant('then'));
  expect(manager.view()).toEqual([...before, assistant('then')]);
  expect(manager.epoch).toBe(epoch + 1);
});
