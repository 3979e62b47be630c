import { isOverflowError } from '@ctx/core/codec';
import type { StreamPart } from './call.js';

/** Parts with which a stream begins before the model says anything. */
const preludes = ['stream-start', 'response-metadata', 'raw'];

/** A stream that was refused as too large before the model said anything. */
export class RefusedStream<Answer> extends Error {
  /**
   * @param answer for a caller who gets no other: the stream with its error
   * @param cause what the provider said
   * @param drop ends the stream, if another one takes its place
   */
  constructor(
    readonly answer: Answer,
    cause: unknown,
    readonly drop: () => void,
  ) {
    super('The stream began with an error', { cause });
  }
}

/** What became of reading one part; a failure is kept for the caller who reads it. */
type Read<Part> =
  | { readonly done: boolean; readonly value?: Part | undefined }
  | { readonly failure: unknown };

/**
 * Looks at the beginning of a streamed answer, up to the first thing that the model says. Its parts pass as they come, at the pace of
 * the reader.
 * @param onEnd is given the `finish` part when it has passed and the stream ends or is no longer read
 * @throws RefusedStream if it begins with an overflow
 */
export async function begun<Answer extends { readonly stream: ReadableStream<StreamPart> }>(
  answer: Answer,
  onEnd: (finish: StreamPart | undefined) => Promise<void>,
): Promise<Answer> {
  const reader = answer.stream.getReader();
  const held: Read<StreamPart>[] = [];
  for (;;) {
    const read = await readFrom(reader);
    held.push(read);
    if ('failure' in read) {
      if (isOverflowError(read.failure)) throw refused(read.failure);
      break;
    }
    if (read.done || read.value === undefined) break;
    if (preludes.includes(read.value.type)) continue;
    const error = read.value.type === 'error' && 'error' in read.value ? read.value.error : undefined;
    if (error !== undefined && isOverflowError(error)) throw refused(error);
    break;
  }
  return whole();

  function refused(error: unknown) {
    return new RefusedStream(whole(), error, () => void reader.cancel().catch(() => {}));
  }

  function whole(): Answer {
    return { ...answer, stream: passing(reader, held, onEnd) };
  }
}

/** A stream of what was read already and of what is still to come. */
function passing(
  reader: ReadableStreamDefaultReader<StreamPart>,
  held: readonly Read<StreamPart>[],
  onEnd: (finish: StreamPart | undefined) => Promise<void>,
): ReadableStream<StreamPart> {
  const waiting = [...held];
  let finish: StreamPart | undefined;
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        const read = waiting.shift() ?? (await readFrom(reader));
        if ('failure' in read) {
          controller.error(read.failure);
        } else if (read.done || read.value === undefined) {
          await onEnd(finish);
          controller.close();
        } else {
          if (read.value.type === 'finish') finish = read.value;
          controller.enqueue(read.value);
        }
      },
      // Who has read the `finish` part may stop before the end.
      async cancel(reason) {
        await Promise.all([reader.cancel(reason), finish && onEnd(finish)]);
      },
    },
    { highWaterMark: 0 },
  );
}

async function readFrom(reader: ReadableStreamDefaultReader<StreamPart>): Promise<Read<StreamPart>> {
  try {
    return await reader.read();
  } catch (failure) {
    return { failure };
  }
}
