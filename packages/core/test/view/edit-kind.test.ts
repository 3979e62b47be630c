import {
  ConfigError,
  type CustomEdit,
  createContainer,
  type EditKind,
  fewerTokens,
  type Message,
  registerEditKind,
} from '@ctx/core';
import { about } from '@ctx/core/kit';
import { assistant, managerOf, user, words } from '@ctx/testing';
import { planning } from '../edits.js';
import { restored } from '../restored.js';

/** An edit type unknown to core: it cuts a message to its first words. */
interface HeadEdit extends CustomEdit {
  readonly type: 'head';
  readonly message: string;
  readonly words: number;
}

const head: EditKind<HeadEdit> = {
  form({ message, words: number }, reason) {
    if (typeof message !== 'string' || typeof number !== 'number') return undefined;
    return { type: 'head', message, words: number, reason };
  },
  targets: ({ message }) => [message],
  keepsPlace: true,
  result: (edit, target) => target && ({ ...target.message, content: words(edit.words) } as Message),
  checks: {
    'content-not-empty': ({ edit, targets: [target] }) =>
      edit.words > 0 ? undefined : about(target, 'would say nothing'),
    'fewer-tokens': fewerTokens,
  },
  apply(draft, { targets: [target], message }, version) {
    if (target !== undefined && message !== undefined) draft.replace(target, message, version);
  },
};

const config = { contextWindow: 1_000 };
const heads = (...edits: readonly object[]) =>
  planning(...edits.map((edit) => ({ type: 'head', reason: 'old', ...edit })));

function made(...edits: readonly object[]) {
  const container = createContainer();
  registerEditKind(container, 'head', head);
  const strategy = heads(...edits);
  const options = { container, strategies: [strategy], config };
  const manager = managerOf([user(words(20)), assistant(words(30)), user('now?')], options);
  return { manager, options };
}

test('a type of edit from outside core is applied, undone and restored like those of core', async () => {
  const { manager, options } = made({ message: 'm1', words: 2 });
  const { record } = await manager.compress({ targetTokens: 0 });
  expect(record?.edits).toEqual([{ type: 'head', message: 'm1', words: 2, reason: 'old' }]);
  const [first] = manager.view();
  expect(first?.content).toBe(words(2));
  const other = restored(manager, options);
  expect(other.view()).toEqual(manager.view());
  other.undo('compression-1');
  expect(other.view()[0]?.content).toBe(words(20));
});

test('the gate applies its own checks and those for protected messages', async () => {
  const { manager } = made(
    { message: 'm2', words: 0 },
    { message: 'm2', words: 99 },
    { message: 'm3', words: 1 },
    { message: 'm2' },
    { message: 'm2', words: 3 },
  );
  const { record } = await manager.compress({ targetTokens: 0 });
  expect(record?.rejected.map(({ invariant }) => invariant)).toEqual([
    'targets-exist',
    'content-not-empty',
    'fewer-tokens',
    'newest-user-stays',
  ]);
  expect(manager.view()[1]?.content).toBe(words(3));
});

test('a snapshot with it is refused where the type is unknown', async () => {
  const { manager } = made({ message: 'm1', words: 2 });
  await manager.compress({ targetTokens: 0 });
  expect(() => restored(manager, { config })).toThrow('has an unknown type');
});

test('a type that core already has is refused', () => {
  expect(() => registerEditKind(createContainer(), 'drop', head as never)).toThrow(ConfigError);
});

test('an edit of a kind of yours is held as a snapshot would hold it, and refused if it has no JSON', async () => {
  const container = createContainer();
  const careless = {
    ...head,
    form: ({ message }: { message?: unknown }, reason: string) =>
      ({
        type: 'head',
        message,
        words: 1,
        reason,
        ...(message === 'm1' && { size: 10n }),
        at: new Date(0),
      }) as never,
  };
  registerEditKind(container, 'head', careless);
  const strategy = heads({ message: 'm1' }, { message: 'm2' });
  const messages = [user('hi'), assistant(words(30)), assistant(words(30)), user('now?')];
  const manager = managerOf(messages, { container, config });
  const { record } = await manager.compress({ strategy, targetTokens: 0 });
  expect(record).toMatchObject({
    edits: [{ message: 'm2', at: '1970-01-01T00:00:00.000Z' }],
    rejected: [{ edit: { message: 'm1' } }],
  });
  expect(() => JSON.stringify(manager.snapshot())).not.toThrow();
});
