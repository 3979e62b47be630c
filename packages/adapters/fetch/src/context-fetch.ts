import { refuseOptions } from '@ctx/conversation';
import { ContextRequests, type ContextRequestsOptions } from './context-requests.js';

export interface ContextFetchOptions extends ContextRequestsOptions {
  /** Sends the requests. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
}

/**
 * A `fetch` for the SDKs of OpenAI, Anthropic and Google, the AI SDK and LangChain, which keeps each conversation that passes through it
 * inside the window of its model, and sends a smaller one if the provider says that it was too large. Whatever ctx does not understand, or
 * fails to do, is sent unchanged.
 * @throws ConfigError as `createContextManager`; the function itself throws what `send` throws
 */
export function contextFetch(options: ContextFetchOptions = {}): typeof fetch {
  refuseOptions(options, ['conversation', 'dryRun', 'hiddenTool', 'summarize', 'send']);
  const { send = (input, init) => fetch(input, init), ...rest } = options;
  const requests = new ContextRequests(rest);
  return async (input, init) => (await requests.send(input, init, { send })).response;
}
