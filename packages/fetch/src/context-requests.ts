import { type ConversationsOptions, refuseOptions } from '@ctx/conversation';
import { type AnswerUsage, usageOf } from './answer-usage.js';
import type { ContextRequest } from './conversation-key.js';
import { type Managed, ManagedRequests } from './managed-requests.js';
import { type RequestReport, reportOf } from './request-report.js';
import { type FetchCall, withText } from './request-text.js';
import { watched } from './watched-answer.js';

export interface ContextRequestsOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a request belongs to.
   * @default a session that the request names in a header or field, and the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((request: ContextRequest) => string | undefined) | undefined;
  /** Sends every request as it came, and reports what ctx would have sent. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface SendingOptions {
  /** Sends a request. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
  /** Is told, when the answer has passed, what the provider counted. */
  readonly onUsage?: ((report: RequestReport, usage: AnswerUsage) => void) | undefined;
}

/** An answer, and what was sent to get it. */
export interface SentRequest {
  readonly response: Response;
  /** Missing if the request went out as it came because ctx does not know it, or failed. */
  readonly report?: RequestReport | undefined;
}

/**
 * Sends requests and keeps the conversations in them inside the window of their model; `contextFetch` for those who want to know more of
 * each request than its answer.
 * @throws ConfigError as `createContextManager`
 */
export class ContextRequests {
  readonly #requests: ManagedRequests;
  readonly #isDryRun: boolean;

  constructor(options: ContextRequestsOptions = {}) {
    refuseOptions(options, ['conversation', 'dryRun']);
    const { conversation, dryRun = false, ...rest } = options;
    this.#requests = new ManagedRequests(conversation, rest);
    this.#isDryRun = dryRun;
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
    const { managed } = prepared;
    let { text } = prepared;
    for (let retries = 0; ; retries += 1) {
      const isDryRun = this.#isDryRun && text !== undefined;
      const report = this.#report(managed, text, { retries, isDryRun });
      const next = text === undefined || isDryRun ? call : withText(call, text);
      const response = await send(next.input, next.init);
      if (managed.purpose === 'count') return { response, report };
      const answer = await watched(response, (value) => {
        // The manager learns of its own view only.
        if (!isDryRun) void managed.turn.answered(value);
        const usage = usageOf(value);
        if (usage !== undefined) onUsage(report, usage);
      });
      if (!('overflow' in answer) || this.#isDryRun) return { response: answer.response, report };
      const smaller = await this.#requests.recovered(call, managed, answer.overflow);
      if (smaller === undefined) return { response: answer.response, report };
      // Nobody will read it; its connection is free again.
      answer.response.body?.cancel().catch(() => {});
      text = smaller;
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
