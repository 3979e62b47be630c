import { type ConversationsOptions, refuseOptions } from '@ctx/conversation';
import { type AnswerUsage, usageOf } from './answer-usage.js';
import type { ContextRequest } from './conversation-key.js';
import type { HiddenTool } from './hidden/hidden-tool.js';
import { type Managed, ManagedRequests, type Prepared } from './managed-requests.js';
import { type RequestReport, reportOf } from './request-report.js';
import { type FetchCall, withText } from './request-text.js';
import { watched } from './watched-answer.js';

export interface ContextRequestsOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a request belongs to.
   * @default a session that the request names in a header or field, and the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((request: ContextRequest) => string | undefined) | undefined;
  /**
   * A tool that is offered to the model from the first request of a conversation on, where that has tools, and answered on the way. The
   * agent sees neither its calls nor its results. It needs an `archive` to find anything. In a dry run it is not offered. @default none
   */
  readonly hiddenTool?: HiddenTool | undefined;
  /** Sends every request as it came, and reports what ctx would have sent. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface SendingOptions {
  /** Sends a request. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
  /** Is told, when the answer has passed, what the provider counted. */
  readonly onUsage?: ((report: RequestReport, usage: AnswerUsage) => void) | undefined;
}

type Sending = { readonly [Key in keyof SendingOptions]-?: NonNullable<SendingOptions[Key]> };

/** An answer, and what was sent to get it. */
export interface SentRequest {
  readonly response: Response;
  /** Missing if the request went out as it came because ctx does not know it, or failed. */
  readonly report?: RequestReport | undefined;
  /** True if the answer may have another length than the provider's. */
  readonly isRewritten?: boolean | undefined;
}

/**
 * Sends requests and keeps the conversations in them inside the window of their model; `contextFetch` for those who want to know more of
 * each request than its answer.
 * @throws ConfigError as `createContextManager`
 */
export class ContextRequests {
  readonly #requests: ManagedRequests;
  readonly #isDryRun: boolean;
  /** Conversations that the provider refused because they begin with an answer. */
  readonly #needLine = new WeakSet<object>();

  constructor(options: ContextRequestsOptions = {}) {
    refuseOptions(options, ['conversation', 'dryRun', 'hiddenTool']);
    const { conversation, dryRun = false, hiddenTool, ...rest } = options;
    this.#requests = new ManagedRequests(conversation, rest, dryRun ? undefined : hiddenTool);
    this.#isDryRun = dryRun;
  }

  /** Waits until what left the views is in the archive, or could not be put there. Call it before an archive is closed. */
  archived(): Promise<void> {
    return this.#requests.archived();
  }

  /** Sends a request as `fetch` does, and throws what `send` throws. */
  async send(
    input: string | URL | Request,
    init: RequestInit | undefined,
    { send = fetch, onUsage = () => {} }: SendingOptions = {},
  ): Promise<SentRequest> {
    const call: FetchCall = { input, init };
    const prepared = await this.#requests.prepare(call);
    if (prepared === undefined) return { response: await send(input, init) };
    const sending = { send, onUsage };
    const sent = await this.#exchange(call, prepared, sending);
    const { managed } = prepared;
    if (managed.hidden === undefined || managed.purpose === 'count') return sent;
    const answered = managed.hidden.answered(sent.response, {
      source: () => managed.turn.conversation.manager,
      send: async (entries) => {
        const next = await this.#requests.continued(call, managed, entries);
        return (await this.#exchange(call, next, sending)).response;
      },
    });
    // What can not be continued is asked anew, as it came.
    const response = await answered.catch(() => undefined);
    if (response === undefined) return { response: await send(input, init) };
    return { ...sent, response, isRewritten: true };
  }

  /** Sends what was prepared, and smaller if it was too large. */
  async #exchange(
    call: FetchCall,
    { managed, text: prepared, isOnlyLine }: Prepared,
    { send, onUsage }: Sending,
  ): Promise<SentRequest> {
    const { turn } = managed;
    const { conversation } = turn;
    // A provider that takes what the agent sends gets it as it came.
    let text = isOnlyLine && !this.#needLine.has(conversation) ? undefined : prepared;
    for (let retries = 0; ; retries += 1) {
      const isDryRun = this.#isDryRun && text !== undefined;
      const report = this.#report(managed, text, { retries, isDryRun });
      const next = text === undefined || isDryRun ? call : withText(call, text);
      const response = await send(next.input, next.init);
      if (managed.purpose === 'count') return { response, report };
      const answer = await watched(response, (value) => {
        // The manager learns of its own view only.
        if (!isDryRun) void turn.answered(value);
        const usage = usageOf(value);
        if (usage !== undefined) onUsage(report, usage);
      });
      const isRefused = isOnlyLine && text === undefined && response.status === 400 && !this.#isDryRun;
      if (isRefused && !('overflow' in answer)) {
        this.#needLine.add(conversation);
        text = prepared;
      } else {
        if (!('overflow' in answer) || this.#isDryRun) {
          turn.taken();
          return { response: answer.response, report };
        }
        const smaller = await this.#requests.recovered(call, managed, answer.overflow);
        if (smaller === undefined) return { response: answer.response, report };
        text = smaller;
      }
      // Nobody will read it; its connection is free again.
      answer.response.body?.cancel().catch(() => {});
    }
  }

  #report(
    { purpose, turn, form, model, source }: Managed,
    text: string | undefined,
    sent: Pick<RequestReport, 'retries' | 'isDryRun'>,
  ): RequestReport {
    const before = source.text.length;
    const { provider } = form;
    return reportOf(turn, { provider, model }, { ...sent, purpose, before, after: text?.length ?? before });
  }
}
