import { createParser } from 'eventsource-parser';
import { ModelError } from './chat-model.js';

/** One event may have so many characters; more is no answer of a model. */
const longestEvent = 1_000_000;

/**
 * The `data` of each server-sent event of a stream, in order. Ends with the stream; an event that the stream breaks off is read too.
 * @throws ModelError `malformed` for an event without an end
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const events: string[] = [];
  let [held, isTooLong] = ['', false];
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent({ data }) {
      events.push(data);
    },
    onError({ type }) {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const piece = held + (done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      // A line break of two characters may be cut in two: the first half waits for the next piece.
      held = piece.endsWith('\r') ? '\r' : '';
      // The parser takes time quadratic in a piece that has carriage returns alone.
      parser.feed(piece.slice(0, piece.length - held.length).replace(/\r\n?/g, '\n'));
      yield* events.splice(0);
      if (isTooLong) throw new ModelError('malformed', 'The model server sent an event without an end');
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
