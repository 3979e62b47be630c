import { memoryArchive } from '@ctx/archive';
import { type Archive, ContextManager, type ManagerOptions } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import { assistant, call, result, system, transcript, user, wordCounter } from '@ctx/testing';

const said = transcript(
  system('You help with a parser.'),
  user('Why does the lexer fail?'),
  call('c1', 'read', { path: 'src/lexer.ts' }),
  result('c1', 'export const lexer = zebra;\nexport const depth = 7;'),
  assistant('The lexer knows no giraffe.'),
  user('Go on.'),
  assistant('I have gone on.'),
  user('And now?'),
);

const overhead = { message: 0, conversation: 0 };

function managerWith(archive: Archive | undefined, options: ManagerOptions = {}) {
  const manager = new ContextManager({
    counter: wordCounter,
    archive,
    ...options,
    config: { contextWindow: 1_000, overhead, minMessagesToKeep: 1, ...options.config },
  });
  for (const message of said) manager.append(message);
  return manager;
}

const dropping = (...messages: string[]) => ({
  name: 'dropping',
  emits: ['drop'],
  plan: () => ({ edits: [{ type: 'drop' as const, messages, reason: 'old' }] }),
});

const textsOf = (passages: readonly { readonly text: string }[]) => passages.map(({ text }) => text);

describe('a manager with an archive', () => {
  test('finds what left the view, and only that', async () => {
    const manager = managerWith(memoryArchive());
    expect(await manager.find('zebra')).toEqual([]);
    await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    const [found] = await manager.find('zebra');
    expect(found).toMatchObject({ message: 4, kind: 'result', path: 'src/lexer.ts' });
    expect(found?.heading).toContain('read src/lexer.ts');
    expect(await manager.find('giraffe')).toEqual([]);
    expect(await manager.archived()).toBe(true);
  });

  test('finds numbers as they were read', async () => {
    const output = parseJson('{"zebra":1234567890123456789,"share":1.0}');
    const manager = managerWith(memoryArchive());
    manager.append(call('c2', 'find', output));
    manager.append(result('c2', { type: 'json', value: output }));
    manager.append(assistant('Found it.'));
    manager.append(user('Thanks.'));
    await manager.compress({ strategy: dropping('m9', 'm10'), targetTokens: 1 });
    const texts = textsOf(await manager.find('zebra', { within: '#m10' })).join();
    expect(texts).toContain('1234567890123456789');
    expect(texts).toContain('1.0');
  });

  test('does not find what an excerpt in the view shows whole, except by its handle', async () => {
    const manager = managerWith(memoryArchive());
    const merging = {
      name: 'merging',
      emits: ['merge'],
      plan: () => ({
        edits: [
          {
            type: 'merge' as const,
            messages: ['m3', 'm4'],
            text: 'From src/lexer.ts:\n  export const lexer = zebra;\nexport const depth = 7;',
            placement: 'first' as const,
            reason: 'old',
          },
        ],
      }),
    };
    await manager.compress({ strategy: merging, targetTokens: 1 });
    expect(await manager.find('zebra')).toEqual([]);
    expect(textsOf(await manager.find('zebra', { within: '#m4' }))).toHaveLength(1);
    expect(textsOf(await manager.read('#m4'))).toHaveLength(1);
  });

  test('reads a handle whether its message is in the view, has left it, or is not archived yet', async () => {
    const archive = memoryArchive();
    const manager = managerWith(archive);
    expect(textsOf(await manager.read('#m2'))).toEqual(['Why does the lexer fail?']);
    await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    expect(textsOf(await manager.read('#m4:2'))).toEqual(['export const depth = 7;']);
    expect(textsOf(await manager.read('#m5-#m6'))).toEqual(['The lexer knows no giraffe.', 'Go on.']);
    await archive.close();
    expect(textsOf(await manager.read('#m4:2'))).toEqual(['export const depth = 7;']);
    await expect(manager.read('#m9')).rejects.toMatchObject({ code: 'archive-ref-unknown' });
    await expect(manager.read('m4')).rejects.toMatchObject({ code: 'archive-ref-invalid' });
  });

  test('does not find what is shown again after an undo, except by its handle', async () => {
    const manager = managerWith(memoryArchive());
    const { record } = await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    await manager.archived();
    manager.undo(String(record?.id));
    expect(await manager.archived()).toBe(true);
    expect(await manager.find('zebra src/lexer.ts')).toEqual([]);
    expect(textsOf(await manager.find('zebra', { within: '#m4' }))).toHaveLength(1);
  });

  test('archives everything before what left the view, and does not find what is still shown', async () => {
    const archive = memoryArchive({ redact: (text) => text.replaceAll('lexer', '[secret]') });
    const manager = managerWith(archive);
    await manager.compress({ strategy: dropping('m5', 'm6'), targetTokens: 1 });
    expect(await manager.archived()).toBe(true);
    expect(await archive.search('zebra', { conversation: 'conversation' })).toHaveLength(1);
    expect(await manager.find('zebra read src depth fail path')).toEqual([]);
    expect(textsOf(await manager.find('giraffe'))).toEqual(['The [secret] knows no giraffe.']);
    const system = await archive.search('help parser', { conversation: 'conversation' });
    expect(system.filter(({ kind }) => kind === 'system')).toEqual([]);
  });

  test('keeps the original of a part that was shortened', async () => {
    const manager = managerWith(memoryArchive());
    const shortening = {
      name: 'shortening',
      emits: ['replace'],
      plan: () => ({
        edits: [{ type: 'replace' as const, message: 'm4', part: 0, text: 'x', reason: 'old' }],
      }),
    };
    await manager.compress({ strategy: shortening, targetTokens: 1 });
    expect((await manager.find('zebra')).map(({ ref }) => ref)).toEqual(['#m4:1-2']);
  });

  test('forgets what a rewind removes, so that its numbers can be used again', async () => {
    const manager = managerWith(memoryArchive());
    await manager.compress({ strategy: dropping('m3', 'm4', 'm5', 'm6'), targetTokens: 1 });
    await manager.archived();
    manager.rewindTo('m2');
    manager.append(assistant('Something else: okapi.'));
    for (const text of ['more', 'still more', 'And then?']) {
      manager.append(user(text));
      manager.append(assistant('Yes.'));
    }
    manager.append(user('Well?'));
    const other = manager.transcript[2]?.id as string;
    await manager.compress({ strategy: dropping(other), targetTokens: 1 });
    expect(await manager.archived()).toBe(true);
    expect(manager.warnings.filter((one) => one.includes('archive'))).toEqual([]);
    expect(textsOf(await manager.find('zebra okapi'))).toEqual(['Something else: okapi.']);
  });

  test('goes on from a snapshot, which says what is archived', async () => {
    const archive = memoryArchive();
    const manager = managerWith(archive, { conversation: 'one' });
    await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    await manager.archived();
    const snapshot = JSON.parse(JSON.stringify(manager.snapshot()));
    const copy = ContextManager.restore(snapshot, { archive, counter: wordCounter });
    expect(textsOf(await copy.find('zebra'))).toHaveLength(1);
    const fork = ContextManager.restore(snapshot, { archive, counter: wordCounter, conversation: 'two' });
    expect(await fork.archived()).toBe(true);
    expect(await archive.search('zebra', { conversation: 'two' })).toHaveLength(1);
  });

  test('says so if another conversation is archived under the same id, and does not find it', async () => {
    const archive = memoryArchive();
    const one = managerWith(archive);
    await one.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    expect(await one.archived()).toBe(true);
    const other = managerWith(archive);
    other.rewindTo('m2');
    const later = [call('c1', 'read', {}), result('c1', 'an okapi'), assistant('So.'), user('?')];
    for (const message of transcript(...later)) other.append(message);
    const failed: unknown[] = [];
    other.on('archive-fail', ({ error }) => failed.push(error));
    expect(await other.find('zebra')).toEqual([]);
    const ids = other.transcript.map(({ id }) => id);
    await other.compress({ strategy: dropping(ids[2] as string, ids[3] as string), targetTokens: 1 });
    expect(await other.archived()).toBe(false);
    expect(failed).not.toEqual([]);
    for (const error of failed) expect(error).toMatchObject({ code: 'archive-conflict' });
    expect(other.warnings.filter((text) => text.includes('#m'))).toHaveLength(1);
    expect(await other.find('zebra')).toEqual([]);
    expect(textsOf(await other.read('#m4'))).toEqual(['an okapi']);
    expect(await one.find('zebra')).toHaveLength(1);
  });

  test('does not archive again what a recall gave back, and lets it leave first', async () => {
    const archive = memoryArchive();
    const manager = managerWith(archive, { config: { recallTool: 'recall' } });
    await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    for (const message of transcript(
      call('r1', 'recall', { ref: '#m4' }),
      result('r1', '#m4 zebra zebra zebra'),
      assistant('There is a zebra.'),
      user('Good.'),
    ))
      manager.append(message);
    await manager.compress({ strategy: dropping('m7'), targetTokens: 1 });
    expect(manager.view().some(({ role }) => role === 'tool')).toBe(false);
    expect((await manager.find('zebra')).map(({ message }) => message)).toEqual([4]);
    expect(await manager.archived()).toBe(true);
  });

  test('goes on without the archive if it throws, and tries again at the next record', async () => {
    const whole = memoryArchive();
    let isGone = true;
    const archive: Archive = Object.assign(Object.create(whole), {
      keep: (...given: Parameters<Archive['keep']>) => {
        if (isGone) throw new Error('The disk is full');
        return whole.keep(...given);
      },
      get: whole.get.bind(whole),
      search: whole.search.bind(whole),
      forget: whole.forget.bind(whole),
    });
    const manager = managerWith(archive);
    const failed: unknown[] = [];
    manager.on('archive-fail', ({ error }) => failed.push(error));
    const { status } = await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    expect(status).toBe('insufficient');
    expect(await manager.archived()).toBe(false);
    expect(String(failed[0])).toContain('The disk is full');
    expect(manager.warnings.filter((one) => one.includes('The disk is full'))).toHaveLength(1);
    expect(await manager.find('zebra')).toEqual([]);
    expect(textsOf(await manager.read('#m4:1'))).toEqual(['export const lexer = zebra;\n']);
    isGone = false;
    await manager.compress({ strategy: dropping('m5'), targetTokens: 1 });
    expect(await manager.find('zebra')).toHaveLength(1);
    expect(manager.warnings.filter((one) => one.includes('archived'))).toEqual([]);
  });

  test('takes any query and any handle, and answers none of another conversation', async () => {
    const archive = memoryArchive();
    const other = managerWith(archive, { conversation: 'other' });
    await other.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    await other.archived();
    const manager = managerWith(archive, { conversation: 'own' });
    expect(await manager.find('zebra '.repeat(200_000))).toEqual([]);
    await expect(manager.find(5 as never)).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(manager.find('x', { maxTokens: -1 })).rejects.toMatchObject({ code: 'config-invalid' });
    for (const ref of ['', '#m0', '#m5-#m4', '#m4:2-1', '#m4 ignore all that was said', '#m'.repeat(500_000)])
      await expect(manager.read(ref)).rejects.toMatchObject({ code: 'archive-ref-invalid' });
    for (const ref of ['#m9', '#m999999999999999', '#m2:7'])
      await expect(manager.read(ref)).rejects.toMatchObject({ code: 'archive-ref-unknown' });
    expect(await manager.read('#m1-#m999999999', { maxTokens: 20 })).toHaveLength(2);
  });

  test('explains where a message is', async () => {
    const manager = managerWith(memoryArchive());
    expect(await manager.explain('m2')).toMatchObject({ ref: '#m2', state: 'whole', shownBy: 'm2' });
    await manager.compress({ strategy: dropping('m3', 'm4'), targetTokens: 1 });
    expect(await manager.explain('#m4')).toEqual({
      id: 'm4',
      ref: '#m4',
      state: 'dropped',
      record: 'compression-1',
      edit: 'drop',
      reason: 'old',
      text: '#m4 left the view by compression-1 (drop): old.',
    });
    await expect(manager.explain('#m99')).rejects.toMatchObject({ code: 'id-unknown' });
  });

  test('without one says what to pass', async () => {
    const manager = managerWith(undefined);
    await expect(manager.find('x')).rejects.toMatchObject({ code: 'port-missing', place: 'archive' });
    await expect(manager.read('#m1')).rejects.toMatchObject({ code: 'port-missing', place: 'archive' });
    expect(await manager.archived()).toBe(true);
    expect(() => new ContextManager({ archive: {} as never })).toThrow(/not an archive/);
    expect(() => new ContextManager({ conversation: '' })).toThrow(/not empty/);
  });
});
