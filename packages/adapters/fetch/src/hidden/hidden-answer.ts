import { type ContextManager, type Message, partsOf } from '@ctx/core';
import { type Fields, isFields, stringifyJson } from '@ctx/core/codec';
import { createParser } from 'eventsource-parser';
import { parsed } from '../answer-frames.js';
import type { StreamEvent } from './answer-form.js';
import { type AnsweringForm, entriesOf } from './hidden-records.js';
import type { HiddenTurn } from './hidden-turns.js';

/** Sends the request with more entries at the end of its history. */
type SendMore = (entries: readonly unknown[], isWithoutTool: boolean) => Promise<Response>;

/** Answers of the model with calls that are answered without the agent. A model that needs more goes in circles. */
const mostRounds = 8;
/** What a call gets after that, so that the model goes on with its task. */
const noMore =
  'There are no more answers of this tool in this turn. Go on with the task: use what you have read, and your other tools.';

/** The answer as the agent is shown it: calls of the hidden tool are answered, and the model goes on. */
export async function answeredWithHidden(
  response: Response,
  hidden: HiddenTurn,
  conversation: ContextManager,
  sendMore: SendMore,
): Promise<Response> {
  const rounds = new Rounds(hidden, conversation, sendMore);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || response.body === null) return response;
  if (type.includes('text/event-stream')) return withBody(response, encoded(streamed(response.body, rounds)));
  return type.includes('json') ? whole(response, rounds) : response;
}

/** Answers the hidden calls of one answer after another, and notes what the agent is not shown. */
class Rounds {
  readonly #entries: unknown[] = [];
  #count = 0;

  constructor(
    readonly hidden: HiddenTurn,
    readonly conversation: ContextManager,
    readonly sendMore: SendMore,
  ) {}

  /** The next answer of the model, after one in the form of a history; without a response if that one is the last. */
  async next(entries: readonly unknown[]): Promise<Round> {
    const { tool, form } = this.hidden;
    const all = callsIn(form, entries);
    const calls = all.filter(({ toolName }) => toolName === tool.name);
    if (calls.length === 0) {
      const isUnchanged = this.#count === 0;
      if (!isUnchanged) await this.hidden.record([...this.#entries, ...entries], []);
      return { isUnchanged };
    }
    const isMixed = calls.length < all.length;
    const isLast = this.#count >= mostRounds && !isMixed;
    const content = calls.map(async ({ toolCallId, toolName, input }) => {
      const output = isLast ? noMore : await tool.run(input, this.conversation);
      return { type: 'tool-result', toolCallId, toolName, output } as const;
    });
    const results: Message[] = [{ role: 'tool', content: await Promise.all(content) }];
    this.#count += 1;
    // A model may call what it was not offered.
    if (isMixed || this.#count > mostRounds + 1) {
      await this.hidden.record([...this.#entries, ...entries], results);
      return { isCut: !isMixed };
    }
    this.#entries.push(...entries, ...entriesOf(form, results));
    return { response: await this.sendMore(this.#entries, isLast) };
  }
}

/** The calls in an answer that the agent or the hidden tool has to answer; none in one that the codec can't read, which then passes. */
function callsIn({ codec }: AnsweringForm, entries: readonly unknown[]) {
  try {
    const parts = codec.toMessages(entries).flatMap(partsOf);
    return parts.filter((part) => part.type === 'tool-call');
  } catch {
    return [];
  }
}

/** What follows an answer. */
interface Round {
  readonly response?: Response;
  /** True if the model called nothing but the hidden tool until the end. */
  readonly isCut?: boolean;
  /** True if nothing was hidden in the whole answer. */
  readonly isUnchanged?: boolean;
}

async function whole(response: Response, rounds: Rounds): Promise<Response> {
  const { tool, form } = rounds.hidden;
  const bodies: Fields[] = [];
  let last = response;
  for (;;) {
    const text = await last.text();
    const body = parsed(text);
    const entries = last.ok && isFields(body) ? form.answers.read(body) : undefined;
    if (entries === undefined) return withBody(last, text);
    bodies.push(body as Fields);
    const { response: next, isCut = false, isUnchanged } = await rounds.next(entries);
    if (isUnchanged) return withBody(last, text);
    if (next === undefined)
      return withBody(last, stringifyJson(form.answers.shown(bodies, tool.name, isCut)));
    last = next;
  }
}

/** What a stream says beside its events, such as a comment that keeps a connection open, as it is written. */
interface Aside {
  readonly line: string;
}

async function* streamed(
  body: ReadableStream<Uint8Array>,
  rounds: Rounds,
): AsyncGenerator<StreamEvent | Aside> {
  const { tool, form } = rounds.hidden;
  const stream = form.answers.stream(tool.name);
  let left: StreamEvent[] = [];
  let from = body;
  for (;;) {
    left = [];
    for await (const event of eventsOf(from)) {
      if ('line' in event) {
        yield event;
        continue;
      }
      const data = parsed(event.data);
      // What is no JSON marks the end.
      if (!isFields(data)) left.push(event);
      else yield* stream.take(data, event);
    }
    const { response, isCut = false } = await rounds.next(stream.entries());
    if (response === undefined) {
      yield* [...stream.end(isCut), ...left];
      return;
    }
    // The agent has the head of an answer already, so it learns of this as of a stream that broke off.
    if (!response.ok || response.body === null) throw new Error('The answer could not be continued.');
    yield* stream.next();
    from = response.body;
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent | Aside> {
  const waiting: (StreamEvent | Aside)[] = [];
  const parser = createParser({
    onEvent: (event) => waiting.push(event),
    onComment: (comment) => waiting.push({ line: `: ${comment}` }),
    onRetry: (ms) => waiting.push({ line: `retry: ${ms}` }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // Some servers leave out the empty line at the end.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function encoded(events: AsyncGenerator<StreamEvent | Aside>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(textOf(value)));
      },
      async cancel() {
        await events.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function textOf(event: StreamEvent | Aside): string {
  if ('line' in event) return `${event.line}\n\n`;
  const { event: name, id, data } = event;
  const lines = [
    ...(name === undefined ? [] : [`event: ${name}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}

function withBody(response: Response, body: string | ReadableStream<Uint8Array>): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status, statusText, headers });
}
