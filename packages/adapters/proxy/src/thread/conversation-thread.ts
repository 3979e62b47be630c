import type { OnWarning, ReportedUsage } from '@ctx/conversation';
import type { HiddenExchange, PreparedRequest } from '@ctx/fetch';
import { withOptionsIn } from '../config-file.js';
import { conversationsPart, type OpenConversations, openConversations } from '../conversations.js';
import { failureOf } from './start-failure.js';
import type {
  ConversationCalls,
  CopiedCall,
  CopiedRequest,
  StartFailure,
  ThreadStart,
} from './thread-calls.js';

/** A request whose exchange has not ended. */
interface Open {
  /** Of the exchange; requests with which it goes on have the same. */
  readonly gone: AbortController;
  request?: PreparedRequest | undefined;
}

/** One for all: a reason of its own would be made with each exchange, also where nobody asks for it. */
const exchangeEnded = new Error('The exchange has ended.');

/** Keeps conversations for the thread of the server. */
export class ConversationThread implements ConversationCalls {
  readonly #open = new Map<number, Open>();
  #conversations: OpenConversations | undefined;

  constructor(
    readonly begin: ThreadStart,
    readonly onWarning: OnWarning,
  ) {}

  async start(): Promise<StartFailure | undefined> {
    const { options, file } = this.begin;
    try {
      const all = file === undefined ? options : conversationsPart(await withOptionsIn(file, options));
      this.#conversations = await openConversations(all, this.onWarning);
      return undefined;
    } catch (error) {
      return failureOf(error);
    }
  }

  async warmUp(): Promise<void> {
    await this.#conversations?.begin();
  }

  alive(): void {}

  async prepare(id: number, { url, headers, body }: CopiedCall): Promise<CopiedRequest | undefined> {
    const open = this.#begun(id);
    const init = {
      method: 'POST',
      headers: new Headers(headers as [string, string][]),
      body,
      signal: open.gone.signal,
    };
    const request = await this.#conversations?.preparer.prepare({ input: url, init });
    // The request that has begun this thread does not wait for that as well.
    setImmediate(() => void this.warmUp());
    return this.#known(open, request);
  }

  async recovered(id: number, overflow: unknown): Promise<CopiedRequest | undefined> {
    const open = this.#openAt(id);
    return this.#known(open, await open.request?.recovered(overflow));
  }

  async continued(
    id: number,
    next: number,
    entries: readonly unknown[],
    isWithoutTool: boolean,
  ): Promise<CopiedRequest> {
    const open = this.#begun(next, this.#openAt(id).gone);
    return this.#known(open, await this.#hidden(id).continued(entries, isWithoutTool)) as CopiedRequest;
  }

  async run(id: number, args: unknown): Promise<string> {
    return this.#hidden(id).run(args);
  }

  async record(id: number, entries: readonly unknown[], results: readonly unknown[]): Promise<void> {
    return this.#hidden(id).record(entries, results);
  }

  lineNeeded(id: number): void {
    this.#open.get(id)?.request?.lineNeeded();
  }

  accepted(id: number, organization: string | undefined): void {
    this.#open.get(id)?.request?.accepted(organization);
  }

  taken(id: number): void {
    this.#open.get(id)?.request?.taken();
  }

  answered(id: number, usage: ReportedUsage): void {
    this.#open.get(id)?.request?.answered(usage);
  }

  ended(id: number): void {
    const ended = this.#open.get(id)?.gone;
    ended?.abort(exchangeEnded);
    for (const [other, { gone }] of this.#open) if (gone === ended) this.#open.delete(other);
  }

  async archived(): Promise<void> {
    await this.#conversations?.preparer.archived();
  }

  async close(): Promise<void> {
    await this.#conversations?.close();
  }

  exit(): void {
    process.exit();
  }

  #begun(id: number, gone = new AbortController()): Open {
    const open = { gone };
    this.#open.set(id, open);
    return open;
  }

  #known(open: Open, request: PreparedRequest | undefined): CopiedRequest | undefined {
    if (request === undefined) return undefined;
    open.request = request;
    return copyOf(request);
  }

  #openAt(id: number): Open {
    const open = this.#open.get(id);
    if (open === undefined) throw exchangeEnded;
    return open;
  }

  #hidden(id: number): HiddenExchange {
    const hidden = this.#openAt(id).request?.hidden;
    if (hidden === undefined) throw new Error('No tool is hidden here.');
    return hidden;
  }
}

function copyOf({ purpose, body, isOnlyLine, needsLine, report, hidden }: PreparedRequest): CopiedRequest {
  return {
    purpose,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : undefined,
    isOnlyLine,
    needsLine,
    report,
    hidden: hidden && { name: hidden.name, form: hidden.form },
  };
}
