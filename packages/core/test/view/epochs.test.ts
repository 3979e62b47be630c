import { assistant, call, managerOf, result, system, user, words } from '@ctx/testing';
import fc from 'fast-check';
import {
  type ContextEvents,
  ContextManager,
  ContextOverflowError,
  defineStrategy,
  type Edit,
  exchangesOf,
  type Message,
  partsOf,
} from '../../src/index.js';
import { drop, planning, replace } from '../edits.js';

/** Drops, shortens or merges every third exchange, chosen by the seed. */
const shuffled = defineStrategy({
  name: 'shuffled',
  emits: ['drop', 'replace', 'merge'],
  plan({ view, random }) {
    const edits: Edit[] = exchangesOf(view).flatMap((exchange): Edit[] => {
      const messages = exchange.messages.map(({ id }) => id);
      const pick = Math.floor(random() * 9);
      if (exchange.pinned) return [];
      if (pick === 0) return [{ type: 'drop', messages, reason: 'chance' }];
      if (pick === 1)
        return [{ type: 'merge', messages, text: 'in short', placement: 'first', reason: 'chance' }];
      if (pick === 2)
        return [{ type: 'replace', message: messages[0] as string, part: 1, text: 'less', reason: 'chance' }];
      return [];
    });
    return { edits };
  },
});

/** A provider that binds its reasoning to the request and refuses it after any other. */
class BindingProvider {
  tools = 'none';
  requests = 0;
  #turn = 0;

  constructor(
    readonly manager: ContextManager,
    readonly refuses = true,
  ) {}

  /** The answer to the next request: reasoning, then either words or a call. */
  ask(): Message {
    const messages = this.manager.view();
    this.check(messages);
    this.requests += 1;
    this.#turn += 1;
    const thought = { type: 'reasoning' as const, text: this.#sign(messages) };
    const said = { type: 'text' as const, text: `${words(6)} ${this.#turn}` };
    return { role: 'assistant', content: [thought, said] };
  }

  check(messages: readonly Message[]): void {
    if (!this.refuses) return;
    messages.forEach((message, at) => {
      for (const part of partsOf(message)) {
        if (part.type !== 'reasoning') continue;
        if (part.text !== this.#sign(messages, at))
          throw new Error(`messages.${at}: the block is bound to a different conversation`);
      }
    });
  }

  #sign(messages: readonly Message[], end = messages.length): string {
    const isSystem = ({ role }: Message) => role === 'system';
    const before = messages.slice(0, end).filter((message) => !isSystem(message));
    return JSON.stringify([this.tools, messages.filter(isSystem), before]);
  }
}

type Step =
  | { readonly do: 'ask' | 'call' | 'say' | 'compress' | 'instruct' | 'overtake' | 'restore' }
  | { readonly do: 'undo' | 'rewind' | 'tools' | 'pin'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Step>({ do: 'ask' }, { do: 'call' }, { do: 'say' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'compress' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('undo' as const, 'rewind' as const, 'tools' as const, 'pin' as const),
      which: fc.nat(20),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>({ do: 'instruct' }, { do: 'overtake' }, { do: 'restore' }),
  },
);

interface Session {
  manager: ContextManager;
  provider: BindingProvider;
  calls: number;
}

const options = (config: object) => ({
  config: { contextWindow: 100_000, minMessagesToKeep: 1, throttleMs: 0, ...config },
  counter: { count: (text: string) => text.length },
});

async function take(session: Session, one: Step, config: object): Promise<void> {
  const { manager, provider } = session;
  const { transcript, history } = manager;
  switch (one.do) {
    case 'ask':
      manager.append(provider.ask());
      return;
    case 'call': {
      const answer = provider.ask();
      session.calls += 1;
      const id = `call-${session.calls}`;
      const content = [...partsOf(answer), ...partsOf(call(id, 'run', {}))];
      manager.append({ ...answer, content } as Message);
      manager.append(result(id, words(9)));
      return;
    }
    case 'say':
      manager.append(user(`${words(4)} ${transcript.length}`));
      return;
    case 'instruct':
      manager.append(system(`be kind ${transcript.length}`));
      return;
    case 'compress':
      await manager.compress({ strategy: shuffled, targetTokens: 0 }).catch(allowOverflow);
      return;
    case 'overtake': {
      const answer = provider.ask();
      const compressing = manager.compress({ strategy: shuffled, targetTokens: 0 }).catch(allowOverflow);
      await Promise.resolve();
      manager.append(answer);
      await compressing;
      return;
    }
    case 'restore': {
      const tools = provider.tools;
      const snapshot: unknown = JSON.parse(JSON.stringify(manager.snapshot()));
      session.manager = ContextManager.restore(snapshot, { ...options(config), tools });
      session.provider = new BindingProvider(session.manager, provider.refuses);
      session.provider.tools = tools;
      return;
    }
    case 'undo':
      if (history.length > 0) manager.undo(history[one.which % history.length]?.id as string);
      return;
    case 'rewind':
      manager.rewindTo(transcript[Math.max(0, transcript.length - 1 - one.which)]?.id as string);
      return;
    case 'tools':
      provider.tools = `tools ${one.which % 2}`;
      manager.setTools(provider.tools);
      return;
    case 'pin': {
      const shown = transcript.filter(({ message }) => manager.view().includes(message));
      manager.pin((shown[one.which % shown.length] ?? shown[0])?.id as string);
      return;
    }
    default:
      one satisfies never;
  }
}

function allowOverflow(error: unknown): void {
  if (!(error instanceof ContextOverflowError)) throw error;
}

function sessionOf(config: object, refuses = true): Session {
  const manager = new ContextManager({ ...options(config), tools: 'none' });
  manager.append(user('begin'));
  return { manager, provider: new BindingProvider(manager, refuses), calls: 0 };
}

const markers = fc.constantFrom(
  {},
  { marker: true },
  { leadingUser: true },
  { marker: true, leadingUser: true },
);

/** A thought is pinned and then said as text, also by the manager of a snapshot. */
const pinnedThought: Step[] = [
  { do: 'call' },
  { do: 'pin', which: 4 },
  { do: 'tools', which: 0 },
  { do: 'restore' },
];

describe('whatever happens to a conversation', () => {
  test('a provider that binds reasoning to its prefix never refuses a view', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), markers, async (steps, extra) => {
        const config = { reasoning: 'bound', ...extra };
        const session = sessionOf(config);
        for (const one of steps) await take(session, one, config);
        session.provider.check(session.manager.view());
      }),
      { numRuns: 134, examples: [[pinnedThought, {}]] },
    );
  });
});

test('the provider of these tests refuses reasoning kept after another prefix', async () => {
  const config = { reasoning: 'kept' };
  const session = sessionOf(config);
  for (let turn = 0; turn < 12; turn += 1) await take(session, { do: 'call' }, config);
  await take(session, { do: 'compress' }, config);
  expect(session.manager.history).toHaveLength(1);
  expect(() => session.provider.ask()).toThrow('bound to a different conversation');
});

describe('reasoning', () => {
  const dropFirst = planning(drop('old'));
  const thinking = (text: string) =>
    assistant([
      { type: 'reasoning', text: `because ${text}` },
      { type: 'text', text },
    ]);
  const thoughts = (manager: ContextManager) =>
    manager
      .view()
      .flatMap((message) =>
        partsOf(message).flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
      );

  function talk(reasoning: 'bound' | 'kept' | 'dropped') {
    const old = user('an old question', { id: 'old' });
    const said = [user('first'), thinking('one'), old, thinking('two'), user('and now?')];
    return managerOf(said, { config: { reasoning } });
  }

  test('before the change stays, after it goes, and undo brings it back', async () => {
    const manager = talk('bound');
    expect(thoughts(manager)).toEqual(['because one', 'because two']);
    const whole = manager.view();
    const { record } = await manager.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(thoughts(manager)).toEqual(['because one']);
    manager.append(thinking('three'));
    expect(thoughts(manager)).toEqual(['because one', 'because three']);
    manager.undo(record?.id as string);
    expect(thoughts(manager)).toEqual(['because one', 'because two']);
    expect(manager.view().slice(0, 5)).toEqual(whole);
  });

  test('is bound to the request that was sent, also if a record is undone before the answer', async () => {
    const manager = talk('bound');
    const { record } = await manager.compress({ strategy: dropFirst, targetTokens: 0 });
    manager.request();
    manager.undo(record?.id as string);
    manager.append(thinking('three'));
    expect(thoughts(manager)).toEqual(['because one', 'because two']);
  });

  test('after a marker at the end of the request survives a restore', async () => {
    const options = { config: { reasoning: 'bound', marker: true, minMessagesToKeep: 1 } } as const;
    const manager = managerOf([user('why?'), assistant(words(90), { id: 'old' })], options);
    await manager.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(manager.request()).toHaveLength(2);
    manager.append(thinking('one'));
    expect(thoughts(manager)).toEqual(['because one']);
    const snapshot: unknown = JSON.parse(JSON.stringify(manager.snapshot()));
    expect(thoughts(ContextManager.restore(snapshot, options))).toEqual(['because one']);
  });

  test('of a message that was shortened long ago survives a restore', async () => {
    const options = { config: { historySize: 1, minMessagesToKeep: 1 } } as const;
    const thought = { type: 'reasoning', text: 'hm' } as const;
    const long = assistant([thought, { type: 'text', text: words(9_900) }], { id: 'long' });
    const manager = managerOf([user('why?'), long, user('and now?')], options);
    for (let round = 0; round < 12; round += 1) {
      const shorter = replace('long', words(9_000 - 600 * round), 1);
      await manager.compress({ strategy: planning(shorter), targetTokens: 0 });
    }
    const snapshot = JSON.parse(JSON.stringify(manager.snapshot()));
    expect(snapshot.base.records.length).toBeGreaterThan(0);
    expect(ContextManager.restore(snapshot, options).view()).toEqual(manager.view());
  });

  test('that is not sent is not counted', async () => {
    const manager = talk('bound');
    const before = manager.stats().countedTokens;
    await manager.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(before - manager.stats().countedTokens).toBe(3 + 2);
    expect(manager.history[0]?.tokensAfter).toBe(manager.stats().countedTokens);
  });

  test('is never touched if the model accepts it after any prefix, and never sent if it is dropped', async () => {
    const kept = talk('kept');
    await kept.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(thoughts(kept)).toEqual(['because one', 'because two']);
    expect(thoughts(talk('dropped'))).toEqual([]);
  });

  test('of a message that says nothing else takes the message along', async () => {
    const thought = assistant([{ type: 'reasoning', text: 'hm' }]);
    const said = [user('an old question', { id: 'old' }), thought, user('and now?')];
    const manager = managerOf(said, { config: { reasoning: 'bound' } });
    await manager.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(manager.view()).toEqual([user('and now?')]);
  });

  test('goes when tools or the system prompt change, and returns with them', () => {
    const manager = talk('bound');
    manager.setTools(['run']);
    expect(thoughts(manager)).toEqual([]);
    manager.setTools(undefined);
    expect(thoughts(manager)).toEqual(['because one', 'because two']);
    manager.append(system('be brief'));
    expect(thoughts(manager)).toEqual([]);
  });
});

test('epochs are announced with their reasons', async () => {
  const manager = managerOf([user('one', { id: 'one' })]);
  const epochs: ContextEvents['epoch-start'][] = [];
  manager.on('epoch-start', (epoch) => epochs.push(epoch));
  manager.append({ role: 'assistant', content: 'two' });
  manager.append(user('three', { id: 'three' }));
  expect(epochs).toEqual([]);
  await manager.compress({ strategy: planning(drop('one')), targetTokens: 0 });
  manager.undo('compression-1');
  manager.setTools(['run']);
  manager.setTools(['run']);
  manager.append(system('be brief'));
  manager.append(user('so far: nothing', { summary: true }));
  manager.rewindTo('three');
  expect(epochs.map(({ reason, record }) => [reason, record])).toEqual([
    ['record', 'compression-1'],
    ['undo', 'compression-1'],
    ['tools', undefined],
    ['system', undefined],
    ['summary', undefined],
    ['rewind', undefined],
  ]);
  expect(epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(manager.epoch).toBe(6);
});
