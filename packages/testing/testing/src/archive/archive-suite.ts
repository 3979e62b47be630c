import { type Archive, type ArchiveEntry, CtxError } from '@ctx/core';
import fc from 'fast-check';
import {
  type ArchiveSuiteOptions,
  anyText,
  entry,
  foundBy,
  hostileTexts,
  joined,
  ofOne,
  textUnder,
} from './entries.js';
import { testMessages } from './message-laws.js';
import { testArchiveSearch } from './search-laws.js';
import { testSharing } from './sharing-laws.js';

export interface ArchiveSuite {
  readonly name: string;
  /** Opens an archive that holds nothing. */
  open(options: ArchiveSuiteOptions): Promise<Archive>;
  /** Opens the archive that was opened last a second time, as another process does. Absent: it can't be shared. */
  openAgain?(options: ArchiveSuiteOptions): Promise<Archive>;
}

/**
 * The conformance suite of an archive. Its laws: what is put is there word for word, under its handle and for its conversation only; putting
 * again changes nothing; a put is whole or did not happen; a search returns what is there, within its tokens; what is forgotten, too old, too
 * much or secret is not there; two that write the same conversation lose nothing. Needs the globals of jest.
 */
export function testArchive(suite: ArchiveSuite): void {
  describe(`${suite.name} keeps the laws of an archive`, () => {
    const opened: Archive[] = [];
    const open = async (options: ArchiveSuiteOptions = {}) => {
      const archive = await suite.open(options);
      opened.push(archive);
      return archive;
    };
    const holding = async (entries: readonly ArchiveEntry[], options?: ArchiveSuiteOptions) => {
      const archive = await open(options);
      await archive.put(entries);
      return archive;
    };
    afterEach(async () => {
      for (const archive of opened.splice(0)) await archive.close();
    });

    test('holds every text word for word', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 5 }), async (texts) => {
          const archive = await holding(texts.map((text, index) => entry(index + 1, text)));
          for (const [index, text] of texts.entries())
            expect(await textUnder(archive, `#m${index + 1}`)).toBe(text);
          await archive.close();
        }),
        { numRuns: hostileTexts.length + 10, examples: hostileTexts.map((text) => [[text]]) },
      );
    });

    test('takes any text for a query and any name for a conversation', async () => {
      const archive = await open();
      for (const [index, text] of hostileTexts.entries())
        await archive.put([entry(index + 1, text, { conversation: text, heading: text, path: text })]);
      for (const [index, text] of hostileTexts.entries()) {
        const found = await archive.search(text, { conversation: text, path: text });
        expect(found.every(({ message }) => message === index + 1)).toBe(true);
        expect(await textUnder(archive, `#m${index + 1}`, text)).toBe(text);
      }
      expect(await foundBy(archive, 'word '.repeat(200_000))).toEqual([]);
    });

    test('keeps no more than the beginning of a heading, and nothing of what is too long for a path', async () => {
      const archive = await open();
      const long = 'a'.repeat(200_000);
      await archive.put([entry(1, 'word '.repeat(2_000), { heading: long, path: long })]);
      const [found] = await archive.search('word', ofOne);
      expect(found?.heading).toBe(long.slice(0, 200));
      expect(found?.path).toBeUndefined();
      expect(await archive.search('word', { ...ofOne, path: long })).toEqual([]);
    });

    test('has the lines of a message under their handle', async () => {
      const archive = await open();
      const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1} of the file`);
      await archive.put([entry(7, lines.join('\n')), entry(7, 'second part', { part: 1, line: 201 })]);
      const some = `${lines.slice(119, 122).join('\n')}\n`;
      expect(await textUnder(archive, '#m7:120-122')).toBe(some);
      expect(await textUnder(archive, '#m7:201')).toBe('second part');
      expect(await textUnder(archive, '#m7')).toBe(`${lines.join('\n')}second part`);
      expect(await textUnder(archive, '#m7:202')).toBeUndefined();
      const [found] = await archive.get('#m7:120-122', ofOne);
      expect(found).toMatchObject({ ref: '#m7:120-122', heading: 'assistant', message: 7, time: 7_000 });
      const few = await archive.get('#m7', { ...ofOne, maxTokens: 300 });
      expect(few.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(300);
      expect(lines.join('\n').startsWith(joined(few))).toBe(true);
      expect(few).not.toEqual([]);
    });

    test('never answers for another conversation', async () => {
      const archive = await holding([entry(1, 'the launch code is 4711')]);
      await archive.put([entry(2, 'nothing of interest', { conversation: 'two' })]);
      expect(await textUnder(archive, '#m1', 'two')).toBeUndefined();
      expect(await foundBy(archive, 'launch code 4711', 'two')).toEqual([]);
      expect(await textUnder(archive, '#m1', 'three')).toBeUndefined();
      expect(await foundBy(archive, 'launch code 4711', 'three')).toEqual([]);
    });

    test('does not change when the same is put again, and refuses another text in its place, with all that came with it', async () => {
      const archive = await holding([entry(1, 'alpha beta')]);
      await archive.put([entry(1, 'alpha beta'), entry(2, 'gamma delta')]);
      expect(await foundBy(archive, 'alpha')).toEqual(['#m1:1 alpha beta']);
      const put = archive.put([entry(3, 'epsilon'), entry(1, 'something else')]);
      await expect(put).rejects.toMatchObject({ code: 'archive-conflict', place: '#m1' });
      expect(await textUnder(archive, '#m1')).toBe('alpha beta');
      expect(await textUnder(archive, '#m3')).toBeUndefined();
      expect(await foundBy(archive, 'epsilon something')).toEqual([]);
    });

    test('forgets a conversation, and the end of one', async () => {
      const archive = await holding([1, 2, 3, 12].map((message) => entry(message, `word number${message}`)));
      await archive.put([entry(1, 'word here', { conversation: 'two' })]);
      await archive.forget('one', { from: '#m3' });
      const rest = ['#m2:1 word number2', '#m1:1 word number1'];
      expect(await foundBy(archive, 'word number3 number12')).toEqual(rest);
      await archive.put([entry(3, 'word anew')]);
      expect(await textUnder(archive, '#m3')).toBe('word anew');
      await archive.forget('one');
      expect(await textUnder(archive, '#m1')).toBeUndefined();
      expect(await foundBy(archive, 'word')).toEqual([]);
      expect(await foundBy(archive, 'word', 'two')).toEqual(['#m1:1 word here']);
    });

    test('keeps nothing that is taken out as a secret', async () => {
      const archive = await holding(
        [entry(1, 'key\nsk-abc\nsk-def\nend', { heading: 'run sk-ghi', path: 'keys/sk-jkl', kind: 'call' })],
        { redact: (text) => text.replace(/sk-\w+(?:\nsk-\w+)*/g, '[secret]') },
      );
      const [found] = await archive.get('#m1', ofOne);
      const redacted = { text: 'key\n[secret]\nend', heading: 'run [secret]', path: 'keys/[secret]' };
      expect(found).toMatchObject(redacted);
      expect(await foundBy(archive, 'sk-abc abc def ghi jkl')).toEqual([]);
    });

    test('forgets the conversations to which nothing was added for long', async () => {
      let now = 0;
      const archive = await holding([entry(1, 'old')], { timeToLive: 1_000, now: () => now });
      now = 900;
      await archive.put([entry(1, 'newer', { conversation: 'two' })]);
      expect(await textUnder(archive, '#m1')).toBe('old');
      now = 1_500;
      expect(await textUnder(archive, '#m1')).toBeUndefined();
      expect(await foundBy(archive, 'old')).toEqual([]);
      expect(await textUnder(archive, '#m1', 'two')).toBe('newer');
    });

    test.each<[title: string, code: string, act: (archive: Archive) => Promise<unknown>]>([
      ['a handle that is none', 'archive-ref-invalid', (archive) => archive.get('message 4', ofOne)],
      ['a handle of no message', 'archive-ref-unknown', (archive) => archive.get('#m9', ofOne)],
      [
        'a handle of no message to search in',
        'archive-ref-unknown',
        (archive) => archive.search('x', { ...ofOne, within: '#m9' }),
      ],
      ['a handle that goes back', 'archive-ref-invalid', (archive) => archive.get('#m4-#m3', ofOne)],
      [
        'a message without its calls',
        'archive-entry-invalid',
        (archive) => archive.keep('one', [{} as never]),
      ],
      ['an entry without a number', 'archive-entry-invalid', (archive) => archive.put([entry(0, 'text')])],
      [
        'entries of two conversations',
        'archive-entry-invalid',
        (archive) => archive.put([entry(1, 'a'), entry(1, 'b', { conversation: 'two' })]),
      ],
      ['a search without a conversation', 'config-invalid', (archive) => archive.search('x', {} as never)],
      ['a query that is no text', 'config-invalid', (archive) => archive.search(5 as never, ofOne)],
      ['tokens below 0', 'config-invalid', (archive) => archive.search('x', { ...ofOne, maxTokens: -1 })],
    ])('refuses %s', async (_title, code, act) => {
      const archive = await holding([entry(1, 'text')]);
      const error = await act(archive).catch((thrown: unknown) => thrown);
      expect(CtxError.isInstance(error) && error.code).toBe(code);
      expect(await textUnder(archive, '#m1')).toBe('text');
    });

    test('says that it is closed', async () => {
      const archive = await open();
      await archive.close();
      await archive.close();
      const put = archive.put([entry(1, 'text')]);
      await expect(put).rejects.toMatchObject({ code: 'archive-unavailable' });
    });

    testMessages(open, holding);
    testArchiveSearch(holding);
    testSharing(open, suite.openAgain && (() => suite.openAgain?.({}) as Promise<Archive>));
  });
}
