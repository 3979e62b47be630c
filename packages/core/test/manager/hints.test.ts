import { assistant, managerOf, system, user, words } from '@ctx/testing';
import type { Hint } from '../../src/manager/hints.js';
import { heard } from '../heard.js';

const window = 100;
const setUp = () => {
  const manager = managerOf([system('Be brief.'), user('go')], { contextWindow: window });
  const hints = heard(manager, 'hint', ({ code }) => code);
  return { manager, hints };
};
const codes = (hints: readonly Hint[]) => hints.map(({ code }) => code);

test('nothing is hinted at in a conversation that is used as meant', async () => {
  const { manager } = setUp();
  for (let turn = 0; turn < 30; turn += 1) {
    manager.append(assistant('done'));
    await manager.add(user('ok'));
    manager.view();
  }
  expect(manager.hints).toEqual([]);
});

test('the same object appended twice is hinted at, once', () => {
  const { manager, hints } = setUp();
  const message = user('again');
  for (let time = 0; time < 3; time += 1) manager.append(message);
  expect(hints).toEqual(['message-appended-twice']);
  expect(codes(manager.hints)).toEqual(hints);
});

test('a history that is appended again from its beginning is hinted at', () => {
  const { manager, hints } = setUp();
  const history = () => [user('one'), assistant('two'), user('three'), assistant('four'), user('five')];
  const again = managerOf(history(), { contextWindow: window });
  for (const message of history()) again.append(message);
  expect(codes(again.hints)).toEqual(['history-appended-again']);
  for (const message of history()) manager.append(message);
  expect(hints).toEqual([]);
});

test('a second system prompt in the middle is hinted at, two at the beginning are not', () => {
  const { manager, hints } = setUp();
  const two = managerOf([system('one'), system('two')], { contextWindow: window });
  expect(two.hints).toEqual([]);
  manager.append(system('Be long.'));
  expect(hints).toEqual(['system-prompt-added']);
});

test('a view that is read while a check runs is hinted at', async () => {
  const { manager, hints } = setUp();
  const check = manager.checkAndCompress();
  manager.view();
  await check;
  expect(hints).toEqual(['view-during-check']);
});

test('a full window that nobody ever checked is hinted at', async () => {
  const { manager, hints } = setUp();
  manager.append(assistant(words(95)));
  manager.view();
  expect(hints).toEqual(['window-unchecked']);
});
