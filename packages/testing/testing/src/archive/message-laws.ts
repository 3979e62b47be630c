import type { Archive, ArchivedMessage } from '@ctx/core';
import { type ArchiveSuiteOptions, entry, foundBy, type Holding, ofOne, textUnder } from './entries.js';

/** What a manager needs: to keep whole messages, to forget some of them, and to read several under one handle. */
export function testMessages(
  open: (options?: ArchiveSuiteOptions) => Promise<Archive>,
  holding: Holding,
): void {
  test('forgets some messages, and keeps those around them', async () => {
    const archive = await holding([1, 2, 3, 4, 12].map((message) => entry(message, `word number${message}`)));
    await archive.forget('one', { from: '#m2', to: '#m3' });
    expect(await foundBy(archive, 'number2 number3')).toEqual([]);
    expect(await textUnder(archive, '#m1')).toBe('word number1');
    expect(await textUnder(archive, '#m4')).toBe('word number4');
    await archive.forget('one', { to: '#m1' });
    expect(await textUnder(archive, '#m1')).toBeUndefined();
    expect(await foundBy(archive, 'number12')).toEqual(['#m12:1 word number12']);
    await archive.put([entry(2, 'anew')]);
    expect(await textUnder(archive, '#m2')).toBe('anew');
  });

  test('keeps messages as entriesOf divides them, and reads messages that it does not keep', async () => {
    const archive = await open({ redact: (text) => text.replace('sk-1', '[secret]') });
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: { path: 'a.ts' } } as const;
    const output = 'first line\nsk-1 line';
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 'read', output } as const;
    const message = (number: number): ArchivedMessage => ({
      number,
      message: { role: 'tool', content: [result] },
      calls: [call],
      time: 5,
    });
    await archive.keep('one', [message(3), message(4)]);
    const [found] = await archive.get('#m3:2', ofOne);
    expect(found).toMatchObject({ ref: '#m3:2', heading: 'read a.ts', path: 'a.ts', time: 5 });
    expect(found?.text).toBe('[secret] line');
    const said = (number: number) => (number === 9 ? message(9) : undefined);
    expect(await archive.get('#m9:2', { ...ofOne, said })).toEqual([{ ...found, ref: '#m9:2', message: 9 }]);
    const other = archive.get('#m3', { ...ofOne, said });
    await expect(other).rejects.toMatchObject({ code: 'archive-ref-unknown' });
    expect(await textUnder(archive, '#m9')).toBeUndefined();
  });

  test('has several messages under one handle, in order', async () => {
    const archive = await holding([2, 3, 5].map((message) => entry(message, `word ${message}`)));
    const found = await archive.get('#m2-#m900000', ofOne);
    const lines = found.map(({ ref, text }) => `${ref} ${text}`);
    expect(lines).toEqual(['#m2:1 word 2', '#m3:1 word 3', '#m5:1 word 5']);
    expect(await archive.get('#m2-#m3', { ...ofOne, maxTokens: 8 })).toHaveLength(1);
    const unknown = archive.get('#m6-#m8', ofOne);
    await expect(unknown).rejects.toMatchObject({ code: 'archive-ref-unknown' });
  });
}
