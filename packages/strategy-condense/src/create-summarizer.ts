import type { Message, SummarizeRequest, Summarizer } from '@ctx/core';
import { type Ask, type ChatModel, chatModelOf } from './chat-model.js';
import { extractFrom } from './extract.js';
import { extrasOf } from './extras.js';
import { noModel, notASummary } from './failure.js';
import { History } from './history.js';
import { withLedger } from './ledger.js';
import { receiptOf } from './receipt.js';
import { requiredOf } from './required.js';
import { type Written, writtenBy } from './written-by-model.js';

export interface SummarizerOptions {
  /** The model that writes the summaries. @default none: summaries are extracted */
  readonly model?: ChatModel | Ask | undefined;
  /** The system prompt for the model. @default a built-in prompt */
  readonly prompt?: string | undefined;
  /** Returns a text that is appended if the compression was automatic, such as the open files and the current folder. @default none */
  readonly environmentDetails?: (() => string | Promise<string>) | undefined;
  /** The smallest context window, in tokens, for which a model is asked. @default 8000 */
  readonly minWindow?: number | undefined;
  /** Parts of messages that are longer than this, in tokens, lose their middle in the model's input. @default 2000 */
  readonly maxPartTokens?: number | undefined;
  /** An instruction of the user with at least this score must not be lost. @default 70 */
  readonly threshold?: number | undefined;
  /**
   * Returns the boundary that marks headings and the frame in the model's input. It must differ for each summary, and nobody whose text
   * is summarised may know it. @default eight random hexadecimal digits
   */
  readonly boundary?: (() => string) | undefined;
}

/** The share of a summary's length that is reserved for facts that it lost. */
const ledgerShare = 0.4;
const heading = '## Conversation Summary';

/**
 * Creates the port `summarize`. A model writes the summary, in pieces if the history is larger than its window; without a model, the
 * summary is extracted. The summary is compared with a ledger of what must not be lost: the user's instructions, changed files, open
 * points and unresolved errors. Missing entries are appended. The notes say how the summary was written, and what was required, present,
 * added and lost. Their size depends only on what this compression changed.
 */
export function createSummarizer(options: SummarizerOptions = {}): Summarizer {
  return {
    async summarize(request) {
      const { minWindow = 8000, threshold = 70 } = options;
      const model = options.model === undefined ? undefined : chatModelOf(options.model);
      const { tokensOf, originals } = request;
      const asksModel = model !== undefined && request.contextWindow >= minWindow;
      if (asksModel && typeof model.complete !== 'function') throw noModel(model.complete);
      const summaryTokens = asksModel ? request.maxTokens : (request.roomTokens ?? request.maxTokens);
      const history = new History(originals.map(({ message }) => message));
      const required = requiredOf(originals, history, { threshold, tokensOf });
      const extras = await extrasOf(
        { ...request, maxTokens: Math.min(request.maxTokens, summaryTokens) },
        history,
        options,
      );
      const room = Math.max(32, summaryTokens - tokensOf(extras));
      const ledgerRoom = Math.floor(room * ledgerShare);
      const written = asksModel
        ? await writtenBy(model, request, Math.max(16, room - ledgerRoom), options)
        : extracted(request, history, {
            room,
            quoted: withLedger('', required, { roomTokens: ledgerRoom, tokensOf }).text,
          });
      const balance = withLedger(`${heading}\n${written.text.trim()}`, required, {
        roomTokens: Math.max(0, room - tokensOf(written.text)),
        tokensOf,
      });
      return {
        text: [balance.text, extras].filter((part) => part !== '').join('\n\n'),
        notes: { ...written.notes, receipt: receiptOf(balance, request) },
      };
    },
  };
}

/** Extracts the part of the summary that the quoted ledger does not contain. Reads the original messages, never an earlier summary. */
function extracted(
  { originals, tokensOf }: SummarizeRequest,
  history: History,
  { room, quoted }: { readonly room: number; readonly quoted: string },
): Written {
  const numberOf = (_message: Message, position: number) => originals[position]?.number ?? position + 1;
  const maxTokens = Math.max(16, room - tokensOf(quoted) - tokensOf(heading));
  const { text, kept, of } = extractFrom(history, { maxTokens, tokensOf, numberOf, quoted });
  if (text.trim() === '' && quoted.trim() === '') throw notASummary('empty');
  return { text, notes: { by: 'extraction', lines: kept, of } };
}
