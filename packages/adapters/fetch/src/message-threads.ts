import { RecentMap, type SealedStates, type Warnings } from '@ctx/conversation';
import { ConfigError } from '@ctx/core';
import { type Fields, isFields, isOverflowError, parseJson, stringifyJson } from '@ctx/core/codec';
import { digestOf } from '@ctx/core/kit';
import type { Told } from './answer-reader.js';
import type { ContextFetchOptions } from './fetch-options.js';
import { anthropicAnswers } from './hidden/anthropic-answers.js';
import { JsonSource } from './json-source.js';

/** What is known of a message thread of Anthropic up to an answer. */
interface KnownThread {
  /** The fields that the provider keeps from the request that created the thread. */
  readonly fixed: Fields;
  /** Everything that was said, as the client has it. */
  readonly said: readonly unknown[];
  /** A number for each message that the provider has in its place. */
  readonly held: readonly number[];
}

/** The same as it is kept: `said` has what is new since the answer before. */
export interface StoredLink extends KnownThread {
  readonly before: string | undefined;
}

/** Threads that are remembered, as many as there may be conversations in memory. Each holds what was said in it. */
const mostThreads = 200;

/** @throws ConfigError `config-invalid` */
export function refuseThreads({ threads, hiddenTool, config }: ContextFetchOptions): void {
  const isKnown = threads === undefined || threads === 'pass' || threads === 'replay';
  const isUnreadable = threads === 'replay' && hiddenTool !== undefined && config?.arrivals;
  if (isKnown && !isUnreadable) return;
  const problem = isKnown
    ? 'Results are shortened at arrival, and in threads there is no recall that reads the rest'
    : 'There is no such way to treat message threads';
  const remedy = isKnown
    ? 'Leave out one of threads, config.arrivals and recall.'
    : "Give 'pass' or 'replay', or leave it out.";
  throw new ConfigError({ code: 'config-invalid', problem, place: 'threads', value: threads, remedy });
}

/**
 * Knows what was said in message threads, of which a client sends only what is new, so that a request can be managed as if it brought
 * everything. A thread that is not known here passes as it is.
 */
export class MessageThreads {
  /** By the credentials and the id of the newest answer, with which a client goes on. */
  readonly #known = new RecentMap<string, KnownThread>(mostThreads);
  /** Requests of threads of which it is not known what was said before. */
  readonly #unknown = new WeakSet<object>();

  /** @param links by the credentials and the id of an answer, what is new in it and its request */
  constructor(
    readonly links: SealedStates<StoredLink>,
    readonly warnings: Warnings,
  ) {}

  /**
   * A request of a thread; `undefined` for another one, and `unknown` if it is not known what was said before.
   * @param sender whose threads nobody else can go on with
   */
  async requestOf(
    call: object,
    source: JsonSource,
    sender: string,
  ): Promise<ThreadRequest | 'unknown' | undefined> {
    const { thread, messages: added } = source.value as Fields;
    if (!isFields(thread)) return undefined;
    if (thread.type === 'create') return new ThreadRequest(this, sender, source);
    if (thread.type !== 'continue') return undefined;
    const id = String(thread.previous_message_id);
    const known = this.#known.get(`${sender} ${id}`) ?? (await this.#stored(sender, id));
    if (known === undefined || !Array.isArray(added)) {
      this.#unknown.add(call);
      this.warnings.once('thread-unknown', unknownThread);
      return 'unknown';
    }
    const messages = [...known.said, ...added];
    const whole = source.withMembers({ ...known.fixed, thread: { type: 'create' }, messages });
    return new ThreadRequest(this, sender, new JsonSource(whole), { source, known, id });
  }

  /** What a client is told if its provider refuses an unknown thread as too large; otherwise `undefined`. */
  async refused(call: object, response: Response): Promise<Response | undefined> {
    if (response.ok || !this.#unknown.has(call)) return undefined;
    const refusal = { status: response.status, message: await response.clone().text() };
    if (!isOverflowError(refusal)) return undefined;
    const message = 'ctx does not know what was said in this thread, and it is too large to be continued';
    const error = { type: 'not_found_error', message, details: { error_code: 'thread_not_found' } };
    return Response.json({ type: 'error', error }, { status: 404 });
  }

  /** Notes what can be gone on with, and how it is kept. It is in memory at once. */
  async answered(sender: string, id: string, known: KnownThread, link: StoredLink): Promise<void> {
    this.#known.set(`${sender} ${id}`, known);
    // No answer can be continued twice.
    this.#known.delete(`${sender} ${link.before}`);
    await this.links.change(secretOf(sender, id), () => link);
  }

  async #stored(sender: string, id: string): Promise<KnownThread | undefined> {
    const links: StoredLink[] = [];
    const ids = new Set<string>();
    for (let at: string | undefined = id; at !== undefined; at = links[0]?.before) {
      const link = ids.has(at) ? undefined : await this.links.get(secretOf(sender, at), true);
      if (link === undefined) return undefined;
      ids.add(at);
      links.unshift(link);
    }
    const { fixed, held } = links.at(-1) as StoredLink;
    return { fixed, held, said: links.flatMap(({ said }) => said) };
  }
}

/** What only those know who have the credentials and the newest answer. */
const secretOf = (sender: string, id: string) => `thread ${sender} ${id}`;

const unknownThread =
  'A message thread began where ctx could not see it, so its requests pass unchanged until the client sends the whole history. If the provider refuses one as too large, the client gets `thread_not_found`, upon which SDKs send everything';

/** One request of a thread. */
export class ThreadRequest {
  #sent: readonly number[] = [];

  /**
   * @param whole the request with everything that was said, as if it created the thread
   * @param delta the request as it came, if it continues a thread
   */
  constructor(
    readonly threads: MessageThreads,
    readonly sender: string,
    readonly whole: JsonSource,
    readonly delta?: { readonly source: JsonSource; readonly known: KnownThread; readonly id: string },
  ) {}

  /**
   * What to send: what is new, if the provider has the rest as it is to be; otherwise everything, in a new thread.
   * @param written the whole request with the conversation as it is to be; `undefined` for all that was said
   * @returns `undefined` for the request as it came
   */
  body(written: string | undefined): string | undefined {
    const messages = listIn(written === undefined ? this.whole.value : parseJson(written));
    this.#sent = messages.map(numberOf);
    if (this.delta === undefined) return written;
    const { source, known } = this.delta;
    if (known.held.some((one, at) => one !== this.#sent[at])) return written ?? this.whole.text;
    const added = messages.slice(known.held.length);
    const isSame = stringifyJson(added) === stringifyJson(listIn(source.value));
    return isSame ? undefined : source.withMembers({ messages: added });
  }

  /** Notes an answer: the client goes on with its id. */
  answered(id: unknown, entries: readonly unknown[]): Promise<void> | undefined {
    // Some gateways give all answers one id: then nobody can tell what was said before.
    if (typeof id !== 'string' || id === this.delta?.id || entries.length === 0) return undefined;
    const before = this.delta?.known.said ?? [];
    const { system, tools } = this.whole.value as Fields;
    const fixed = { ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) };
    const added = [...listIn(this.whole.value).slice(before.length), ...entries].map(unmarked);
    const known = { fixed, said: [...before, ...added], held: [...this.#sent, ...entries.map(numberOf)] };
    return this.threads.answered(this.sender, id, known, { ...known, said: added, before: this.delta?.id });
  }

  /** Is given an answer as one JSON, or event by event. */
  reader(): NonNullable<Told['answer']> {
    const stream = anthropicAnswers.stream('');
    let id: unknown;
    return (value) => {
      if (!isFields(value)) return undefined;
      if (isFields(value.message)) id = value.message.id;
      stream.take(value, { data: '' });
      if (value.type === 'message_stop') return this.answered(id, stream.entries());
      const whole = value.type === 'message' ? anthropicAnswers.read(value) : undefined;
      return whole && this.answered(value.id, whole);
    };
  }
}

const listIn = (body: unknown) => (body as { readonly messages: readonly unknown[] }).messages;

const numberOf = (message: unknown) => digestOf(0, stringifyJson(unmarked(message)));

/** A message without its cache markers: all of a thread together are more than one request may have. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isFields(value)) return value;
  const { cache_control: _, ...rest } = value;
  // The input of a call is the model's own.
  const members = Object.entries(rest).map(([key, one]) => [key, key === 'input' ? one : unmarked(one)]);
  return Object.fromEntries(members);
}
