import { type Message, MessageCounter, View } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import {
  assistant,
  call,
  managerOf,
  result,
  system,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import { type MarkerRules, markerAllowance, markerFor } from '../../src/view/marker.js';

const counter = new MessageCounter(wordCounter, { message: 0, conversation: 0 });
const count = (message: Message) => counter.message(message);

const conversation = transcript(
  system('be kind', { id: 's' }),
  user('do it', { id: 'task' }),
  call('a', 'read', {}, { id: 'call' }),
  result('a', words(9), { id: 'result' }),
  assistant('done', { id: 'answer' }),
  user('thanks', { id: 'newest' }),
);

/** The view after dropping the named messages. */
function without(...gone: string[]) {
  const held = new Transcript();
  const whole = new View();
  for (const message of conversation) for (const added of held.append(message)) whole.append(added, count);
  const positions = gone.map((id) => held.get(id)?.index as number);
  return {
    view: new View(
      undefined,
      whole.entries.filter(({ id }) => !gone.includes(id)),
      { count: gone.length, first: gone.length === 0 ? undefined : Math.min(...positions) },
    ),
    held,
  };
}

function markerWithout(gone: string[], rules: Partial<MarkerRules>) {
  const { view, held } = without(...gone);
  return markerFor(view, held, { marker: false, leadingUser: false, ...rules }, count);
}

test('without dropped messages there is no marker', () => {
  expect(markerWithout([], { marker: true, leadingUser: true })).toBeUndefined();
});

test('a conversation of system messages alone has none, even if a user must come first', () => {
  const messages = ['task', 'call', 'result', 'answer', 'newest'];
  expect(markerWithout(messages, { leadingUser: true })).toBeUndefined();
});

test('there is none unless configured', () => {
  expect(markerWithout(['call', 'result'], {})).toBeUndefined();
});

test('it stands at the first gap and gives the number of dropped messages', () => {
  const marker = markerWithout(['call', 'result'], { marker: true });
  expect(marker).toMatchObject({ position: 2, tokens: 9 });
  expect(marker?.message).toEqual({
    role: 'user',
    content: '[2 earlier messages were left out to save context]',
  });
});

test('a custom text may contain the number more than once', () => {
  const marker = markerWithout(['task'], { marker: '{count} gone, yes {count}' });
  expect(marker?.message.content).toBe('1 gone, yes 1');
});

test('if a user must come first, it stands before the first message of anyone else', () => {
  const marker = markerWithout(['task'], { leadingUser: true });
  expect(marker).toMatchObject({ position: 1, message: { role: 'user' } });
  expect(markerWithout(['call', 'result'], { leadingUser: true })).toBeUndefined();
});

test('an assistant that speaks first gets a line before it, even if nothing was dropped', () => {
  const held = new Transcript();
  const view = new View();
  for (const message of transcript(system('be kind'), assistant('hello'), user('hi')))
    for (const added of held.append(message)) view.append(added, count);
  const marker = markerFor(view, held, { marker: true, leadingUser: true }, count);
  expect(marker).toEqual({
    position: 1,
    message: { role: 'user', content: '[The conversation goes on from here]' },
    tokens: 6,
  });
});

test('a summary that the provider wrote goes first, without a line before it', () => {
  const content = [{ type: 'opaque' as const, value: { type: 'compaction' } }];
  const held = new Transcript();
  const view = new View();
  for (const message of transcript(
    system('be kind'),
    { role: 'assistant', content, summary: true },
    user('hi'),
  ))
    for (const added of held.append(message)) view.append(added, count);
  expect(markerFor(view, held, { marker: true, leadingUser: true }, count)).toBeUndefined();
});

test('it stands at the end if nothing after the gap is left', () => {
  expect(markerWithout(['answer', 'newest'], { marker: true })).toMatchObject({ position: 4 });
});

test('planning reserves room for a marker with the largest possible number', () => {
  const { held } = without();
  const rules = { marker: '{count} of them are gone', leadingUser: false };
  expect(markerAllowance(held, rules, count)).toBe(5);
  expect(markerAllowance(held, { marker: false, leadingUser: true }, count)).toBe(9);
  expect(markerAllowance(held, { marker: false, leadingUser: false }, count)).toBe(0);
});

test('it is sent and counted, but is not in the transcript, and it leaves with the gap', async () => {
  const manager = managerOf(conversation, { config: { marker: true } });
  const before = manager.stats().countedTokens;
  const strategy = {
    name: 'drop-answer',
    emits: ['drop'],
    plan: () => ({ edits: [{ type: 'drop' as const, messages: ['call', 'result'], reason: 'old' }] }),
  };
  const { record } = await manager.compress({ strategy, targetTokens: 0 });
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
    const strategy = {
      name: 'drop-old',
      emits: ['drop'],
      plan: () => ({ edits: [{ type: 'drop', messages: ['old'], reason: 'old' }] }),
    };
    await manager.compress({ strategy, targetTokens: 0 });
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
  const strategy = {
    name: 'drop-old',
    emits: ['drop'],
    plan: () => ({ edits: [{ type: 'drop', messages: ['old'], reason: 'old' }] }),
  };
  await manager.compress({ strategy, targetTokens: 0 });
  const { epoch } = manager;
  manager.append(system('be brief'));
  const before = manager.view();
  expect(before.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
  expect(manager.epoch).toBe(epoch + 1);
  manager.append(assistant('then'));
  expect(manager.view()).toEqual([...before, assistant('then')]);
  expect(manager.epoch).toBe(epoch + 1);
});

test('room is reserved for the opening line if it is longer than the marker', () => {
  const { held } = without();
  const rules = { marker: '{count}', leadingUser: true };
  expect(markerAllowance(held, rules, count)).toBe(6);
  expect(markerAllowance(held, { ...rules, leadingUser: false }, count)).toBe(1);
});
