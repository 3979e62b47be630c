import type { Message, TranscriptMessage } from '@ctx/core';
import { partsIn } from './expected-view.js';
import type { LawBook } from './laws.js';

/** Checks the view as it is sent: every result follows its call, and every call is answered, except the newest calls that wait. */
export function checkPairs(
  book: LawBook,
  view: readonly Message[],
  transcript: readonly TranscriptMessage[],
): void {
  const spoken = view.filter(({ role }) => role !== 'system');
  let open: string[] = [];
  for (const message of spoken) {
    if (message.role === 'tool') {
      for (const { toolCallId } of message.content) {
        book.check(
          'tool-pairs',
          open.includes(toolCallId) ? undefined : `the result "${toolCallId}" does not follow its call`,
        );
        open = open.filter((id) => id !== toolCallId);
      }
      continue;
    }
    book.check(
      'tool-pairs',
      open.length === 0 ? undefined : `the calls ${open.join(', ')} have no result right after them`,
    );
    open = partsIn(message).flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
  }
  const waiting = waitingCalls(transcript);
  book.each('tool-pairs', open, (id) =>
    waiting.includes(id) ? undefined : `the call "${id}" lost its result`,
  );
}

/** The unanswered calls of the newest message with calls. */
export function waitingCalls(transcript: readonly TranscriptMessage[]): string[] {
  const asking = transcript.findLastIndex(({ message }) => message.role !== 'tool');
  const message = transcript[asking]?.message;
  if (message === undefined) return [];
  const answered = transcript
    .slice(asking + 1)
    .flatMap((one) =>
      partsIn(one.message).flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
    );
  return partsIn(message).flatMap((part) =>
    part.type === 'tool-call' && !answered.includes(part.toolCallId) ? [part.toolCallId] : [],
  );
}
