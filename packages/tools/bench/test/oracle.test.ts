import type { Message } from '@ctx/core';
import { assistant, call, result, system, transcript, user, words } from '@ctx/testing';
import { type Cut, commonAtoms, cutsOf, loadCounter, oracle } from '../src/index.js';
import { leadingUser } from '../src/oracle.js';
import { expectCeiling } from './oracle-ceiling.js';
import { bundledSessions } from './real-sessions.js';
import { codingSession, cutBefore, measure, countWords as tokensOf } from './small-cut.js';

const lead = tokensOf(leadingUser);

/** The messages that the oracle keeps, without the system prompt and a possible leading line. */
function chosen(cut: Cut, room: number): readonly Message[] {
  const messages = oracle(cut, { budget: cut.systemTokens + lead + room, tokensOf });
  return messages.filter((message) => message.role !== 'system' && message !== leadingUser);
}

describe('the oracle of whole exchanges', () => {
  const prefix = transcript(
    system(words(20)),
    user(`name_one ${words(9)}`),
    call('1', 'read', { at: 'name_two' }),
    result('1', `name_three ${words(6)}`),
    assistant(words(10)),
    user(`name_four ${words(29)}`),
  );
  const cut = cutBefore(prefix, [assistant('name_one name_two name_three name_four')]);
  const [prompt, one, asked, answer, , four] = prefix as [
    Message,
    Message,
    Message,
    Message,
    Message,
    Message,
  ];

  test('keeps only what is needed, in order', () => {
    expect(chosen(cut, 1_000)).toEqual([one, asked, answer, four]);
  });

  test('chooses the exchanges that are worth most per token', () => {
    // The call and its result have two names in 10 words, the first message one in 10, the last one in 30.
    expect(chosen(cut, 10)).toEqual([asked, answer]);
    expect(chosen(cut, 20)).toEqual([one, asked, answer]);
    expect(chosen(cut, 49)).toEqual([one, asked, answer]);
    expect(chosen(cut, 50)).toEqual([one, asked, answer, four]);
  });

  test('never separates a call from its result', () => {
    expect(chosen(cut, 9)).toEqual([]);
  });

  test('begins with a line of the user if an exchange of the agent comes first', () => {
    const budget = 20 + lead + 10;
    expect(oracle(cut, { budget, tokensOf })).toEqual([prompt, leadingUser, asked, answer]);
  });

  test('keeps the system prompt and that line if nothing fits', () => {
    expect(oracle(cut, { budget: 0, tokensOf })).toEqual([prompt, leadingUser]);
  });

  test('counts an atom once, however often it occurs', () => {
    const twice = [user(`name_one ${words(4)}`), user(`name_one ${words(5)}`), user(`name_two ${words(9)}`)];
    const once = cutBefore(twice, [assistant('name_one name_two')]);
    expect(chosen(once, 15)).toEqual([twice[0], twice[2]]);
    expect(chosen(once, 1_000)).toEqual([twice[0], twice[2]]);
  });

  test('begins with the largest choice if greedily taking the cheapest would leave no room for it', () => {
    const cheap = user('name_a');
    const rich = user(`name_b name_c name_d name_e ${words(6)}`);
    const greedy = cutBefore([cheap, rich], [assistant('name_a name_b name_c name_d name_e')]);
    expect(chosen(greedy, 10)).toEqual([rich]);
    expect(chosen(greedy, 11)).toEqual([cheap, rich]);
  });
});

describe('is at or above every method that keeps or drops whole exchanges, in budget and valid', () => {
  test('on a hand-made session', async () => {
    const o200k = await loadCounter();
    const cuts = cutsOf(codingSession(20), { tokensOf: o200k });
    expect(cuts).toHaveLength(4);
    for (const cut of cuts) await expectCeiling({ model: {} }, cut, [0.5, 0.25, 0.125, 0.05]);
  });

  test('on the sessions of the examples', async () => {
    const o200k = await loadCounter();
    const sessions = await bundledSessions();
    expect(sessions).toHaveLength(3);
    for (const session of sessions) {
      const [first] = cutsOf(session.messages, { tokensOf: o200k, common: commonAtoms(sessions) });
      await expectCeiling(session, first as Cut);
    }
  });
});

test('it loses no names for which a budget has room', () => {
  const session = codingSession(8);
  const cut = cutBefore(session.slice(0, 25), [assistant('value0_3 order-48211')]);
  expect(measure(cut, oracle(cut, { budget: cut.systemTokens + 400, tokensOf }))).toMatchObject({ ctx: 100 });
});
