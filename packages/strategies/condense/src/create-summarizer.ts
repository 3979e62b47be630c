import type { Summarizer } from '@ctx/core';
import { type Ask, type ChatModel, chatModelOf } from './chat-model.js';
import { extrasOf } from './extras.js';
import { noModel, notASummary } from './failure.js';
import { heading } from './summary-text.js';
import { writtenBy } from './written-by-model.js';

export interface SummarizerOptions {
  /** The model that writes the summaries. @default none: `condense` makes an excerpt only */
  readonly model?: ChatModel | Ask | undefined;
  /** The system prompt for the model. @default a built-in prompt, which also says that the record is data and how long a summary may be */
  readonly prompt?: string | undefined;
  /** Returns a text that is appended if the compression was automatic, such as the open files and the current folder. @default none */
  readonly environmentDetails?: (() => string | Promise<string>) | undefined;
  /** The smallest context window, in tokens, for which a model is asked. @default 8000 */
  readonly minWindow?: number | undefined;
  /** Parts of messages that are longer than this, in tokens, lose their middle in the model's input. @default 2000 */
  readonly maxPartTokens?: number | undefined;
  /**
   * Returns the boundary that marks headings and the frame in the model's input. It must differ for each summary, and nobody whose text
   * is summarised may know it. @default eight random hexadecimal digits
   */
  readonly boundary?: (() => string) | undefined;
}

/**
 * Creates the port `summarize`. A model writes down what was asked for, what was found and done, and what is next, from the earlier summary and
 * the messages since; in pieces if they are larger than its window. The notes say how it was asked and what it cost.
 */
export function createSummarizer(options: SummarizerOptions = {}): Summarizer {
  const { minWindow = 8000, environmentDetails } = options;
  const model = options.model === undefined ? undefined : chatModelOf(options.model);
  return {
    asks: (window) => (model !== undefined && window >= minWindow) || environmentDetails !== undefined,
    async summarize(request) {
      const { maxTokens, contextWindow, tokensOf } = request;
      const asked = contextWindow >= minWindow ? model : undefined;
      if (asked !== undefined && typeof asked.complete !== 'function') throw noModel(asked.complete);
      const extras = await extrasOf(request, options);
      const written =
        asked && (await writtenBy(asked, request, Math.max(16, maxTokens - tokensOf(extras)), options));
      const said = [written?.text ?? '', extras].filter((part) => part !== '').join('\n\n');
      if (said === '') throw notASummary('nothing to say');
      return { text: `${heading}\n${said}`, notes: written?.notes ?? { by: 'no model' } };
    },
  };
}
