import type { Fields } from '@ctx/core/codec';
import type { Reading } from './reading.js';
import type { Turn } from './script.js';

/** Ids in the order in which they are made, so that a run can be repeated. */
export class Ids {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${String(this.#count).padStart(24, '0')}`;
  }
}

/** A request that is answered with the provider's error. */
export class Refusal extends Error {
  /** What is wrong: `invalid` breaks a rule of the conversation, `overflow` is too long, `other` is everything else. */
  readonly kind: 'invalid' | 'overflow' | 'other';
  readonly status: number;
  readonly body: Fields;
  readonly headers: Record<string, string>;

  constructor(
    kind: Refusal['kind'],
    status: number,
    message: string,
    body: Fields,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A provider's API, as a server speaks it. */
export interface Dialect {
  /** The endpoint at a path; undefined if there is none. */
  endpoint(path: string, query: URLSearchParams): Endpoint | undefined;
  /** The refusal of a request by its headers and query alone; undefined if they are fine. */
  gatekeeper(headers: Readonly<Record<string, unknown>>, query: URLSearchParams): Refusal | undefined;
  unknownPath(method: string, path: string): Refusal;
  /** The refusal of a body that is not JSON. */
  notJson(): Refusal;
  /** The error with a status of 429 or 500 and above. */
  failure(status: number): Fields;
}

export type StreamType = 'text/event-stream' | 'application/x-ndjson' | 'application/vnd.amazon.eventstream';
export type Piece = string | Buffer;

export type Endpoint = AnswerEndpoint | CountEndpoint;

interface CommonEndpoint {
  /** Refuses a request as the provider would, by throwing a {@link Refusal}. */
  check(request: Fields): void;
  /** What counts, in the order in which a provider caches it: tools, system prompt, messages. */
  segments(request: Fields): readonly unknown[];
}

export interface CountEndpoint extends CommonEndpoint {
  readonly kind: 'count';
  counted(tokens: number): Fields;
}

export interface AnswerEndpoint extends CommonEndpoint {
  readonly kind: 'answer';
  read(request: Fields): Reading;
  answer(request: Fields, turn: Turn, usage: Usage): Answer;
  overflow(tokens: number, window: number): Refusal;
  /** The window that a request itself sets, in tokens. Missing where requests can't. */
  windowOf?(request: Fields): number | undefined;
  /** A request as the model gets it where the provider cuts one that is too long; undefined where it refuses it. */
  truncated?(request: Fields, fits: (request: Fields) => boolean): Fields | undefined;
  asksForStream(request: Fields): boolean;
  /** The content type of a streamed answer. Default: server-sent events. */
  readonly streamType?: StreamType;
  /** The pieces of a streamed answer, each a whole event. */
  events(answer: Answer, request: Fields): readonly Piece[];
  /** A stream that says the request is too long after it began. */
  overflowEvents(refusal: Refusal, request: Fields): readonly Piece[];
}

export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface Answer {
  readonly body: Fields;
  /** What `answered` of the next request will be when the results come; undefined without calls. */
  readonly key?: string;
}
