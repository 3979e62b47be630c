import type { ReportedUsage } from '@ctx/conversation';
import type { HiddenExchange, PreparedReport, PreparedRequest, Purpose } from '@ctx/fetch';
import type { Thread } from './thread.js';
import type { CopiedRequest } from './thread-calls.js';

/** A request that another thread has prepared. Where that thread is gone, there is nothing smaller to send, and nobody is told. */
export class ThreadedRequest implements PreparedRequest {
  readonly purpose: Purpose;
  readonly body: Uint8Array | undefined;
  readonly isOnlyLine: boolean;
  readonly needsLine: boolean;
  readonly report: PreparedReport;
  readonly hidden: HiddenExchange | undefined;

  constructor(
    readonly thread: Thread,
    readonly id: number,
    copy: CopiedRequest,
  ) {
    const { purpose, body, isOnlyLine, needsLine, report, hidden } = copy;
    this.purpose = purpose;
    this.body = body;
    this.isOnlyLine = isOnlyLine;
    this.needsLine = needsLine;
    this.report = report;
    this.hidden = hidden && { ...hidden, ...this.#hiddenCalls() };
  }

  async recovered(overflow: unknown): Promise<PreparedRequest | undefined> {
    try {
      const copy = await this.thread.working(this.thread.calls.recovered(this.id, overflow));
      return copy && new ThreadedRequest(this.thread, this.id, copy);
    } catch {
      return undefined;
    }
  }

  lineNeeded(): void {
    this.thread.tell('lineNeeded', this.id);
  }

  accepted(organization: string | undefined): void {
    this.thread.tell('accepted', this.id, organization);
  }

  taken(): void {
    this.thread.tell('taken', this.id);
  }

  answered(usage: ReportedUsage): void {
    this.thread.tell('answered', this.id, usage);
  }

  #hiddenCalls(): Pick<HiddenExchange, 'run' | 'record' | 'continued'> {
    const { thread, id } = this;
    return {
      run: (args) => thread.calls.run(id, args),
      record: (entries, results) => thread.calls.record(id, entries, results),
      continued: async (entries, isWithoutTool) => {
        const next = thread.number();
        const asked = thread.calls.continued(id, next, entries, isWithoutTool);
        return new ThreadedRequest(thread, next, await thread.working(asked));
      },
    };
  }
}
