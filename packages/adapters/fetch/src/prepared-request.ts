import type { ReportedUsage } from '@ctx/conversation';
import type { AnswerFormName } from './hidden/answer-forms.js';
import type { Purpose } from './request-purpose.js';
import type { PreparedReport } from './request-report.js';
import type { FetchCall } from './request-text.js';

/** Finds the conversations of requests, and says what to send in their place: in this thread or in another one. None of its functions rejects. */
export interface RequestPreparer {
  /**
   * `undefined` if the request is to be sent unchanged.
   * @param send sends what a model is asked besides, such as for a summary. @default the global `fetch`
   */
  prepare(call: FetchCall, send?: typeof fetch): Promise<PreparedRequest | undefined>;
  /** Waits until what was removed from the views is in the archive, or could not be put there. */
  archived(): Promise<void>;
}

/** A request of a conversation as it is to be sent. */
export interface PreparedRequest {
  readonly purpose: Purpose;
  /** `undefined` for the original body. */
  readonly body: string | Uint8Array | undefined;
  /** True if nothing is different but a line with which a history begins that begins with an answer, as some providers want it. */
  readonly isOnlyLine: boolean;
  /** True if the provider refused this conversation without that line. */
  readonly needsLine: boolean;
  readonly report: PreparedReport;
  /** `undefined` where no hidden tool is offered. */
  readonly hidden: HiddenExchange | undefined;
  /**
   * The request after an overflow; `undefined` if there is no smaller one. After `taken` there is none either, but what is said next in the
   * conversation will be smaller.
   */
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
  /** Is told what the answer reports. */
  answered(usage: ReportedUsage): void;
}

/** What answering a hidden tool on the way needs of the conversation that it is offered in. */
export interface HiddenExchange {
  /** The name of the tool. */
  readonly name: string;
  /** How the answers of this API are read. */
  readonly form: AnswerFormName;
  /** Answers a call. */
  run(args: unknown): Promise<string>;
  /** Notes an answer of which the agent is shown only a part. */
  record(entries: readonly unknown[], results: readonly unknown[]): Promise<void>;
  /**
   * The same request with more entries at the end of its history.
   * @param isWithoutTool true to offer the tool no longer: the model has called it too often
   */
  continued(entries: readonly unknown[], isWithoutTool: boolean): Promise<PreparedRequest>;
}
