import type { Archive, ArchivedMessage, Message, TranscriptMessage } from '@ctx/core';
import fc from 'fast-check';
import { type ArchiveSuiteOptions, anyText, foundBy, hostileTexts, ofOne, textUnder } from './entries.js';

type Open = (options?: ArchiveSuiteOptions) => Promise<Archive>;

/** A message with a native form that has more than its text, as it is at a number. */
function archivedWith(
  number: number,
  text: string,
  native: unknown = { raw: [text], more: null },
): ArchivedMessage {
  const message = { role: 'assistant', content: [{ type: 'text', text }], native } as Message;
  const original: TranscriptMessage = {
    id: `id-${number}`,
    index: number - 1,
    message,
    createdAt: 7,
    exchange: number,
  };
  return { number, message, calls: [], time: 7, original };
}

const back = async (archive: Archive, first: number, last = first, conversation = 'one') =>
  (await archive.originals(conversation, first, last)).map((one) => JSON.stringify(one));
const json = (...messages: ArchivedMessage[]) => messages.map(({ original }) => JSON.stringify(original));

/** What a manager needs whose messages are dropped from memory: originals that come back word for word, with their native form, or not at all. */
export function testOriginals(open: Open): void {
  test('gives originals back word for word, with their native form, and nothing of another conversation', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const archive = await open();
        const messages = [2, 3, 11].map((number) =>
          archivedWith(number, text, { [text]: text, list: [text, 1] }),
        );
        await archive.keep('one', messages);
        expect(await back(archive, 1, 20)).toEqual(json(...messages));
        expect(await back(archive, 3)).toEqual(json(messages[1] as ArchivedMessage));
        expect(await back(archive, 1, 20, 'two')).toEqual([]);
        await archive.close();
      }),
      { numRuns: hostileTexts.length + 5, examples: hostileTexts.map((text) => [text]) },
    );
  });

  test('has originals of messages without text, and of those whose texts it has already', async () => {
    const archive = await open();
    const silent: ArchivedMessage = {
      ...archivedWith(1, 'thought'),
      message: { role: 'assistant', content: [] },
    };
    await archive.keep('one', [silent]);
    expect(await back(archive, 1)).toEqual(json(silent));
    const { original, ...plain } = archivedWith(2, 'a word');
    await archive.keep('one', [plain]);
    expect(await back(archive, 2)).toEqual([]);
    await archive.keep('one', [archivedWith(2, 'a word')]);
    expect(await back(archive, 1, 2)).toEqual([...json(silent), JSON.stringify(original)]);
    expect(await textUnder(archive, '#m2')).toBe('a word');
  });

  test('keeps the first original of a message, and none of a put that it refuses', async () => {
    const archive = await open();
    await archive.keep('one', [archivedWith(1, 'alpha')]);
    await archive.keep('one', [archivedWith(1, 'alpha', 'another native form')]);
    expect(await back(archive, 1)).toEqual(json(archivedWith(1, 'alpha')));
    const refused = archive.keep('one', [archivedWith(2, 'beta'), archivedWith(1, 'gamma')]);
    await expect(refused).rejects.toMatchObject({ code: 'archive-conflict' });
    expect(await back(archive, 1, 2)).toEqual(json(archivedWith(1, 'alpha')));
    const misplaced = archive.keep('one', [{ ...archivedWith(3, 'delta'), number: 4 }]);
    await expect(misplaced).rejects.toMatchObject({ code: 'archive-entry-invalid' });
    await expect(archive.originals('one', 0, 1)).rejects.toMatchObject({ code: 'config-invalid' });
  });

  testMissingOriginals(open);
}

function testMissingOriginals(open: Open): void {
  test('forgets originals with their messages', async () => {
    let time = 1_000;
    const archive = await open({ timeToLive: 100, now: () => time });
    const messages = [1, 2, 3, 4, 5].map((number) => archivedWith(number, `word ${number}`));
    await archive.keep('one', messages);
    await archive.forget('one', { from: '#m2', to: '#m3' });
    expect(await back(archive, 1, 9)).toEqual(
      json(...messages.filter(({ number }) => number !== 2 && number !== 3)),
    );
    await archive.forget('one', { from: '#m5' });
    expect(await back(archive, 1, 9)).toEqual(
      json(...messages.filter(({ number }) => number === 1 || number === 4)),
    );
    await archive.keep('one', [archivedWith(2, 'something else')]);
    expect(await back(archive, 2)).toEqual(json(archivedWith(2, 'something else')));
    await archive.forget('one');
    expect(await back(archive, 1, 9)).toEqual([]);
    await archive.keep('one', messages);
    time += 200;
    expect(await back(archive, 1, 9)).toEqual([]);
  });

  test('has no originals of what is too much, and none with a secret in them', async () => {
    const small = await open({ maxCharacters: 250 });
    for (let number = 1; number <= 8; number += 1)
      await small.keep('one', [archivedWith(number, `${'word '.repeat(9)}n${number}`)]);
    const kept = await small.originals('one', 1, 8);
    expect(kept.length).toBeLessThan(8);
    expect(kept.map(({ index }) => index).at(-1)).toBe(7);
    for (const { index } of kept) expect(await textUnder(small, `#m${index + 1}`)).toContain(`n${index + 1}`);
    const discreet = await open({ redact: (text) => text.replace('sk-1', '[secret]') });
    const hidden = archivedWith(2, 'open text', { header: ['sk-1'] });
    await discreet.keep('one', [archivedWith(1, 'open text'), hidden, archivedWith(3, 'key sk-1')]);
    expect(await back(discreet, 1, 3)).toEqual(json(archivedWith(1, 'open text')));
    expect(await foundBy(discreet, 'key')).toEqual(['#m3:1 key [secret]']);
  });

  test('reads what the caller does not have where the caller says so', async () => {
    const archive = await open();
    await archive.keep('one', [archivedWith(1, 'kept one'), archivedWith(2, 'kept two')]);
    const said = (number: number) =>
      number === 1 ? archivedWith(1, 'said one') : number === 2 ? 'kept' : undefined;
    const found = await archive.get('#m1-#m9', { ...ofOne, said });
    expect(found.map(({ text }) => text)).toEqual(['said one', 'kept two']);
  });
}
