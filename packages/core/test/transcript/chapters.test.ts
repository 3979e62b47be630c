import { messageText, partsOf } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { arbitraryTranscript, assistant, call, deepFreeze, result, system, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { chapterLength } from '../../src/transcript/chapters.js';

/** UTF-16 units of a chapter in these tests. */
const length = 20;

function chaptersOf(messages: readonly unknown[]): Transcript {
  const made = new Transcript(0, length);
  for (const message of messages) made.append(deepFreeze(message));
  return made;
}

const starts = (...messages: readonly unknown[]) => [...chaptersOf(messages).chapters];

test('a chapter begins with the message after those that fill one', () => {
  expect(starts()).toEqual([]);
  expect(starts(user('a'.repeat(20)))).toEqual([0]);
  expect(starts(user('a'.repeat(19)), assistant('b'), user('c'))).toEqual([0, 2]);
  expect(starts(user('a'.repeat(50)), assistant('b'.repeat(50)), user('c'))).toEqual([0, 1, 2]);
});

test('a call and its result are in one chapter, and the arguments of the call count', () => {
  const asked = call('a', 'run', { command: 'x'.repeat(20) });
  expect(starts(asked, result('a', 'done'), user('go on'))).toEqual([0, 2]);
});

test('no chapter begins elsewhere because the system prompt was replaced', () => {
  const made = chaptersOf([system('be brief'), user('a'.repeat(20)), assistant('b')]);
  expect(made.chapters).toEqual([0, 2]);
  made.replace(new Map([[made.at(0)?.id ?? '', system(words(50))]]));
  expect(made.chapters).toEqual([0, 2]);
});

test('a window of any size has chapters of at least 500,000 tokens, a large one of 16 windows', () => {
  expect(chapterLength(8_000)).toBe(2_000_000);
  expect(chapterLength(200_000)).toBe(12_800_000);
});

test('what is said later changes no chapter, and what is taken back is as if it was never said', () => {
  fc.assert(
    fc.property(arbitraryTranscript, fc.nat(), (messages, at) => {
      const made = chaptersOf(messages);
      const all = [...made.chapters];
      const last = made.messages[at % made.length];
      if (last === undefined) return;
      made.cutAfter(last.id);
      expect(made.chapters).toEqual(all.filter((start) => start <= last.index));
    }),
  );
});

test('a chapter is full before the next begins, in whole exchanges, and no fuller than its last exchange makes it', () => {
  fc.assert(
    fc.property(arbitraryTranscript, (messages) => {
      const made = chaptersOf(messages);
      const { chapters } = made;
      for (const [number, start] of chapters.entries()) {
        const next = chapters[number + 1];
        const own = made.messages.slice(start, next);
        expect(made.at(start - 1)?.exchange).not.toBe(own[0]?.exchange);
        if (next === undefined) continue;
        const last = own.at(-1)?.exchange;
        expect(textLength(own)).toBeGreaterThanOrEqual(length);
        expect(textLength(own.filter(({ exchange }) => exchange !== last))).toBeLessThan(length);
      }
    }),
  );
});

function textLength(said: Transcript['messages']): number {
  return said
    .filter(({ message }) => message.role !== 'system')
    .flatMap(({ message }) => partsOf(message).map((part) => ({ role: message.role, content: [part] })))
    .reduce((sum, one) => {
      const [part] = one.content;
      return (
        sum +
        (part?.type === 'tool-call'
          ? JSON.stringify(part.input).length
          : messageText(one as Parameters<typeof messageText>[0]).length)
      );
    }, 0);
}
