import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  managerOf,
  result,
  system,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import {
  ContextManager,
  CtxError,
  createContainer,
  type Message,
  registerNativeForm,
} from '../../src/index.js';
import { drop, planner } from '../edits.js';

const drops = planner('drops', ({ view, minMessagesToKeep }) => {
  const old = view.slice(0, -minMessagesToKeep).filter(({ pinned }) => !pinned);
  return [drop(...old.map(({ id }) => id))];
});

const history = deepFreeze([
  system('Be brief.'),
  user('find the bug'),
  call('1', 'read', { path: 'a.ts' }),
  result('1', words(50)),
  assistant('found it'),
  user('then fix it'),
]);
const said = (manager: { readonly transcript: readonly { readonly message: Message }[] }) =>
  manager.transcript.map(({ message }) => message);

/** What a message says, without flags such as `pinned`. */
const plain = ({ role, content }: Message) => ({ role, content });
const copyOf = (messages: readonly Message[]): Message[] => structuredClone([...messages]);

test('appends new messages, and nothing if the same history comes again', () => {
  const manager = managerOf(history.slice(0, 4));
  expect(manager.sync(copyOf(history)).added.map(({ message }) => message)).toEqual(history.slice(4));
  expect(manager.sync(copyOf(history))).toEqual({
    entries: manager.transcript,
    added: [],
    removed: [],
    undone: [],
  });
  expect(said(manager)).toEqual(history);
});

test('keeps its own objects, whatever other fields the same message brings', () => {
  const manager = managerOf(history);
  const again = copyOf(history).map((message) => ({
    ...message,
    id: undefined,
    native: { cache: true },
    createdAt: 5,
  }));
  manager.sync(again);
  said(manager).forEach((message, index) => {
    expect(message).toBe(history[index]);
  });
  expect(manager.sync([...history.slice(0, -1), assistant('then fix it')]).removed).toHaveLength(1);
});

test('undoes the records made since, and no others', async () => {
  const manager = managerOf(history, { strategies: [drops], minMessagesToKeep: 1 });
  await manager.compress({ targetTokens: 0 });
  manager.sync([...history, assistant('done'), user('thanks')]);
  await manager.compress({ targetTokens: 0 });
  const [first, second] = manager.history;
  expect(manager.sync(history).undone).toEqual([second?.id]);
  expect(manager.history).toEqual([first]);
  expect(manager.view()).toEqual([system('Be brief.'), user('then fix it')]);
});

test('a system prompt may change in its place, and compressed messages stay compressed', async () => {
  const manager = managerOf(history, { strategies: [drops], minMessagesToKeep: 1 });
  await manager.compress({ targetTokens: 0 });
  const { epoch } = manager;
  const changed = [system('Be brief. Today is Monday.'), ...history.slice(1), assistant('done')];
  expect(manager.sync(changed)).toMatchObject({ removed: [], undone: [] });
  expect(manager.view()).toEqual([changed[0], user('then fix it'), assistant('done')]);
  expect(manager.epoch).toBeGreaterThan(epoch);
  expect(manager.stats().currentTokens).toBe(
    managerOf([changed[0] as Message, user('then fix it'), assistant('done')]).stats().currentTokens,
  );
});

test('a call that the agent never answered stays closed', () => {
  const open = [user('go'), call('1', 'read', {}), user('stop')];
  const manager = managerOf([]);
  manager.sync(open);
  const length = manager.transcript.length;
  expect(length).toBe(4);
  manager.sync([...open, assistant('stopped')]);
  expect(manager.transcript).toHaveLength(length + 1);
});

test('an answer that comes late takes the place of what closed its call', () => {
  const [go, asked, stop] = [user('go'), call('1', 'read', {}), user('stop')];
  const manager = managerOf([]);
  manager.sync([go, asked, stop]);
  const late = [go, asked, result('1', 'here it is'), stop];
  manager.sync(late);
  expect(said(manager)).toEqual(late);
});

test('after any series of histories, the transcript is the newest one, as if it had come alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(arbitraryTranscript, fc.nat({ max: 12 })), { minLength: 1, maxLength: 5 }),
      async (rounds) => {
        const manager = managerOf([], { strategies: [drops], minMessagesToKeep: 1 });
        let before: readonly Message[] = [];
        for (const [messages, kept] of rounds) {
          const start = before.slice(0, kept);
          const alone = managerOf([]);
          try {
            for (const message of [...start, ...messages]) alone.append(message);
          } catch {
            continue;
          }
          before = [...start, ...messages];
          manager.sync(deepFreeze(copyOf(before)));
          expect(said(manager).map(plain)).toEqual(said(alone).map(plain));
          await manager.compress({ targetTokens: 0 });
          const view = manager.view();
          manager.sync(copyOf(before));
          expect(manager.view()).toEqual(view);
        }
      },
    ),
    { numRuns: 50 },
  );
});

describe('a history that is refused changes nothing', () => {
  test.each<[string, readonly unknown[], string, string]>([
    ['a malformed message', [user('new'), { role: 'user' }], 'message-invalid', 'messages[3].content'],
    ['a known id', [user('new'), { ...user('x'), id: 'first' }], 'message-id-duplicate', 'messages[3].id'],
    ['a reserved id', [user('new'), { ...user('x'), id: 'ctx:1' }], 'message-id-reserved', 'messages[3].id'],
    [
      'a result without its call',
      [user('new'), result('none', 'x')],
      'tool-result-without-call',
      'messages[3].content[0].toolCallId',
    ],
    ['nothing', [user('new'), undefined], 'message-invalid', 'messages[3]'],
  ])('%s', (_, added, code, place) => {
    const manager = managerOf([{ ...user('one'), id: 'first' }, assistant('two'), user('three')]);
    const before = [...manager.transcript];
    const sync = () =>
      manager.sync([...before.slice(0, 2).map(({ message }) => message), ...added] as Message[]);
    expect(sync).toThrow(expect.objectContaining({ code, place }));
    expect(manager.transcript).toEqual(before);
  });

  test('a message in the form of a provider', () => {
    const container = createContainer();
    registerNativeForm(container, {
      name: 'a provider',
      is: (message) => 'provider' in message,
      remedy: 'Use its codec.',
    });
    const manager = new ContextManager({ container });
    manager.append(user('one'));
    const history = [user('one'), assistant('two'), { ...user('three'), provider: 1 }] as Message[];
    expect(() => manager.sync(history)).toThrow(/the form of a provider/);
    expect(manager.transcript).toHaveLength(1);
  });

  test('a system prompt that is malformed', () => {
    const manager = managerOf([system('Be brief.'), user('one')]);
    expect(() => manager.sync([{ role: 'system', content: 7 } as never, user('one')])).toThrow(CtxError);
    expect(manager.view()[0]).toEqual(system('Be brief.'));
  });
});
