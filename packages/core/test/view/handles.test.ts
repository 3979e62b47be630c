import { ContextManager, createContainer, summarizerToken } from '@ctx/core';
import { withoutHandle } from '@ctx/core/kit';
import { assistant, call, result, transcript, user, wordCounter, words } from '@ctx/testing';
import { drop, planning, replace } from '../edits.js';
import { idleArchive } from '../idle-archive.js';

const said = transcript(
  user('What does it do?'),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', words(60, 'line')),
  assistant(words(40, 'thought')),
  user('Go on.'),
  assistant('Yes.'),
  user('And now?'),
);

function managerOf(options: object = {}, config: object = {}) {
  const manager = new ContextManager({
    counter: wordCounter,
    ...options,
    config: { contextWindow: 1_000, minMessagesToKeep: 1, ...config },
  });
  for (const message of said) manager.append(message);
  return manager;
}

async function shortened(text: string, options: object, message = 'm3') {
  const manager = managerOf(options);
  const { record } = await manager.compress({ strategy: planning(replace(message, text)), targetTokens: 1 });
  const [edit] = record?.edits ?? [];
  return edit !== undefined && 'text' in edit ? edit.text : undefined;
}

describe('with an archive', () => {
  test('a part that was shortened names its handle, once', async () => {
    expect(await shortened('[cleared]', { archive: idleArchive })).toBe('[cleared] #m3');
    expect(await shortened('first line\n[… left out …]', { archive: idleArchive })).toBe(
      'first line\n[… left out …]\n[#m3]',
    );
    expect(await shortened('plain', { archive: idleArchive }, 'm4')).toBe('plain\n[#m4]');
    expect(await shortened('[see #m3]', { archive: idleArchive })).toBe('[see #m3]');
    expect(await shortened('[see #m31]', { archive: idleArchive })).toBe('[see #m31] #m3');
    expect(await shortened('{"a":1}', { archive: idleArchive })).toBe('{"a":1}');
  });

  test('no part stays as it was because of the handle', async () => {
    // The handle is a word of its own, and the counter counts words.
    expect(await shortened(words(59, 'shorter'), { archive: idleArchive })).toBe(words(59, 'shorter'));
  });

  test('the record holds the handle, so that a snapshot and a second compression show the same', async () => {
    const manager = managerOf({ archive: idleArchive });
    await manager.compress({ strategy: planning(replace('m3', '[cleared]')), targetTokens: 1 });
    await manager.compress({ strategy: planning(drop('m4')), targetTokens: 1 });
    const [part] = manager.view()[2]?.content ?? [];
    expect(part).toMatchObject({ output: '[cleared] #m3' });
  });

  test('a summary names what it stands for, unless it names handles of its own', async () => {
    const summary = async (options: object, text: string) => {
      const container = createContainer();
      container.register(summarizerToken, { useValue: { summarize: async () => ({ text }) } });
      const manager = managerOf({ ...options, container });
      const messages = ['m2', 'm3', 'm4'];
      const edit = { type: 'summarize', messages, maxTokens: 20, reason: 'old' } as const;
      await manager.compress({ strategy: planning(edit), targetTokens: 1 });
      return manager.view()[1]?.content;
    };
    expect(await summary({ archive: idleArchive }, 'It reads a file.')).toBe('It reads a file.\n[#m2-#m4]');
    expect(await summary({ archive: idleArchive }, 'It reads a file #m3.')).toBe('It reads a file #m3.');
    expect(await summary({}, 'It reads a file.')).toBe('It reads a file.');
  });

  test('the marker names what was dropped', async () => {
    const marker = async (options: object, text: boolean | string) => {
      const manager = managerOf(options, { marker: text });
      await manager.compress({ strategy: planning(drop('m2', 'm3', 'm4', 'm5')), targetTokens: 1 });
      return manager.view()[1]?.content;
    };
    expect(await marker({ archive: idleArchive }, true)).toBe(
      '[4 earlier messages were left out to save context: #m2-#m5]',
    );
    expect(await marker({ archive: idleArchive }, '({count} gone: {handles})')).toBe('(4 gone: #m2-#m5)');
    expect(await marker({}, true)).toBe('[4 earlier messages were left out to save context]');
  });
});

test('a handle is taken off where it was put on', () => {
  expect(withoutHandle('[cleared] #m3')).toBe('[cleared]');
  expect(withoutHandle('a\nb\n[#m3]')).toBe('a\nb');
  expect(withoutHandle('see #m3 there')).toBe('see #m3 there');
});
