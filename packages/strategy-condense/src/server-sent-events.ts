import { ModelError } from './chat-model.js';

/** One event may have so many characters; more is no answer of a model. */
const longestEvent = 1_000_000;

/** The `data` of each server-sent event of a stream, in order, as the standard of the Web says. Ends with the stream. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const event = new EventLines();
  let held = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const piece = held + (done ? decoder.decode() : decoder.decode(value, { stream: true }));
      // A line break of two characters may be cut in two: the second half waits for the next piece.
      held = !done && piece.endsWith('\r') ? '\r' : '';
      yield* event.take(piece.slice(0, piece.length - held.length));
      if (done) break;
    }
    yield* event.take('\n\n');
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** What has come of an event so far. No piece is looked at twice, however small they are. */
class EventLines {
  #line: string[] = [];
  #data: string[] = [];
  #length = 0;

  *take(piece: string): Generator<string> {
    const lines = piece.split(/\r\n|\n|\r/);
    for (const [index, text] of lines.entries()) {
      this.#line.push(text);
      this.#length += text.length;
      if (this.#length > longestEvent)
        throw new ModelError('malformed', 'The model server sent an event without an end');
      if (index < lines.length - 1) yield* this.#endLine();
    }
  }

  *#endLine(): Generator<string> {
    const line = this.#line.join('');
    this.#line = [];
    if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line !== '') this.#length -= line.length;
    else {
      if (this.#data.length > 0) yield this.#data.join('\n');
      this.#data = [];
      this.#length = 0;
    }
  }
}
