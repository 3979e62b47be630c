import type { PreparedRequest } from '../prepared-request.js';
import type { AnswerFormName } from './answer-forms.js';

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
