import type { FetchCall, PreparedRequest, RequestPreparer } from '@ctx/fetch';
import type { ConversationsPart, OnWarning, OpenConversations } from '../conversations.js';
import { invalid } from '../upstreams.js';
import { Thread } from './thread.js';
import type { CopiedCall, ThreadStart } from './thread-calls.js';
import { ThreadedRequest } from './threaded-request.js';

/** Ms between two beginnings of a thread, if the first did not last longer: in between, requests go out as they came. */
const longestHaste = 1_000;

/**
 * Opens a thread that keeps conversations.
 * @param file a file with more options
 * @throws ConfigError `config-invalid` for options that can not work, or can not leave this thread; `package-missing`
 */
export async function openThread(
  options: ConversationsPart,
  file: string | undefined,
  onWarning: OnWarning,
): Promise<OpenConversations> {
  const kept = Object.entries(options).find(([, value]) => !isPlain(value));
  if (kept !== undefined)
    throw invalid(
      kept[0],
      typeof kept[1],
      'It can not go to another thread: it is or holds a function or an object with functions',
      'Export it in a module by default, such as { strategies: […] }, and give the path of that as `thread`; or leave `thread` out.',
    );
  const threads = new Threads({ options, file }, onWarning);
  await threads.begin();
  return { preparer: threads, close: () => threads.close() };
}

/** Prepares requests in a thread, which takes the bytes of their bodies with it, and in a new one where that has ended: the conversations go on with what the store has of them. */
class Threads implements RequestPreparer {
  #thread: Promise<Thread> | undefined;
  #begunAt = 0;
  #isClosed = false;

  constructor(
    readonly start: ThreadStart,
    readonly onWarning: OnWarning,
  ) {}

  begin(): Promise<Thread> {
    this.#begunAt = performance.now();
    const begun = Thread.begun(this.start, this.onWarning);
    this.#thread = begun;
    const lost = () => {
      if (this.#thread === begun) this.#thread = undefined;
    };
    begun.then(({ ended }) => ended.then((reason) => this.#ended(reason)).then(lost), lost);
    return begun;
  }

  async prepare(call: FetchCall): Promise<PreparedRequest | undefined> {
    try {
      const thread = await this.#running();
      if (thread === undefined) return undefined;
      const { signal } = call.init ?? {};
      const id = thread.number();
      const asked = thread.calls.prepare(id, copyOf(call));
      thread.untilEnd(id, signal ?? undefined);
      const copy = await asked;
      return copy && new ThreadedRequest(thread, id, copy, signal ?? undefined);
    } catch {
      return undefined;
    }
  }

  async archived(): Promise<void> {
    await (await this.#thread)?.calls.archived();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.calls.close().catch(() => {});
    await thread?.end();
  }

  #running(): Promise<Thread> | undefined {
    if (this.#thread !== undefined || this.#isClosed) return this.#thread;
    return performance.now() - this.#begunAt < longestHaste ? undefined : this.begin();
  }

  #ended(reason: unknown): void {
    if (this.#isClosed) return;
    const { code, name } = (reason ?? {}) as { readonly code?: unknown; readonly name?: unknown };
    const message = `The thread of the conversations has ended (${String(code ?? name ?? reason)}). A new one goes on with what the store has; requests under way went out as they came.`;
    this.onWarning({ code: 'thread-ended', message });
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
