import type { ContextManager } from '@ctx/core';

/** A tool that is offered to the model and answered on the way: the agent sees neither its calls nor its results. */
export interface HiddenTool {
  readonly name: string;
  /** What it is for, as the model reads it. */
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: object;
  /**
   * Answers a call. It must not reject.
   * @param args what the model sent, parsed or as JSON text
   * @param conversation finds and reads what was said in the conversation of the call
   */
  run(args: unknown, conversation: ContextManager): Promise<string>;
}
