import type { ReportedUsage, RequestOf, Turn } from '@ctx/conversation';
import type { Purpose } from './request-purpose.js';
import { type PreparedReport, reportOf } from './request-report.js';
import type { Sender } from './senders.js';
import type { BodySource, WrittenBody } from './written-body.js';

/** A request whose conversation is known. */
export interface Managed extends BodySource {
  readonly purpose: Purpose;
  readonly model: string | undefined;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
  /** How the conversation of the request is found. */
  readonly request: RequestOf;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
}

/** Conversations that the provider refused because they begin with an answer. */
const needLeadingUser = new WeakSet<object>();

/** A request of a conversation as it is to be sent. */
export class PreparedRequest {
  readonly purpose: Purpose;
  /** `undefined` for the original body. */
  readonly body: string | undefined;
  /** True if a first user message is all that was added: some providers refuse a history that begins with an answer. */
  readonly isOnlyLeadingUser: boolean;
  readonly report: PreparedReport;
  readonly turn: Turn<unknown>;
  readonly #sender: Sender;
  /** What another request of the same turn is made of. Missing after `taken`, unless a hidden tool may be called. */
  managed: Managed | undefined;
  /** True once the provider has begun to answer: it is asked for nothing smaller. */
  isTaken = false;

  constructor(managed: Managed, { body, isOnlyLeadingUser }: WrittenBody) {
    const { purpose, turn, source, sender } = managed;
    this.purpose = purpose;
    this.body = body;
    this.isOnlyLeadingUser = isOnlyLeadingUser;
    this.report = reportOf(managed, source.text.length, body?.length ?? source.text.length);
    this.turn = turn;
    this.#sender = sender;
    this.managed = managed;
  }

  /** True if the provider refused this conversation without a first user message. */
  get needsLeadingUser(): boolean {
    return needLeadingUser.has(this.turn.conversation);
  }

  refusedWithoutLeadingUser(): void {
    needLeadingUser.add(this.turn.conversation);
  }

  /**
   * The provider has accepted the credentials.
   * @param organization whose they are, as the answer says it
   */
  accepted(organization: string | undefined): void {
    void this.#sender.accepted(organization);
  }

  /** The provider has begun to answer. Frees the texts, which a long answer would hold for minutes. */
  taken(): void {
    this.isTaken = true;
    this.turn.taken();
    if (this.managed?.hidden === undefined) this.managed = undefined;
  }

  answered(usage: ReportedUsage): void {
    void this.turn.answered(usage);
  }
}
