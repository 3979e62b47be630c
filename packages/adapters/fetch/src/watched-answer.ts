import type { Wait } from '@ctx/core';
import { overflowKind } from '@ctx/core/codec';
import { framesOf } from './answer-frames.js';
import { AnswerReader, type Told } from './answer-reader.js';

/** Characters of an error that are read. */
const longestError = 64 * 1024;
/** Ms for which the beginning of an answer may be held back, to see whether it is an error. */
const longestHold = 1_000;

/** What became of a request: an answer for the caller, or the error of a provider that the request was too large for. */
export interface Watched {
  readonly response: Response;
  readonly overflow?: unknown;
}

/**
 * Looks at a response on its way. Its bytes pass as they come, at the pace of the reader; `told` hears the last usage that has
 * passed when the answer ends, breaks or is no longer read. An overflow is seen before the first word of an answer.
 */
export async function watched(response: Response, told: Told, wait: Wait): Promise<Watched> {
  if (!response.ok) return refused(response);
  if (response.body === null) return { response };
  const frames = framesOf(response.headers.get('content-type') ?? '');
  return frames === undefined ? { response } : stream(response, new AnswerReader(told, frames), wait);
}

async function refused(response: Response): Promise<Watched> {
  if (response.body === null) return { response };
  const [kept, read] = response.body.tee();
  const text = await textUpTo(read, longestError);
  const copy = sameResponse(response, kept);
  const error = { status: response.status, message: text };
  return overflowKind(error) === undefined ? { response: copy } : { response: copy, overflow: error };
}

async function textUpTo(body: ReadableStream<Uint8Array>, longest: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < longest) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The caller meets the same failure in its own copy.
  }
  reader.cancel().catch(() => {});
  return text;
}

async function stream(response: Response, answer: AnswerReader, wait: Wait): Promise<Watched> {
  const pieces = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = () => pieces.read().catch((error: unknown) => ({ error }));
  const held: Awaited<ReturnType<typeof read>>[] = [];
  let cancel = () => {};
  const late = new Promise<'late'>((resolve) => {
    cancel = wait(longestHold, () => resolve('late'));
  });
  let pending: ReturnType<typeof read> | undefined;
  while (answer.isPrelude) {
    pending ??= read();
    const piece = await Promise.race([pending, ...(held.length > 0 ? [late] : [])]);
    if (piece === 'late') break;
    pending = undefined;
    held.push(piece);
    if ('error' in piece || piece.done) {
      answer.last();
      break;
    }
    answer.piece(piece.value);
  }
  cancel();
  answer.isPrelude = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const known = held.shift();
        const piece = known ?? (await (pending ?? read()));
        if (known === undefined) pending = undefined;
        if ('error' in piece || piece.done) {
          answer.end();
          if ('error' in piece) controller.error(piece.error);
          else controller.close();
          return;
        }
        if (known === undefined) answer.piece(piece.value);
        await answer.noted;
        controller.enqueue(piece.value);
      },
      // Many agents stop reading after the event that ends an answer, not at the end of the stream.
      cancel(reason) {
        answer.end();
        return pieces.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { response: sameResponse(response, body), overflow: answer.overflow };
}

/** A response with another body and all else the same. */
function sameResponse(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const key of ['url', 'redirected', 'type'] as const)
    Object.defineProperty(copy, key, { value: response[key], configurable: true });
  return copy;
}
