import {
  CtxError,
  type Message,
  messageText,
  type NumberedMessage,
  type SummarizeRequest,
  type Summarizer,
  scoreMessage,
} from '@ctx/core';
import type { ChatModel, Completion } from './chat-model.js';
import { extractiveSummary } from './extract.js';
import { type Fact, factsOf } from './facts.js';
import { chunksOf, commandBlocks, framed, messageToText } from './history-text.js';
import { type LedgerEntry, withLedger } from './ledger.js';
import { mergeRequest, summaryPrompt, summaryRequest } from './prompt.js';
import { recentReads } from './recent-reads.js';
import { type Flaw, flawOf } from './verdict.js';

export interface SummarizerOptions {
  /** Writes the summaries. @default none: they are extracted */
  readonly model?: ChatModel | undefined;
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
}

/** A longer history is cut down until it has so many pieces. */
const maxChunks = 12;
/** What a model's window is used of for the history. */
const inputShare = 0.75;
/** What of a summary's length is kept for what it lost. */
const ledgerShare = 0.4;
const foldedFiles = 10;

/**
 * The port `summarize`: a summary by a model, in pieces where the history is larger than its window, or extracted without one. It
 * is compared with a ledger of what must not be lost, and what is missing is appended: instructions of the user, files that
 * were changed, open points, errors that are not resolved. Its notes say how it came about, and what was required, present, added
 * and left out.
 */
export function createSummarizer(options: SummarizerOptions = {}): Summarizer {
  return {
    async summarize(request) {
      const { model, minWindow = 8000 } = options;
      const { maxTokens, tokensOf, originals } = request;
      const ledger = ledgerOf(originals, options.threshold ?? 70, tokensOf);
      const extras = await extrasOf(request, options);
      const room = Math.max(32, maxTokens - tokensOf(extras));
      const length = Math.max(16, Math.floor(room * (1 - ledgerShare)));
      const written =
        model === undefined || request.contextWindow < minWindow
          ? extracted(request, length)
          : await writtenBy(model, request, length, options);
      const { text, receipt } = withLedger(`## Conversation Summary\n${written.text.trim()}`, ledger, {
        maxTokens: Math.max(0, room - tokensOf(written.text)),
        tokensOf,
      });
      return {
        text: [text, extras].filter((part) => part !== '').join('\n\n'),
        notes: { ...written.notes, receipt },
      };
    },
  };
}

interface Written {
  readonly text: string;
  readonly notes: Readonly<Record<string, unknown>>;
}

function extracted({ messages, originals, tokensOf }: SummarizeRequest, maxTokens: number): Written {
  const numbers = new Map(originals.map(({ message, number }) => [message, number]));
  const numberOf = (message: Message, position: number) => numbers.get(message) ?? position + 1;
  const { text, kept, of } = extractiveSummary(messages, { maxTokens, tokensOf, numberOf });
  if (text.trim() === '') throw failed('empty');
  return { text, notes: { by: 'extraction', sentences: kept, of } };
}

async function writtenBy(
  model: ChatModel,
  request: SummarizeRequest,
  maxTokens: number,
  { prompt = summaryPrompt, maxPartTokens = 2000 }: SummarizerOptions,
): Promise<Written> {
  const { tokensOf, instructions, signal } = request;
  const window = model.contextWindow ?? request.contextWindow;
  const inputTokens = Math.max(500, Math.floor(window * inputShare) - maxTokens - tokensOf(prompt));
  const chunks = historyChunks(request, inputTokens, maxPartTokens);
  const completions: Completion[] = [];
  const ask = async (user: string, frame: string) => {
    const completion = await model.complete({ system: prompt, user, maxTokens, signal });
    const flaw = completion.stopReason === 'refusal' ? 'refused' : flawOf(completion.text, frame);
    if (flaw !== undefined) throw failed(flaw);
    if (completion.stopReason === 'length') throw failed('cut off');
    completions.push(completion);
    return completion.text.trim();
  };

  let parts: string[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const { text: history, frame } = framed(chunk);
    const part = chunks.length === 1 ? undefined : { number: index + 1, of: chunks.length };
    parts.push(await ask(summaryRequest({ history, maxTokens, instructions, part }), frame));
  }
  while (parts.length > 1) {
    const merged: string[] = [];
    for (const group of chunksOf(parts, inputTokens, tokensOf)) {
      const { text, frame } = framed(group);
      merged.push(await ask(mergeRequest(text, maxTokens), frame));
    }
    // Parts so long that no two fit together can't be merged any further.
    if (merged.length >= parts.length) throw failed('too large');
    parts = merged;
  }
  return {
    text: parts[0] as string,
    notes: { by: model.name, chunks: chunks.length, ...usageOf(completions) },
  };
}

/** The history in pieces that fit, and not too many of them: parts of messages are cut shorter until there are few enough. */
function historyChunks(
  { messages, originals, tokensOf }: SummarizeRequest,
  inputTokens: number,
  maxPartTokens: number,
): string[] {
  const numbers = new Map(originals.map(({ message, number }) => [message, number]));
  for (let limit = maxPartTokens; ; limit = Math.floor(limit / 2)) {
    const texts = messages.map((message) =>
      messageToText({ message, number: numbers.get(message) ?? 0 }, { tokensOf, maxPartTokens: limit }),
    );
    const chunks = chunksOf(texts, inputTokens, tokensOf);
    if (chunks.length <= maxChunks) return chunks;
    if (limit < 32) return [...chunks.slice(0, maxChunks / 2), ...chunks.slice(-maxChunks / 2)];
  }
}

function usageOf(completions: readonly Completion[]) {
  const sum = (of: (completion: Completion) => number | undefined) =>
    completions.reduce((all, completion) => all + (of(completion) ?? 0), 0);
  const cost = sum((one) => one.cost);
  return {
    calls: completions.length,
    inputTokens: sum((one) => one.usage?.inputTokens),
    outputTokens: sum((one) => one.usage?.outputTokens),
    ...(cost > 0 && { cost }),
  };
}

/** A place that earns a message nothing: what matters is what it says, not where the part that is summed up begins and ends. */
const anywhere = { index: 5, count: 100 };

function ledgerOf(
  originals: readonly NumberedMessage[],
  threshold: number,
  tokensOf: (text: string) => number,
): LedgerEntry[] {
  const instructions = originals
    .filter(({ message }) => message.role === 'user' && message.summary !== true)
    .map(({ message, number }) => ({ message, number, text: messageText(message).trim() }))
    .filter(({ message, text }) => {
      const { score } = scoreMessage(message, { ...anywhere, tokens: tokensOf(text) });
      return text !== '' && score >= threshold;
    })
    .map(({ text, number }) => ({ kind: 'instruction' as const, text, number }));
  const facts = factsOf(originals.map(({ message }) => message));
  const entriesOf = (kind: LedgerEntry['kind'], some: readonly Fact[]) =>
    some.map(({ text, at }) => ({ kind, text, number: originals[at]?.number ?? 0 }));
  return [
    ...instructions,
    ...entriesOf(
      'error',
      facts.errors.filter(({ resolved }) => !resolved),
    ),
    ...entriesOf('todo', facts.todos),
    ...entriesOf('file', facts.filesWritten),
  ];
}

/** What stands after the summary: directives that go on, files as they are defined, and the surroundings. */
async function extrasOf(request: SummarizeRequest, options: SummarizerOptions): Promise<string> {
  const { originals, automatic, maxTokens, tokensOf } = request;
  const commands = commandBlocks(originals[0]?.message);
  const workflows =
    commands.length === 0
      ? ''
      : `<system-reminder>\n## Active Workflows\nThe following directives must be maintained across all future condensings:\n${commands.join('\n')}\n</system-reminder>`;
  const environment =
    automatic && options.environmentDetails !== undefined ? await options.environmentDetails() : '';
  const files = await foldedReads(request, Math.floor(maxTokens * 0.2));
  const parts = [workflows, files, environment].filter((part) => part.trim() !== '');
  return tokensOf(parts.join('\n\n')) <= maxTokens / 2 ? parts.join('\n\n') : workflows;
}

/** The newest files that were read, folded, within so many tokens. */
async function foldedReads(
  { originals, folder, tokensOf, signal }: SummarizeRequest,
  maxTokens: number,
): Promise<string> {
  if (folder === undefined) return '';
  const blocks: string[] = [];
  let left = maxTokens;
  for (const { paths, text } of recentReads(originals).slice(0, foldedFiles)) {
    const block = await folder.fold({ text, paths, signal }).catch(() => '');
    const inner = block.slice(block.indexOf('<system-reminder>'));
    const tokens = tokensOf(inner);
    if (block === '' || tokens > left) continue;
    left -= tokens;
    blocks.push(inner);
  }
  return blocks.join('\n\n');
}

/** In the words of Roo Code. */
function failed(flaw: Flaw | 'cut off' | 'too large'): CtxError {
  return new CtxError({
    code: 'summary-failed',
    problem: `Failed to condense context: the summary is ${description[flaw]}`,
    remedy: 'It was not used; the next stage runs instead.',
  });
}

const description: Readonly<Record<Flaw | 'cut off' | 'too large', string>> = {
  empty: 'empty',
  refused: 'a refusal',
  error: "an error's text",
  echo: 'the prompt given back',
  garbage: 'no words',
  repetition: 'one line over and over',
  'cut off': 'cut off at its length',
  'too large': 'too large to be put together',
};
