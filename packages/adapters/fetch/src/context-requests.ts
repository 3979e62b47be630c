import type { ReportedUsage } from '@ctx/conversation';
import { type Wait, waiting } from '@ctx/core';
import type { Told } from './answer-reader.js';
import type { ContextFetchOptions } from './fetch-options.js';
import { answeredWithHidden } from './hidden/hidden-answer.js';
import type { ManagedRequest, RequestReport } from './managed-request.js';
import { RequestPreparer } from './request-preparer.js';
import { type FetchCall, replayable, withBody } from './request-text.js';
import { watched } from './watched-answer.js';

export interface SendingOptions {
  /** Sends this request. @default as the options of all say */
  readonly send?: typeof fetch;
  /** Is told, when the answer has passed, what the provider counted. */
  readonly onUsage?: (report: RequestReport, usage: ReportedUsage) => void;
}

/** An answer, and what was sent to get it. */
export interface SentRequest {
  readonly response: Response;
  /** Missing if the request was sent unchanged because ctx does not know it, or failed. */
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
  readonly #preparer: RequestPreparer;
  readonly #isDryRun: boolean;
  readonly #send: typeof fetch;
  readonly #wait: Wait;

  constructor(options: ContextFetchOptions = {}) {
    this.#preparer = new RequestPreparer(options);
    this.#isDryRun = options.dryRun ?? false;
    this.#send = options.send ?? ((input, init) => fetch(input, init));
    this.#wait = options.wait ?? waiting;
  }

  /** Waits until what was removed from the views is in the archive, or could not be put there. Call it before an archive is closed. */
  archived(): Promise<void> {
    return this.#preparer.archived();
  }

  /** Sends a request as `fetch` does, and throws what `send` throws. */
  async send(
    input: string | URL | Request,
    init: RequestInit | undefined,
    { send = this.#send, onUsage = () => {} }: SendingOptions = {},
  ): Promise<SentRequest> {
    const call = await replayable({ input, init });
    const request = await this.#preparer.prepare(call, send);
    if (request === undefined) {
      const response = await send(call.input, call.init);
      const refused = await this.#preparer.threads?.refused(call, response);
      return refused === undefined ? { response } : { response: refused, isRewritten: true };
    }
    const sending = { send, onUsage };
    const sent = await this.#exchange(call, request, sending);
    const { facts } = request;
    if (facts?.hidden === undefined || facts.purpose === 'count') return sent;
    const { manager } = facts.turn.conversation;
    const sendMore = async (entries: readonly unknown[], isWithoutTool: boolean) => {
      const next = await this.#preparer.continued(facts, entries, isWithoutTool);
      return (await this.#exchange(call, next, sending)).response;
    };
    const answered = answeredWithHidden(sent.response, facts.hidden, manager, sendMore);
    // If the answer cannot be continued, send the original request.
    const response = await answered.catch(() => undefined);
    if (response === undefined) return { response: await send(call.input, call.init) };
    return { ...sent, response, isRewritten: true };
  }

  /** Sends what was prepared, and smaller if it was too large. */
  async #exchange(
    call: FetchCall,
    request: ManagedRequest,
    { send, onUsage }: Required<SendingOptions>,
  ): Promise<SentRequest> {
    for (;;) {
      const { body } = request;
      const isDryRun = this.#isDryRun && body !== undefined;
      const report = request.report(isDryRun);
      const next = body === undefined || isDryRun ? call : withBody(call, body);
      const response = await send(next.input, next.init);
      if (response.ok)
        void request.sender.accepted(response.headers.get('anthropic-organization-id') ?? undefined);
      if (request.purpose === 'count') return { response, report };
      const told: Told = {
        answer: request.facts?.thread?.reader(),
        usage: (usage) => {
          // In a dry run another request was sent than the manager has counted.
          if (!isDryRun) request.turn.answered(usage);
          onUsage(report, usage);
        },
        // The answer has begun, so only the next request can be smaller.
        overflow: (overflow) => void (isDryRun || request.recovered(overflow)),
      };
      const answer = await watched(response, told, this.#wait);
      const isOverflow = answer.overflow !== undefined && !this.#isDryRun;
      const isAgain = isOverflow
        ? await request.recovered(answer.overflow)
        : !this.#isDryRun && request.needsLeadingUser(response.status);
      if (!isOverflow && !isAgain) request.taken();
      if (!isAgain) return { response: answer.response, report };
      // Discard the answer, which frees its connection.
      answer.response.body?.cancel().catch(() => {});
    }
  }
}

/**
 * A `fetch` for the SDKs of OpenAI, Anthropic and Google, the AI SDK and LangChain, which keeps each conversation that passes through it
 * inside the window of its model, and sends a smaller one if the provider says that it was too large. Whatever ctx does not understand, or
 * fails to do, is sent unchanged.
 * @throws ConfigError as `createContextManager`; the function itself throws what `send` throws
 */
export function contextFetch(options: ContextFetchOptions = {}): typeof fetch {
  const requests = new ContextRequests(options);
  return async (input, init) => (await requests.send(input, init)).response;
}
