import { ContextManager, defineStrategy, finish, type Message, MessageCounter, View } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { assistant, system, user, wordCounter } from '@ctx/testing';
import { RequestPresenter } from '../../src/view/presenter.js';
import type { ViewEntry } from '../../src/view/view-entry.js';

const counter = new MessageCounter(wordCounter, { message: 0, conversation: 0 });
const count = (message: Message) => counter.message(message);
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
  const transcript = new Transcript();
  const view = new View();
  for (const message of messages) for (const added of transcript.append(message)) view.append(added, count);
  const rules = { marker: false, leadingUser: false, reasoning };
  const presenter = new RequestPresenter(transcript, rules, count);
  return { presenter, entries: view.entries, prefixOf: prefixIn(presenter) };
}

const prefixIn = (presenter: RequestPresenter) => (entries: readonly ViewEntry[]) =>
  finish(presenter.present(entries, nothing)).prefix;
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

  test('differs for another message, another order, and one message fewer', () => {
    const [first, one, two] = entries as [ViewEntry, ViewEntry, ViewEntry];
    const known = [entries, [first, two, one], [first, one], [first, one, { ...two, id: 'other' }]];
    expect(new Set(known.map(prefixOf)).size).toBe(4);
  });

  test('differs for a message that an edit replaced, and again after its next edit', () => {
    const [first, one, two] = entries as [ViewEntry, ViewEntry, ViewEntry];
    const edited = ['r.0', 'r.1'].map((version) => [first, { ...one, version }, two]);
    expect(new Set([entries, ...edited].map(prefixOf)).size).toBe(3);
  });

  test('differs if reasoning was removed', () => {
    const [bound, kept] = (['bound', 'kept'] as const).map((reasoning) =>
      presented(reasoning, user('go'), thinking('a', 'done')),
    );
    expect(bound?.prefixOf(bound.entries)).not.toBe(kept?.prefixOf(kept.entries));
  });

  test('differs with a marker in it', () => {
    const held = presented('bound', user('one', { id: 'one' }), user('two'), user('three'));
    const rules = { marker: true, leadingUser: false };
    const presenter = new RequestPresenter(held.presenter.transcript, rules, count);
    const rest = held.entries.slice(1);
    const marked = finish(presenter.present(rest, { count: 1, first: 0 }));
    expect(marked.marker).toMatchObject({ position: 0 });
    expect(marked.prefix).not.toBe(held.prefixOf(rest));
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

  test('is set only once', () => {
    const { presenter } = presented('bound');
    presenter.remember('a', thinking('a', 'done'), 7);
    presenter.remember('a', thinking('a', 'done'), 8);
    expect(presenter.prefixes.get('a')).toBe(7);
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

  test('is removed with the same resulting object each time', () => {
    const { presenter, entries } = presented('dropped', thinking('a', 'done'));
    expect(sentBy(presenter, entries)[0]).toBe(sentBy(presenter, entries)[0]);
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
    const drops = defineStrategy({
      name: 'drops',
      emits: ['drop'],
      plan: ({ view }) => ({ edits: [{ type: 'drop', messages: [view[1]?.id ?? ''], reason: 'old' }] }),
    });
    for (const isPinnedById of [true, false]) {
      const manager = new ContextManager({
        counter: wordCounter,
        config: { reasoning: 'bound', minMessagesToKeep: 1, overhead: { message: 0, conversation: 0 } },
      });
      for (const message of [user('old words'), assistant('yes'), user('go')]) manager.append(message);
      manager.request();
      manager.append(isPinnedById ? thinking('a') : pinned);
      if (isPinnedById) manager.pin('a');
      manager.append(user('on'));
      const { record } = await manager.compress({ strategy: drops, targetTokens: 1 });
      expect(record?.edits).toHaveLength(1);
      expect(manager.view().map(({ content }) => content)).toContainEqual([
        { type: 'text', text: 'let me see' },
      ]);
      manager.undo(record?.id ?? '');
      expect(manager.view()).toContainEqual(expect.objectContaining({ content: pinned.content }));
    }
  });

  test('cannot be pinned while it is not shown', () => {
    const manager = new ContextManager({ counter: wordCounter, config: { reasoning: 'dropped' } });
    for (const message of [user('go'), thinking('a'), user('on')]) manager.append(message);
    expect(() => manager.pin('a')).toThrow(expect.objectContaining({ code: 'message-not-in-view' }));
  });
});
