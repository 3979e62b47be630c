import {
  type Config,
  ContextManager,
  CtxError,
  defineStrategy,
  type ManagerOptions,
  type Message,
  type PlanContext,
} from '@ctx/core';
import { arbitraryTranscript, assistant, managerOf, user, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { drop, planning } from '../edits.js';

const dropping = defineStrategy({
  name: 'dropping',
  emits: ['drop'],
  plan({ view, currentTokens, targetTokens, random }: PlanContext) {
    const edits = [];
    let left = currentTokens;
    for (const exchange of new Set(view.map((message) => message.exchange))) {
      const members = view.filter((message) => message.exchange === exchange);
      if (left <= targetTokens || members.some(({ pinned }) => pinned) || random() < 0.3) continue;
      left -= members.reduce((sum, { tokens }) => sum + tokens, 0);
      edits.push({ type: 'drop' as const, messages: members.map(({ id }) => id), reason: 'old' });
    }
    return { edits };
  },
});
const merging = defineStrategy({
  name: 'merging',
  emits: ['merge'],
  plan({ view }: PlanContext) {
    const from = view.findIndex(({ pinned }) => !pinned);
    const until = view.findIndex(({ pinned }, at) => at > from && pinned);
    const messages = view.slice(Math.max(0, from), until < 0 ? undefined : until).map(({ id }) => id);
    if (from < 0 || messages.length < 3) return { edits: [] };
    return { edits: [{ type: 'merge', messages, text: 'so it was', placement: 'first', reason: 'old' }] };
  },
});

type Action = (subject: Subject) => unknown;

/** A manager, its clock, and the messages still to be appended. */
interface Subject {
  readonly manager: ContextManager;
  readonly clock: { now: number };
  readonly coming: Message[];
}

const at = <T>(list: readonly T[], share: number): T | undefined => list[Math.floor(share * list.length)];
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const overflow = { status: 400, message: "This model's maximum context length is 100 tokens." };
const say: Action = ({ manager, coming }) => {
  for (const message of coming.splice(0, 3)) manager.append(message);
};
const idAt = ({ manager }: Subject, place: number) => at(manager.transcript, place)?.id ?? 'm1';

const plain = <T>(arbitrary: fc.Arbitrary<T>, act: (given: T, subject: Subject) => unknown, name: string) =>
  arbitrary.map((given): [string, Action] => [`${name} ${given}`, (subject) => act(given, subject)]);
const nothing = fc.constant('');

const action: fc.Arbitrary<[string, Action]> = fc.oneof(
  { arbitrary: plain(nothing, (_, subject) => say(subject), 'say'), weight: 8 },
  plain(nothing, (_, { manager }) => manager.checkAndCompress(), 'check'),
  plain(nothing, (_, { manager }) => manager.checkAndCompress({ beforeSend: true }), 'check before a send'),
  plain(share, (part, { manager }) => manager.compress({ targetTokens: part * 300 }), 'compress'),
  plain(nothing, (_, { manager }) => manager.recover(overflow), 'recover'),
  plain(share, (part, { manager }) => manager.undo(at(manager.history, part)?.id ?? 'none'), 'undo'),
  plain(share, (part, subject) => subject.manager.rewindTo(idAt(subject, 0.5 + part / 2)), 'rewind'),
  plain(share, (part, subject) => subject.manager.pin(idAt(subject, part)), 'pin'),
  plain(share, (part, subject) => subject.manager.unpin(idAt(subject, part)), 'unpin'),
  plain(fc.nat(3), (count, { manager }) => manager.setTools([words(10 * count)]), 'set tools'),
  plain(nothing, (_, { manager }) => manager.request(), 'request'),
  plain(
    share,
    (part, { manager }) => {
      const inputTokens = Math.round(manager.stats().countedTokens * (1 + part / 4)) + 5;
      return manager.reportUsage({ inputTokens });
    },
    'report usage',
  ),
  plain(
    fc.integer({ min: 1, max: 4_000 }),
    (ms, { clock }) => {
      clock.now += ms;
    },
    'wait',
  ),
);

const config: fc.Arbitrary<Config> = fc.record(
  {
    trigger: fc.constantFrom<NonNullable<Config['trigger']>>(
      { tokens: 150 },
      { fraction: 0.6, cost: true },
      { fraction: 0.9, allowedTokens: true },
    ),
    reasoning: fc.constantFrom('bound', 'kept', 'dropped'),
    leadingUser: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** The result of an action. Errors are given by their code. */
async function resultOf(act: Action, subject: Subject): Promise<unknown> {
  try {
    return await act(subject);
  } catch (error) {
    return CtxError.isInstance(error) ? error.code : Promise.reject(error);
  }
}

function stateOf({ manager }: Subject): unknown {
  return JSON.parse(
    JSON.stringify([
      manager.willCompress(),
      manager.stats(),
      manager.history,
      manager.view(),
      manager.budget(),
      manager.warnings,
      manager.epoch,
      manager.level,
      manager.status(),
      manager.snapshot(),
    ]),
  );
}

test('a rewound message does not return after a later rewind', async () => {
  const manager = managerOf([user(words(50)), assistant('So.'), user('now this')]);
  await manager.compress({ strategy: planning(drop('m1')), targetTokens: 1 });
  manager.append(assistant('one way'));
  manager.append(user('back'));
  manager.rewindTo('m3');
  manager.append(assistant('another way'));
  manager.append(user('further'));
  manager.rewindTo(manager.transcript[3]?.id as string);
  expect(manager.view().map(({ content }) => content)).toEqual(['So.', 'now this', 'another way']);
});

test('a question that had left before the user answered it does not stop a restart', async () => {
  const manager = managerOf([user(words(50)), assistant('What?')]);
  await manager.compress({ strategy: planning(drop('m2')), targetTokens: 1 });
  manager.append(user('ok'));
  expect(ContextManager.restore(manager.snapshot(), { counter: wordCounter }).view()).toEqual(manager.view());
});

test('a restored manager behaves like the one its snapshot was made from', async () => {
  let compressions = 0;
  const law = fc.asyncProperty(
    config,
    arbitraryTranscript,
    fc.array(action, { minLength: 5, maxLength: 40 }),
    fc.array(action, { maxLength: 12 }),
    async (settings, messages, before, after) => {
      const optionsWith = (clock: Subject['clock']): ManagerOptions => ({
        counter: wordCounter,
        now: () => clock.now,
        strategies: [dropping, merging],
        config: {
          contextWindow: 600,
          target: { tokens: 90 },
          overhead: { message: 0, conversation: 0 },
          throttleMs: 1_000,
          prices: {},
          ...settings,
        },
      });
      const clock = { now: 1_000_000 };
      const first: Subject = {
        manager: new ContextManager(optionsWith(clock)),
        clock,
        coming: [...messages],
      };
      for (const [, act] of before) await resultOf(act, first);

      const otherClock = { ...clock };
      const snapshot: unknown = JSON.parse(JSON.stringify(first.manager.snapshot()));
      const other: Subject = {
        manager: ContextManager.restore(snapshot, optionsWith(otherClock)),
        clock: otherClock,
        coming: [...first.coming],
      };
      expect(other.manager.snapshot()).toEqual(first.manager.snapshot());
      expect(stateOf(other)).toEqual(stateOf(first));
      for (const [name, act] of after) {
        const [expected, actual] = [await resultOf(act, first), await resultOf(act, other)];
        expect([name, JSON.stringify(actual)]).toEqual([name, JSON.stringify(expected)]);
        expect([name, stateOf(other)]).toEqual([name, stateOf(first)]);
      }
      compressions += first.manager.stats().compressions;
    },
  );
  await fc.assert(law, { numRuns: 50 });
  expect(compressions).toBeGreaterThan(25);
});
