import { reportedUsage, type Turn, type Warnings } from '@ctx/conversation';

/** One request of a conversation. A failure of ctx's own is a warning here, and never an error of the request. */
export class GuardedTurn<Native> {
  constructor(
    readonly turn: Turn<Native>,
    readonly warnings: Warnings,
    readonly signal: AbortSignal | undefined,
  ) {}

  /** What to send; `undefined` if that can't be said. */
  prepared(): Promise<Native | undefined> {
    return unlessItFails(this.warnings, () => this.turn.prepare({ signal: this.signal }));
  }

  /** What to send after an error; `undefined` if nothing else is to be sent. */
  recovered(error: unknown): Promise<Native | undefined> {
    return unlessItFails(this.warnings, () => this.turn.recovered(error, { signal: this.signal }));
  }

  /** Takes what an answer reports. */
  async answered(answer: unknown): Promise<void> {
    await unlessItFails(this.warnings, () => this.turn.answered(reportedUsage(answer)));
  }
}

/** What a task gives; `undefined` with a warning if it throws. */
export async function unlessItFails<Result>(
  warnings: Warnings,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await task();
  } catch (error) {
    warnings.once('request-unmanaged', `A request was sent unchanged: ${nameOf(error)}`);
    return undefined;
  }
}

/** What may be told of an error: nothing that was said. */
function nameOf(error: unknown): string {
  const { code, name } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; name?: unknown }) : {};
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}
