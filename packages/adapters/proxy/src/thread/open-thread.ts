import { codeOf, type OnWarning, Warnings } from '@ctx/conversation';
import type { Wait } from '@ctx/core';
import type { PreparedRequest, RequestPreparer } from '@ctx/fetch';
import { withOptionsIn } from '../config-file.js';
import {
  type ConversationsPart,
  conversationsPart,
  type OpenConversations,
  openConversations,
} from '../conversations.js';
import { invalid } from '../upstreams.js';
import { Thread } from './thread.js';
import type { CopiedCall } from './thread-calls.js';
import { ThreadedRequest } from './threaded-request.js';

type FetchCall = Parameters<RequestPreparer['prepare']>[0];

/** Ms between two beginnings of a thread, if the first did not last longer: in between, requests are sent unchanged. */
const longestHaste = 1_000;

/**
 * Opens a thread that keeps conversations. It begins with the first request.
 * @param file a file with more options
 * @param wait waits between two questions for a sign of life
 * @throws ConfigError `config-invalid` for options that cannot work, or cannot be passed to another thread; `package-missing`
 */
export async function openThread(
  options: ConversationsPart,
  file: string | undefined,
  onWarning: OnWarning,
  wait?: Wait,
): Promise<OpenConversations> {
  const kept = Object.entries(options).find(([, value]) => !isPlain(value));
  if (kept !== undefined)
    throw invalid(
      kept[0],
      typeof kept[1],
      'It cannot be passed to another thread: it is or contains a function',
      'Make it part of the default export of a module, such as { strategies: […] }, and give the path of the module as `thread`; or leave `thread` out.',
    );
  await tried(options, file);
  const threads = new Threads(() => Thread.begun({ options, file }, onWarning, wait), onWarning);
  return { preparer: threads, begin: () => threads.begin(), close: () => threads.close() };
}

/** Throws what the thread would end with: it begins with the first request, and until then the process takes half of the memory. */
async function tried(options: ConversationsPart, file: string | undefined): Promise<void> {
  const all = file === undefined ? options : conversationsPart(await withOptionsIn(file, options));
  const conversations = await openConversations(all, () => {});
  await conversations.close();
}

/**
 * Prepares requests in a thread, which takes the bytes of their bodies with it, and in a new one where that has ended: the conversations go
 * on with what the store has of them.
 */
class Threads implements RequestPreparer {
  /** Missing where none has begun, or it has ended; resolves to nothing where it could not begin. */
  #thread: Promise<Thread | undefined> | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #warnings: Warnings;

  constructor(
    readonly make: () => Promise<Thread>,
    onWarning: OnWarning,
  ) {
    this.#warnings = new Warnings(onWarning);
  }

  async begin(): Promise<void> {
    const thread = await this.#running();
    // That it has ended is told by itself.
    await thread?.calls.warmUp().catch(() => {});
  }

  prepare(call: FetchCall): Promise<PreparedRequest | undefined> {
    return this.#warnings.attempt(async () => {
      const thread = await this.#running();
      if (thread === undefined) return undefined;
      const signal = call.init?.signal ?? undefined;
      const id = thread.number();
      const asked = thread.calls.prepare(id, copyOf(call));
      thread.untilEnd(id, signal);
      const copy = await thread.working(asked).catch((error: unknown) => {
        // That the thread has ended is told by itself.
        if (!thread.calls.$closed) throw error;
        return undefined;
      });
      return copy && new ThreadedRequest(thread, id, copy);
    });
  }

  async archived(): Promise<void> {
    const thread = await this.#thread;
    await thread?.calls.archived().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread;
    if (thread !== undefined) await thread.working(thread.calls.close()).catch(() => {});
    await thread?.end();
  }

  #running(): Promise<Thread | undefined> | undefined {
    if (this.#thread !== undefined || this.#isClosed) return this.#thread;
    if (performance.now() - this.#begunAt < longestHaste) return undefined;
    this.#begunAt = performance.now();
    this.#thread = this.#watched(this.make());
    return this.#thread;
  }

  /** The same thread, which makes room for another one when it has ended, or could not begin. */
  async #watched(beginning: Promise<Thread>): Promise<Thread | undefined> {
    try {
      const thread = await beginning;
      void thread.ended.then((reason) => this.#lost(reason));
      return thread;
    } catch (error) {
      this.#lost(error);
      return undefined;
    }
  }

  #lost(reason: unknown): void {
    this.#thread = undefined;
    if (this.#isClosed) return;
    const name = reason instanceof Error ? codeOf(reason) : String(reason);
    const message = `The thread that keeps the conversations has ended (${name}). Requests are sent unchanged until a new thread has started from what is in the store.`;
    this.#warnings.once('thread-ended', message, name);
  }
}

function copyOf({ input, init }: FetchCall): CopiedCall {
  return {
    url: String(input),
    headers: [...new Headers(init?.headers)],
    body: init?.body as Uint8Array<ArrayBuffer>,
  };
}

/** True for what another thread has after a copy as it was: values of JSON, and `undefined`. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol';
  const isList = Array.isArray(value);
  return (isList || Object.getPrototypeOf(value) === Object.prototype) && Object.values(value).every(isPlain);
}
