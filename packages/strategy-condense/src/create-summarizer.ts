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
  /** Writes the summaries. @default none: they are extracted */
  readonly model?: ChatModel | Ask | undefined;
  /** In place of the built-in prompt. */
  readonly prompt?: string | undefined;
  /** Appended when the compression was not asked for by hand: what is open, where one is. */
  readonly environmentDetails?: (() => string | Promise<string>) | undefined;
  /** A smaller window is never summed up by a model. Tokens. @default 8000 */
  readonly minWindow?: number | undefined;
  /** What one part of a message may have in what the model reads. Tokens. @default 2000 */
  readonly maxPartTokens?: number | undefined;
  /** An instruction of the user with this score or more must not be lost. @default 70 */
  readonly threshold?: number | undefined;
  /**
   * What marks headings and frame of what the model reads, new for each summary: nobody whose text is summed up may know
   * it. @default eight random hexadecimal digits
   */
  readonly boundary?: (() => string) | undefined;
}

/** What of a summary's length is kept for what it lost. */
const ledgerShare = 0.4;
const heading = '## Conversation Summary';

/**
 * The port `summarize`: a summary by a model, in pieces where the history is larger than its window, or extracted without one. It
 * is compared with a ledger of what must not be lost, and what is missing is appended: instructions of the user, files that
 * were changed, open points, errors that are not resolved. Its notes say how it came about, and what was required, present, added
 * and lost; they are as large as what this compression changed.
 */
export function createSummarizer(options: SummarizerOptions = {}): Summarizer {
  return {
    async summarize(request) {
      const { minWindow = 8000, threshold = 70 } = options;
      const model = options.model === undefined ? undefined : chatModelOf(options.model);
      const { tokensOf, originals } = request;
      const asksModel = model !== undefined && request.contextWindow >= minWindow;
      if (asksModel && typeof model.complete !== 'function') throw noModel(model.complete);
      const maxTokens = asksModel ? request.maxTokens : (request.roomTokens ?? request.maxTokens);
      const history = new History(originals.map(({ message }) => message));
      const required = requiredOf(originals, history, { threshold, tokensOf });
      const extras = await extrasOf(
        { ...request, maxTokens: Math.min(request.maxTokens, maxTokens) },
        history,
        options,
      );
      const room = Math.max(32, maxTokens - tokensOf(extras));
      const ledgerRoom = Math.floor(room * ledgerShare);
      const written = asksModel
        ? await writtenBy(model, request, Math.max(16, room - ledgerRoom), options)
        : extracted(request, history, {
            room,
            quoted: withLedger('', required, { maxTokens: ledgerRoom, tokensOf }).text,
          });
      const balance = withLedger(`${heading}\n${written.text.trim()}`, required, {
        maxTokens: Math.max(0, room - tokensOf(written.text)),
        tokensOf,
      });
      return {
        text: [balance.text, extras].filter((part) => part !== '').join('\n\n'),
        notes: { ...written.notes, receipt: receiptOf(balance, request) },
      };
    },
  };
}

/** The summary beside what is quoted of what it must not lose; anew from what was really said, never from a summary. */
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
