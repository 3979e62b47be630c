import type { HiddenExchange } from './hidden/hidden-exchange.js';
import type { Purpose } from './request-purpose.js';
import type { RequestReport } from './request-report.js';
import type { FetchCall } from './request-text.js';

/** Finds the conversations of requests, and says what to send in their place: in this thread or in another one. None of its functions rejects. */
export interface RequestPreparer {
  /** `undefined` if the request is to go out as it came. */
  prepare(call: FetchCall): Promise<PreparedRequest | undefined>;
  /** Waits until what left the views is in the archive, or could not be put there. */
  archived(): Promise<void>;
}

/** A request of a conversation as it is to be sent. */
export interface PreparedRequest {
  readonly purpose: Purpose;
  /** `undefined` for the body as it came. */
  readonly body: string | Uint8Array | undefined;
  /** True if nothing is different but a line with which a history begins that begins with an answer, as some providers want it. */
  readonly isOnlyLine: boolean;
  /** True if the provider refused this conversation without that line. */
  readonly needsLine: boolean;
  readonly report: PreparedReport;
  /** `undefined` where no hidden tool is offered. */
  readonly hidden: HiddenExchange | undefined;
  /** The request after an overflow; `undefined` if there is no smaller one. */
  recovered(overflow: unknown): Promise<PreparedRequest | undefined>;
  /** Is told that the provider refused it without the line. */
  lineNeeded(): void;
  /**
   * Is told that the provider has accepted its credentials.
   * @param organization whose they are, as the answer says it
   */
  accepted(organization: string | undefined): void;
  /** Is told that the provider has begun to answer: it will be asked for nothing smaller. */
  taken(): void;
  /** Is told the part of the answer that reports usage. */
  answered(answer: unknown): void;
}

/** What is known of a request before it is sent. */
export type PreparedReport = Omit<RequestReport, 'retries' | 'isDryRun'>;
