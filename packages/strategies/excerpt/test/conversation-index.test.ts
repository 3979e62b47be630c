import { finish } from '@ctx/core';
import { arbitraryTranscript, call, result, transcript, user } from '@ctx/testing';
import fc from 'fast-check';
import { ConversationIndex } from '../src/conversation-index.js';
import type { Source } from '../src/index.js';
import { excerptFrom, read } from './reading.js';

function textsOf({ section, units }: Pick<Source, 'section' | 'units'>): string[] {
  return [...units].map(({ block, start, end }) => section.blocks[block]?.text.slice(start, end) ?? '');
}

test('a call has the units of its arguments and of its result, also if another call stands between them', () => {
  const index = new ConversationIndex();
  const messages = transcript(
    user('Write both files.'),
    call('1', 'write', { path: 'a.ts', content: 'const first = 1;\nconst second = 2;' }),
    call('2', 'write', { path: 'b.ts', content: 'const third = 3;\nconst fourth = 4;' }),
    result('1', 'Wrote a.ts\nFormatted a.ts'),
    result('2', 'Wrote b.ts'),
  );
  finish(index.read(messages.slice(0, 3)));
  const early = index.sections.map(({ units }) => units);
  const before = early.map((units) => [...units]);
  finish(index.read(messages));
  expect(index.sections.map(textsOf)).toEqual([
    ['Write both files.'],
    ['const first = 1;\nconst second = 2;', 'Wrote a.ts', 'Formatted a.ts'],
    ['const third = 3;\nconst fourth = 4;'],
  ]);
  expect(early.map((units) => [...units])).toEqual(before);
});

test('an excerpt is the same if the conversation is read on while it is chosen', () => {
  const later = transcript(
    ...Array.from({ length: 40 }, (_, at) => user(`Look at src/file${at}.ts as well.\n\nIt is new${at}.`)),
  );
  const excerpt = (messages: Parameters<ConversationIndex['read']>[0], readsOn: boolean): string => {
    const said = read(messages);
    const { index } = said;
    const steps = excerptFrom(said, 60, { olderLength: 4_000_000 });
    const reading = index.read([...messages, ...later]);
    for (;;) {
      if (readsOn) reading.next();
      const step = steps.next();
      if (step.done === true) return step.value.text;
    }
  };
  fc.assert(
    fc.property(arbitraryTranscript, (messages) => {
      expect(excerpt(messages, true)).toBe(excerpt(messages, false));
    }),
    { numRuns: 17 },
  );
});
