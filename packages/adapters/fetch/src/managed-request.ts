import type { ReportedUsage, RequestOf, Turn } from '@ctx/conversation';
import type { AnswerFormName } from './hidden/answer-forms.js';
import type { HiddenTurn } from './hidden/hidden-turns.js';
import type { HiddenExchange, PreparedRequest } from './prepared-request.js';
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

/** What a request needs of those who prepare it. */
interface RequestOwner {
  /** Conversations that the provider refused because they begin with an answer. */
  readonly needLine: WeakSet<object>;
  recovered(managed: Managed, overflow: unknown): Promise<PreparedRequest | undefined>;
  continued(managed: Managed, entries: readonly unknown[], isWithoutTool: boolean): Promise<PreparedRequest>;
}

/** A request that was prepared in this thread. */
export class ManagedRequest implements PreparedRequest {
  readonly purpose: Purpose;
  readonly body: string | undefined;
  readonly isOnlyLine: boolean;
  readonly report: PreparedReport;
  readonly #turn: Turn<unknown>;
  readonly #sender: Sender;
  /** Missing once nobody needs it: a long answer would hold the texts for minutes. */
  #managed: Managed | undefined;
  #isTaken = false;

  constructor(
    readonly of: RequestOwner,
    managed: Managed,
    { body, isOnlyLine }: WrittenBody,
  ) {
    const { purpose, turn, source, sender } = managed;
    this.purpose = purpose;
    this.body = body;
    this.isOnlyLine = isOnlyLine;
    this.report = reportOf(managed, source.text.length, body?.length ?? source.text.length);
    this.#turn = turn;
    this.#sender = sender;
    this.#managed = managed;
  }

  get needsLine(): boolean {
    return this.of.needLine.has(this.#turn.conversation);
  }

  get hidden(): HiddenExchange | undefined {
    const managed = this.#managed;
    const form = managed?.form.answers;
    return managed?.hidden && form && hiddenExchange(this.of, managed, managed.hidden, form);
  }

  async recovered(overflow: unknown): Promise<PreparedRequest | undefined> {
    if (!this.#isTaken) return this.#managed && this.of.recovered(this.#managed, overflow);
    await this.#turn.refusedLate(overflow);
    return undefined;
  }

  lineNeeded(): void {
    this.of.needLine.add(this.#turn.conversation);
  }

  accepted(organization: string | undefined): void {
    void this.#sender.accepted(organization);
  }

  taken(): void {
    this.#isTaken = true;
    this.#turn.taken();
    if (this.#managed?.hidden === undefined) this.#managed = undefined;
  }

  answered(usage: ReportedUsage): void {
    void this.#turn.answered(usage);
  }
}

function hiddenExchange(
  of: RequestOwner,
  managed: Managed,
  hidden: HiddenTurn,
  form: AnswerFormName,
): HiddenExchange {
  const { tool } = hidden.of;
  return {
    name: tool.name,
    form,
    run: (args) => tool.run(args, managed.turn.conversation.manager),
    record: (entries, results) => hidden.record(entries, results),
    continued: (entries, isWithoutTool) => of.continued(managed, entries, isWithoutTool),
  };
}
