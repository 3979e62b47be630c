import { finish, type Message } from '@ctx/core';
import { assistant, managerOf, system, user } from '@ctx/testing';
import { RequestPresenter } from '../../src/view/presenter.js';
import type { ViewEntry } from '../../src/view/view-entry.js';
import { drop, planning } from '../edits.js';
import { held } from '../held.js';

const nothing = { count: 0, first: undefined };

const thinking = (id: string, ...said: string[]) =>
  assistant(
    [{ type: 'reasoning', text: 'let me see' }, ...said.map((text) => ({ type: 'text' as const, text }))],
    {
      id,
    },
  );

/** Entries of a view, with a presenter for them. */
function presented(reasoning: 'bound' | 'kept' | 'dropped' | undefined, ...messages: Message[]) {
  const { transcript, view, count } = held(messages);
  const rules = { marker: false, leadingUser: false, reasoning };
  const presenter = new RequestPresenter(transcript, rules, count);
  const prefixOf = (entries: readonly ViewEntry[]) => finish(presenter.present(entries, nothing)).prefix;
  return { presenter, entries: view.entries, prefixOf };
}
const sentBy = (presenter: RequestPresenter, entries: readonly ViewEntry[]) =>
  finish(presenter.present(entries, nothing)).entries.map(({ sent }) => sent);

describe('the prefix', () => {
  const { entries, prefixOf, presenter } = presented('bound', system('be kind'), user('one'), user('two'));

  test('is the same whether a request is built at once or message by message', () => {
    let prefix = 0;
    for (const entry of entries) prefix = presenter.next(entry, prefix).prefix;
    expect(prefix).toBe(prefixOf(entries));
  });

  test('differs for another system prompt', () => {
    const [first, ...rest] = entries as [ViewEntry, ...ViewEntry[]];
    expect(prefixOf([{ ...first, id: 'other' }, ...rest])).not.toBe(prefixOf(entries));
  });
});

describe('the prefix a message was said under', () => {
  const remembered = (reasoning: 'bound' | 'kept' | 'dropped', message: Message) => {
    const { presenter } = presented(reasoning);
    presenter.remember('a', message, 7);
    return [...presenter.prefixes];
  };

  test('is remembered only for bound reasoning', () => {
    expect(remembered('bound', thinking('a', 'done'))).toEqual([['a', 7]]);
    expect(remembered('kept', thinking('a', 'done'))).toEqual([]);
    expect(remembered('dropped', thinking('a', 'done'))).toEqual([]);
    expect(remembered('bound', assistant('done'))).toEqual([]);
    expect(remembered('bound', assistant([{ type: 'text', text: 'done' }]))).toEqual([]);
  });

  test('is that of the tools if nothing stands before the message', () => {
    const message = thinking('a', 'done');
    const { presenter, entries } = presented('bound', message);
    presenter.setTools('read');
    presenter.remember('a', message, 0);
    expect(sentBy(presenter, entries)).toEqual([message]);
    presenter.setTools('read, write');
    expect(sentBy(presenter, entries)).toEqual([assistant([{ type: 'text', text: 'done' }], { id: 'a' })]);
  });
});

describe('reasoning', () => {
  test('of an edited message is not sent, although its prefix is the same', () => {
    const message = thinking('a', 'done');
    const { presenter, entries } = presented('bound', message);
    presenter.remember('a', message, 0);
    const edited = entries.map((entry) => ({ ...entry, version: 'r.0' }));
    expect(sentBy(presenter, entries)).toEqual([message]);
    expect(sentBy(presenter, edited)).toEqual([assistant([{ type: 'text', text: 'done' }], { id: 'a' })]);
  });

  test('can be dropped without anything else', () => {
    const messages = [user('go'), assistant('a text'), assistant([{ type: 'text', text: 'a part' }])];
    const { presenter, entries } = presented('dropped', ...messages);
    const shown = finish(presenter.present(entries, nothing)).entries;
    for (const [at, entry] of shown.entries()) expect(entry).toBe(entries[at]);
  });

  test('can be dropped from a message that says more, which is then counted without it', () => {
    const { presenter, entries } = presented('dropped', thinking('a', 'all done'));
    expect(finish(presenter.present(entries, nothing)).entries).toMatchObject([
      { sent: { content: [{ type: 'text', text: 'all done' }] }, tokens: 2 },
    ]);
  });

  test('of a message that otherwise holds only blanks takes the message along at no cost', () => {
    const { presenter, entries } = presented('dropped', thinking('a', ' \n'));
    const [shown] = finish(presenter.present(entries, nothing)).entries;
    expect(shown).toMatchObject({ sent: undefined, tokens: 0, toolCalls: 0, estimated: false });
  });
});

describe('a pinned message that holds only a thought', () => {
  const pinned = { ...thinking('a'), pinned: true } as Message;

  test('is said as text where its reasoning may not be sent', () => {
    const { entries, presenter } = presented('bound', user('go'), pinned, user('on'));
    expect(sentBy(presenter, entries)[1]).toMatchObject({ content: [{ type: 'text', text: 'let me see' }] });
    expect(sentBy(presenter, entries)[1]).toBe(sentBy(presenter, entries)[1]);
    const free = presented('bound', user('go'), thinking('a'), user('on'));
    expect(sentBy(free.presenter, free.entries)[1]).toBeUndefined();
  });

  test('stays through a compression, however it was pinned', async () => {
    for (const isPinnedById of [true, false]) {
      const manager = managerOf([user('old words'), assistant('yes'), user('go')], {
        config: { reasoning: 'bound' },
      });
      manager.request();
      manager.append(isPinnedById ? thinking('a') : pinned);
      if (isPinnedById) manager.pin('a');
      manager.append(user('on'));
      const { record } = await manager.compress({ strategy: planning(drop('m2')), targetTokens: 1 });
      expect(record?.edits).toHaveLength(1);
      expect(manager.view().map(({ content }) => content)).toContainEqual([
        { type: 'text', text: 'let me see' },
      ]);
      manager.undo(record?.id ?? '');
      expect(manager.view()).toContainEqual(expect.objectContaining({ content: pinned.content }));
    }
  });

  test('cannot be pinned while it is not shown', () => {
    const manager = managerOf([user('go'), thinking('a'), user('on')], { config: { reasoning: 'dropped' } });
    expect(() => manager.pin('a')).toThrow(expect.objectContaining({ code: 'message-not-in-view' }));
  });
});
