import type { ContextManager } from '@ctx/core';
import { type Fields, isFields, stringifyJson } from '@ctx/core/codec';
import { createParser } from 'eventsource-parser';
import { parsed } from '../answer-frames.js';
import type { Answer, AnswerForm, StreamEvent } from './answer-form.js';
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

  get form(): AnswerForm {
    return this.hidden.form;
  }

  get name(): string {
    return this.hidden.tool.name;
  }

  /** The next answer of the model; `undefined` if this one is the last. */
  async next(answer: Answer): Promise<{ readonly response?: Response; readonly isCut: boolean }> {
    const { hidden } = this;
    const { calls, entries, isMixed } = answer;
    if (calls.length === 0) {
      if (this.#count > 0) await hidden.record([...this.#entries, ...entries], []);
      return { isCut: false };
    }
    const isLast = this.#count >= mostRounds && !isMixed;
    const outputs = await Promise.all(
      calls.map(({ args }) => (isLast ? noMore : hidden.tool.run(args, this.conversation))),
    );
    const results = this.form.resultsOf(
      calls.map(({ native }, at) => ({ native, output: outputs[at] as string })),
    );
    this.#count += 1;
    // A model may call what it was not offered.
    if (isMixed || this.#count > mostRounds + 1) {
      await hidden.record([...this.#entries, ...entries], results);
      return { isCut: !isMixed };
    }
    this.#entries.push(...entries, ...results);
    return { response: await this.sendMore(this.#entries, isLast), isCut: false };
  }
}

async function whole(response: Response, rounds: Rounds): Promise<Response> {
  const bodies: Fields[] = [];
  let last = response;
  for (;;) {
    const text = await last.text();
    const body = parsed(text);
    const answer = last.ok && isFields(body) ? rounds.form.read(body, rounds.name) : undefined;
    if (answer === undefined) return withBody(last, text);
    bodies.push(body as Fields);
    const { response: next, isCut } = await rounds.next(answer);
    if (next === undefined) {
      const isUnchanged = bodies.length === 1 && answer.calls.length === 0;
      return withBody(
        last,
        isUnchanged ? text : stringifyJson(rounds.form.shown(bodies, rounds.name, isCut)),
      );
    }
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
  const stream = rounds.form.stream(rounds.name);
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
    const { response, isCut } = await rounds.next(stream.answer());
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
