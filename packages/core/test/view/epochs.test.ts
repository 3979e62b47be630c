import { assistant, managerOf, system, user, words } from '@ctx/testing';
import { type ContextManager, partsOf } from '../../src/index.js';
import { drop, planning, replace } from '../edits.js';
import { heard } from '../heard.js';
import { restored } from '../restored.js';

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
    expect(thoughts(restored(manager, options))).toEqual(['because one']);
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
    expect(manager.snapshot().base?.records).not.toEqual([]);
    expect(restored(manager, options).view()).toEqual(manager.view());
  });

  test('is never touched if the model accepts it after any prefix, and never sent if it is dropped', async () => {
    const kept = talk('kept');
    await kept.compress({ strategy: dropFirst, targetTokens: 0 });
    expect(thoughts(kept)).toEqual(['because one', 'because two']);
    expect(thoughts(talk('dropped'))).toEqual([]);
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
  const epochs = heard(manager, 'epoch-start', (epoch) => epoch);
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
