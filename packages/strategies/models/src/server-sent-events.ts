import { createParser } from 'eventsource-parser';
import { ModelError } from './chat-model.js';

/** The most characters of one event. An answer of a model has no longer ones. */
const longestEvent = 1_000_000;

/**
 * Reads the `data` of each server-sent event of a stream, in order. If the stream ends inside an event, that event is read too.
 * @throws ModelError `malformed` if an event is too long
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
      // The two characters of a line break may arrive in different pieces, so the first one waits for the next piece.
      held = piece.endsWith('\r') ? '\r' : '';
      // Without this, the parser would take quadratic time for a piece with single carriage returns.
      parser.feed(piece.slice(0, piece.length - held.length).replace(/\r\n?/g, '\n'));
      yield* events.splice(0);
      if (isTooLong) throw new ModelError('malformed', 'The model server sent an event that is too long');
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
