import { ModelError } from './chat-model.js';

/** One event may have so many characters; more is no answer of a model. */
const longestEvent = 1_000_000;

/** The `data` of each server-sent event of a stream, in order, as the standard of the Web says. Ends with the stream. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A line break of two characters may be cut in two: the second half waits for the next piece.
      const end = done ? rest.length : Math.max(0, rest.length - Number(rest.endsWith('\r')));
      const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
      rest = `${done ? '' : (lines.pop() ?? '')}${rest.slice(end)}`;
      for (const line of lines) {
        if (line === '' && data.length > 0) {
          yield data.join('\n');
          data = [];
        } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
      if (rest.length + data.join('').length > longestEvent)
        throw new ModelError('malformed', 'The model server sent an event without an end');
      if (done) break;
    }
    if (data.length > 0) yield data.join('\n');
  } finally {
    await reader.cancel().catch(() => {});
  }
}
