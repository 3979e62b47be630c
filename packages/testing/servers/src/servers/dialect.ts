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
  override readonly name = 'Refusal';

  /**
   * @param outcome `invalid` breaks a rule of the conversation, `overflow` is too long, `refused` is everything else
   * @param details what the error says besides its message, as its dialect has it
   */
  constructor(
    readonly outcome: 'invalid' | 'overflow' | 'refused',
    readonly status: number,
    message: string,
    readonly details: Fields = {},
  ) {
    super(message);
  }
}

/** The refusal of a request that breaks a rule. */
export const invalid = (message: string, details?: Fields): Refusal =>
  new Refusal('invalid', 400, message, details);

/** The refusal of a request that is too long. */
export const overflow = (message: string, details?: Fields): Refusal =>
  new Refusal('overflow', 400, message, details);

/** A provider's API, as a server speaks it. */
export interface Dialect {
  /** The endpoint at a path; undefined if there is none. */
  endpoint(path: string, query: URLSearchParams): Endpoint | undefined;
  /** Refuses a request by its headers and query alone, by throwing a {@link Refusal}. */
  admit(headers: Readonly<Record<string, unknown>>, query: URLSearchParams): void;
  /** The form of an error. */
  error(refusal: Pick<Refusal, 'status' | 'message' | 'details'>): Fields;
  /** What is in the header of an error of this status. Default: nothing. */
  headersOf?(status: number): Record<string, string>;
  /**
   * Said with a status: 400 of a body that is not JSON, 404 of a path that there is not, with `REQUEST` for its method and path, 429, and 500
   * and above; those without words of their own have those of 500.
   */
  readonly words: Readonly<Record<400 | 404 | 429 | 500, string> & Partial<Record<number, string>>>;
}

export type StreamType = 'text/event-stream' | 'application/x-ndjson' | 'application/vnd.amazon.eventstream';
export type Piece = string | Buffer;

export interface Endpoint {
  /** Refuses a request as the provider would, by throwing a {@link Refusal}. */
  check(request: Fields): void;
  /** What counts, in the order in which a provider caches it: tools, system prompt, messages. */
  segments(request: Fields): readonly unknown[];
  /** The answer of an endpoint that only counts. */
  counted?(tokens: number): Fields;
  read(request: Fields): Reading;
  /** @param ids makes the ids of the answer */
  answer(request: Fields, turn: Turn, usage: Usage, ids: Ids): Answer;
  overflow(tokens: number, window: number): Refusal;
  /** The window that a request itself sets, in tokens. Missing where requests can't. */
  windowOf?(request: Fields): number | undefined;
  /** A request as the model gets it where the provider cuts one that is too long; undefined where it refuses it. */
  truncated?(request: Fields, fits: (request: Fields) => boolean): Fields | undefined;
  asksForStream(request: Fields): boolean;
  /** The content type of a streamed answer. Default: server-sent events. */
  readonly streamType?: StreamType;
  /** The pieces of a streamed answer, each a whole event. */
  events(body: Fields, request: Fields): readonly Piece[];
  /** A stream that says the request is too long after it began. */
  overflowEvents(error: Fields, request: Fields): readonly Piece[];
}

export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface Answer {
  readonly body: Fields;
  /** What `answered` of the next request will be when the results come; undefined without calls. */
  readonly key?: string | undefined;
}
