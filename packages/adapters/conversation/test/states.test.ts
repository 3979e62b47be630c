import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import {
  Conversations,
  type ConversationsOptions,
  memoryStateStore,
  type StateStore,
  type Warning,
} from '../src/index.js';
import { assistant, called, user } from './chat.js';

const request = { provider: 'openai', model: 'gpt-5', scope: 'me' };

/** A history with calls, one of which is never answered. */
const historyOf = (name: string, turns: number): ChatMessage[] => [
  { role: 'system', content: 'Be brief.' },
  ...Array.from({ length: turns }, (_, turn): ChatMessage[] => {
    const read = called(`call-${turn}`, 'read', words(60, `${name}${turn}`), `{"path":"${turn}.ts"}`);
    return [
      user(`${name} asks for step ${turn}`),
      ...(turn === 2 ? read.slice(0, 1) : read),
      assistant(`${name} has done step ${turn}: ${words(20, `done${turn}`)}`),
    ];
  }).flat(),
  user('And now?'),
];

const ends = (history: readonly ChatMessage[]) =>
  history.flatMap(({ role }, at) => (role === 'user' ? [at + 1] : []));

function conversations(states?: StateStore, warnings: Warning[] = [], more: ConversationsOptions = {}) {
  const onWarning = (warning: Warning) => warnings.push(warning);
  return new Conversations(openaiCodec, { config: { contextWindow: 1_500 }, states, onWarning, ...more });
}

type Of = ReturnType<typeof conversations>;

async function send(of: Of, history: ChatMessage[], scope = 'me') {
  const turn = await of.turn(structuredClone(history), { ...request, scope });
  const sent = await turn.prepare();
  await turn.answered(undefined);
  return JSON.stringify(sent);
}

test('a process that is killed after any request is followed by one that sends the same', async () => {
  const history = historyOf('bob', 25);
  const states = memoryStateStore();
  for (const end of ends(history)) {
    const said = history.slice(0, end);
    const sent = await send(conversations(states), said);
    expect((await send(conversations(states), said)) === sent).toBe(true);
  }
});

test('two that compress at once agree, and both send the same', async () => {
  const history = historyOf('cid', 30);
  const states = memoryStateStore();
  const [left, right] = [conversations(states), conversations(states)];
  for (const end of ends(history)) {
    const said = history.slice(0, end);
    const [a, b] = await Promise.all([send(left, said), send(right, said)]);
    expect(a).toBe(b);
  }
});

test('a state that is lost or broken costs nothing but the records', async () => {
  const history = historyOf('dan', 30);
  const alone = await send(conversations(), history);
  const warnings: Warning[] = [];
  for (const value of [undefined, '{', '', btoa('not sealed by anybody, but long enough')]) {
    const states: StateStore = {
      get: async () => (value === undefined ? undefined : { version: 3, value }),
      put: async (_, __, version) => value === undefined || version === 4,
    };
    expect(await send(conversations(states, warnings), history)).toBe(alone);
  }
  const down = () => Promise.reject(new Error('down'));
  expect(await send(conversations({ get: down, put: down }, warnings), history)).toBe(alone);
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['store-failed']));
});

test('the states of two senders are never the same', async () => {
  const states = memoryStateStore();
  const keys = new Set<string>();
  const get: StateStore['get'] = (key) => {
    keys.add(key);
    return states.get(key);
  };
  const history = historyOf('eve', 20);
  for (const scope of ['key of ann', 'key of bob'])
    await send(conversations({ ...states, get }), history, scope);
  // What is learned of a model's window belongs to no conversation.
  expect([...keys].filter((key) => !key.startsWith('window-'))).toHaveLength(2);
});

/** A history that departs from another after so many messages, and goes on with words of its own. */
const departing = (history: readonly ChatMessage[], at: number, name: string): ChatMessage[] => [
  ...history.slice(0, at),
  user(`${name} asks for something else`),
  ...historyOf(name, 30).slice(2),
];

/** Counts the compressions of all managers that it is given. */
function counting(states: StateStore) {
  let compressions = 0;
  const onManager = (manager: ContextManager) =>
    manager.on('compression-end', () => {
      compressions += 1;
    });
  return { of: () => conversations(states, [], { onManager }), compressions: () => compressions };
}

test.each([9, 40, 70])(
  'forks at message %d that go from one process to another have one view and are compressed once',
  async (at) => {
    const main = historyOf('gil', 30);
    const fork = departing(main, at, 'hal');
    const requests = [
      ...ends(main).map((end) => main.slice(0, end)),
      ...ends(fork)
        .filter((end) => end > at)
        .map((end) => fork.slice(0, end)),
    ];
    // Both lines go on in turn, once as in one process and once in two.
    const mixed = requests.sort((one, other) => one.length - other.length);
    const sentBy = async (processes: readonly Of[]) => {
      const sent = new Map<string, string>();
      for (const [turn, history] of mixed.entries())
        sent.set(JSON.stringify(history), await send(processes[turn % processes.length] as Of, history));
      return [main, fork].map((line) =>
        ends(line).map((end) => sent.get(JSON.stringify(line.slice(0, end))) as string),
      );
    };
    const alone = counting(memoryStateStore());
    const one = await sentBy([alone.of()]);
    const shared = counting(memoryStateStore());
    const two = await sentBy([shared.of(), shared.of(), shared.of()]);
    expect(two).toEqual(one);
    expect(shared.compressions()).toBe(alone.compressions());
  },
);

test('of many forks the newest are kept', async () => {
  const states = memoryStateStore();
  let [key, longest] = ['', 0];
  const put: StateStore['put'] = (at, value, version) => {
    [key, longest] = [at, Math.max(longest, value.length)];
    return states.put(at, value, version);
  };
  const main = historyOf('ivy', 8);
  const forks = Array.from({ length: 20 }, (_, at) => departing(main, 21, `fork${at}`));
  const one = await send(conversations({ ...states, put }), forks[0] as ChatMessage[]);
  const lengthOfOne = longest;
  const sent: string[] = [];
  for (const fork of forks) sent.push(await send(conversations({ ...states, put }), fork));
  expect(sent[0]).toBe(one);
  expect(longest).toBeLessThan(9 * lengthOfOne);
  const { version } = (await states.get(key)) ?? { version: 0 };
  // The newest are continued as they are; the oldest is compressed anew, and stored again.
  for (const at of [19, 15])
    expect(await send(conversations(states), forks[at] as ChatMessage[])).toBe(sent[at]);
  expect((await states.get(key))?.version).toBe(version);
  expect(await send(conversations(states), forks[0] as ChatMessage[])).toBe(one);
  expect((await states.get(key))?.version).toBe(version + 1);
});
