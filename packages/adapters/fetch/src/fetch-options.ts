import type { ConversationsOptions } from '@ctx/conversation';
import type { ContextRequest } from './conversation-key.js';
import type { HiddenTool } from './hidden/answer-form.js';
import type { SummarizeOption } from './summary-model.js';

export interface ContextFetchOptions extends ConversationsOptions {
  /**
   * The key of the conversation that a request belongs to.
   * @default a session that the request names in a header or field, and the longest history that it has in common with a known conversation
   */
  readonly conversation?: ((request: ContextRequest) => string | undefined) | undefined;
  /**
   * A tool that is offered to the model from the first request of a conversation on, where that has tools, and answered on the way. The
   * agent sees neither its calls nor its results. It needs an `archive` to find anything. In a dry run it is not offered. @default none
   */
  readonly hiddenTool?: HiddenTool | undefined;
  /**
   * Has a model summarise what is compressed; its summary stands before the excerpt. `true`: the model, endpoint and key of the request; the name
   * of another model there; or a function `(prompt, { signal }) => text`. If it fails, the excerpt is sent alone, with a warning. @default none
   */
  readonly summarize?: SummarizeOption | undefined;
  /**
   * How to treat Anthropic's message threads, in which each request has only what is new. `'pass'` sends them unchanged, with a warning.
   * `'replay'` remembers what was said, and sends it in a new thread when it has to be made smaller; a hidden tool is not offered there.
   * @default 'pass'
   */
  readonly threads?: 'pass' | 'replay' | undefined;
  /** Sends every request unchanged, and reports what ctx would have sent. @default false */
  readonly dryRun?: boolean | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
}
