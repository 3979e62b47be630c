import { type Wait, waiting } from '@ctx/core';
import { type Fields, isFields, isOverflowError } from '@ctx/core/codec';
import { type ChatRequest, type Completion, ModelError } from './chat-model.js';
import { Clock } from './clock.js';
import { eventsOf } from './server-sent-events.js';

/**
 * Reads the text of a body, up to a number of bytes, and does not wait for the rest.
 * @throws the error with which the stream fails
 */
async function boundedText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (body === null) return { text: '', isWhole: true };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const pieces: string[] = [];
  try {
    for (let left = maxBytes; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(decoder.decode(value.subarray(0, left), { stream: true }));
      left -= value.length;
      if (left < 0) return { text: pieces.join(''), isWhole: false };
    }
    return { text: pieces.join('') + decoder.decode(), isWhole: true };
  } finally {
    await reader.cancel().catch(() => {});
  }
}

export interface Prices {
  /** The price of a million input tokens; `output` is that of a million output tokens. */
  readonly input: number;
  readonly output: number;
}

/** The options of all models behind an HTTP endpoint. */
export interface EndpointOptions {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In tokens. @default the window of the conversation's model */
  readonly contextWindow?: number | undefined;
  readonly prices?: Prices | undefined;
  /** @default 3 */
  readonly maxRetries?: number | undefined;
  /** The limit for one attempt, in ms. @default 120_000 */
  readonly timeoutMs?: number | undefined;
  /** The limit for the wait for the next piece of an answer, in ms. @default 30_000 */
  readonly idleTimeoutMs?: number | undefined;
  /** The delay before the second attempt, in ms. It doubles with each further attempt. @default 1000 */
  readonly retryDelayMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Waits for the limits and before a retry. Give it where time is not real, as in a test. @default setTimeout */
  readonly wait?: Wait | undefined;
}

export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  body(request: ChatRequest): unknown;
  /** Adds an event of a stream, or a whole answer, to the answer. */
  read(event: unknown, answer: Answer): void;
}

/** The part of an answer that has arrived. */
export class Answer {
  text = '';
  stopReason: Completion['stopReason'] | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}

/** The longest delay before a retry, in ms. A caller that waits longer for a summary is better served by the next stage. */
const longestWait = 60_000;
/** The most bytes that are read of an answer without a stream, and of the body of a failure. */
const longestAnswer = 4_000_000;
const longestFailure = 10_000;
/** A model that does not stop is cut off at this number of characters for each token it may use. */
const charactersPerToken = 16;

/**
 * Asks an endpoint, and retries after temporary failures, with a delay of `retryDelayMs · 2ⁿ` or as long as the server asks for. Once
 * part of the answer has arrived, a failure is final.
 */
export async function completeBy(
  endpoint: Endpoint,
  request: ChatRequest,
  options: EndpointOptions,
): Promise<Completion> {
  const { maxRetries = 3, retryDelayMs = 1000, prices, wait = waiting } = options;
  for (let attempt = 0; ; attempt += 1) {
    const answer = new Answer();
    try {
      await ask(endpoint, request, answer, options);
      return completionOf(answer, prices);
    } catch (error) {
      request.signal.throwIfAborted();
      const failure =
        error instanceof ModelError
          ? error
          : new ModelError('network', `The model server could not be reached (${nameOf(error)})`);
      if (!failure.isRetryable || attempt >= maxRetries || answer.text !== '') throw failure;
      const ms = Math.min(longestWait, failure.retryAfterMs ?? retryDelayMs * 2 ** attempt);
      await pause(ms, request.signal, wait);
    }
  }
}

function nameOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  return typeof cause === 'string' ? cause : error instanceof Error ? error.name : 'unknown';
}

async function ask(
  { url, headers, body, read }: Endpoint,
  request: ChatRequest,
  answer: Answer,
  { fetch: send = fetch, timeoutMs = 120_000, idleTimeoutMs = 30_000, wait = waiting }: EndpointOptions,
): Promise<void> {
  const clock = new Clock(request.signal, timeoutMs, idleTimeoutMs, wait);
  try {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body(request)),
      // A redirect that is followed would send the key and the conversation to another server.
      redirect: 'manual',
      signal: clock.signal,
    });
    clock.tick();
    if (isRedirect(response)) throw await redirected(response);
    if (!response.ok) throw await failureOf(response);
    if (response.body === null) throw new ModelError('malformed', 'The model server answered without a body');
    if (!/event-stream/.test(response.headers.get('content-type') ?? '')) {
      const { text, isWhole } = await boundedText(response.body, longestAnswer);
      if (!isWhole) throw new ModelError('malformed', 'The model server sent an answer that is too large');
      read(parsed(text), answer);
      return;
    }
    for await (const data of eventsOf(response.body)) {
      clock.tick();
      if (data === '[DONE]') return;
      read(parsed(data), answer);
      if (answer.text.length > request.maxTokens * charactersPerToken) {
        answer.stopReason = 'length';
        return;
      }
    }
    if (answer.stopReason === undefined) throw new ModelError('network', 'The answer ended too early');
  } catch (error) {
    throw clock.expired ?? error;
  } finally {
    clock.stop();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelError('malformed', 'The model server answered with something that is not JSON');
  }
}

/** Whether a response is a redirect. A browser shows only its type. */
function isRedirect({ status, type, redirected }: Response): boolean {
  return (status >= 300 && status < 400) || type === 'opaqueredirect' || redirected;
}

async function redirected(response: Response): Promise<ModelError> {
  await response.body?.cancel().catch(() => {});
  const { status } = response;
  const problem = `The model server redirects the request (HTTP ${status}), which is not followed; set baseUrl`;
  return new ModelError('redirect', problem, { status });
}

async function failureOf(response: Response): Promise<ModelError> {
  const { status } = response;
  const body = await boundedText(response.body, longestFailure).then(
    ({ text }) => text,
    () => '',
  );
  const retryAfterMs = waitOf(response.headers.get('retry-after'));
  const fail = (kind: ModelError['kind'], problem: string) =>
    new ModelError(kind, `${problem} (HTTP ${status})`, { status, retryAfterMs });
  if (status === 401 || status === 403) return fail('auth', 'The model server refused the key');
  if (status === 429) return fail('rate-limit', 'The model server asks to wait');
  if (isOverflowError({ status, body }))
    return fail('overflow', 'The history is larger than the model’s window');
  if (status === 408 || status === 409 || status >= 500) return fail('server', 'The model server failed');
  return fail('request', 'The model server refused the request');
}

/** The wait that a `retry-after` header asks for, in ms. The header has seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function pause(ms: number, signal: AbortSignal, wait: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = wait(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function completionOf(
  { text, stopReason, inputTokens, outputTokens }: Answer,
  prices: Prices | undefined,
): Completion {
  const usage =
    inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
  const cost =
    usage && prices && (usage.inputTokens * prices.input + usage.outputTokens * prices.output) / 1_000_000;
  return { text: withoutThinking(text), stopReason: stopReason ?? 'other', usage, cost };
}

/** Removes reasoning, which local models write before their answer. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>\s*/, '');
}

/** A variable of the environment; undefined if there is no environment, as in a browser. */
export function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}

/** The fields of a value of unknown type; none if it is not an object. */
export function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {};
}
