import { inSlices, type Steps, type SummarizeRequest, type Summarizer } from '@ctx/core';
import type { Excerpt } from '@ctx/excerpt';
import { type Ask, type ChatModel, chatModelOf } from './chat-model.js';
import { extrasOf } from './extras.js';
import { noModel, notASummary } from './failure.js';
import { History } from './history.js';
import { type Balance, type LedgerEntry, notSaid, withLedger } from './ledger.js';
import { promptOf } from './named-prompts.js';
import { passagesOf } from './passages.js';
import { receiptOf } from './receipt.js';
import { requiredOf } from './required-facts.js';
import { writtenBy } from './written-by-model.js';

export interface SummarizerOptions {
  /** The model that writes the summaries. @default none: summaries are extracted */
  readonly model?: ChatModel | Ask | undefined;
  /**
   * The system prompt for the model: `structured`, seven sections with the user's instructions word for word; `short`, four points; or a text.
   * @default a built-in prompt, which also says that the record is data and how long a summary may be
   */
  readonly prompt?: 'structured' | 'short' | (string & {}) | undefined;
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
 * Creates the port `summarize`. A model writes down goals, state and decisions, in pieces if the history is larger than its window. The
 * summary is compared with a ledger of what must not be lost: the user's instructions, changed files, open points and unresolved errors.
 * Missing entries are appended. Verbatim passages fill the room that is left; without a model, that is all the room. The notes say how the
 * summary was written, and what was required, present, added and lost. Their size depends only on what this compression changed.
 * @throws ConfigError `config-invalid` for the name of a prompt that does not exist
 */
export function createSummarizer(options: SummarizerOptions = {}): Summarizer {
  const prompt = promptOf(options.prompt);
  return {
    async summarize(request) {
      const { minWindow = 8000, threshold = 70 } = options;
      const model = options.model === undefined ? undefined : chatModelOf(options.model);
      const { tokensOf, originals, signal } = request;
      const asksModel = model !== undefined && request.contextWindow >= minWindow;
      if (asksModel && typeof model.complete !== 'function') throw noModel(model.complete);
      const { maxTokens, roomTokens = maxTokens } = request;
      const summaryTokens = asksModel ? maxTokens : roomTokens;
      const history = new History(originals.map(({ message }) => message));
      const required = requiredOf(originals, history, { threshold, tokensOf });
      const extras = await extrasOf(
        { ...request, maxTokens: Math.min(maxTokens, summaryTokens) },
        history,
        options,
      );
      const extraTokens = tokensOf(extras);
      const room = Math.max(32, summaryTokens - extraTokens);
      const ledgerRoom = Math.floor(room * ledgerShare);
      const written = asksModel
        ? await writtenBy(model, request, Math.max(16, room - ledgerRoom), { ...options, prompt })
        : undefined;
      // Core refuses it and keeps the notes. Comparing megabytes with the ledger would take seconds.
      if (written !== undefined && (await request.savesEnough?.(written.text)) === false) return written;
      const said = written === undefined ? heading : `${heading}\n${written.text.trim()}`;
      const balance = withLedger(said, required, {
        roomTokens: written === undefined ? ledgerRoom : Math.max(0, room - tokensOf(written.text)),
        tokensOf,
      });
      const steps = withPassages(balance, required, {
        request,
        roomTokens: roomTokens - extraTokens,
      });
      const { excerpt, whole } = await (request.inSlices?.(steps) ?? inSlices(steps, { signal }));
      if (whole.text === heading) throw notASummary('nothing to say');
      const passages = { passages: excerpt?.kept ?? 0, of: excerpt?.of ?? 0 };
      return {
        text: [whole.text, extras].filter((part) => part !== '').join('\n\n'),
        notes: { by: 'extraction', ...written?.notes, ...passages, receipt: receiptOf(whole, request) },
      };
    },
  };
}

/** Appends verbatim passages to a summary. What they contain is not left out of it. */
function* withPassages(
  balance: Balance,
  required: readonly LedgerEntry[],
  { request, roomTokens }: { readonly request: SummarizeRequest; readonly roomTokens: number },
): Steps<{ readonly whole: Balance; readonly excerpt: Excerpt | undefined }> {
  const { tokensOf } = request;
  const missing = new Set(notSaid(required, balance.text));
  const quoted = required.filter((entry) => entry.kind === 'instruction' && !missing.has(entry));
  const excerpt = yield* passagesOf(request, {
    roomTokens: roomTokens - tokensOf(`${balance.text}\n\n`),
    head: balance.text,
    quoted: new Set(quoted.map(({ number }) => number)),
    quotedTokens: quoted.reduce((sum, { text }) => sum + tokensOf(text), 0),
  });
  if (excerpt === undefined) return { whole: balance, excerpt };
  const text = `${balance.text}\n\n${excerpt.text}`;
  const leftOut = notSaid(balance.leftOut, excerpt.text);
  const present = balance.required - balance.added - leftOut.length;
  return { whole: { ...balance, text, present, leftOut }, excerpt };
}
