import type { CtxError, SummarizeRequest } from '@ctx/core';
import type { ChatModel, Completion } from './chat-model.js';
import { callFailed, notASummary } from './failure.js';
import { chunksOf, framed, messageToText } from './history-text.js';
import { mergeRequest, summaryPrompt, summaryRequest } from './prompt.js';
import { flawOf } from './verdict.js';

/** A history with more pieces than this is cut. */
const maxChunks = 12;
/** The share of a model's window that the request may use. */
const inputShare = 0.75;

/** A summary, and the notes for the record on how it was written. */
export interface Written {
  readonly text: string;
  readonly notes: Readonly<Record<string, unknown>>;
}

/**
 * Lets a model write the summary, in pieces if the history is larger than its window. Notes the cost even if the model fails.
 * @throws CtxError `summary-failed` or `model-failed`
 */
export async function writtenBy(
  model: ChatModel,
  request: SummarizeRequest,
  summaryTokens: number,
  {
    prompt: own = '',
    maxPartTokens = 2000,
    boundary: newBoundary = randomBoundary,
  }: {
    readonly prompt?: string | undefined;
    readonly maxPartTokens?: number | undefined;
    readonly boundary?: (() => string) | undefined;
  },
): Promise<Written> {
  const prompt = own.trim() === '' ? summaryPrompt : own;
  const boundary = newBoundary();
  const { tokensOf, instructions, signal } = request;
  const window = model.contextWindow ?? request.contextWindow;
  const inputTokens = Math.max(500, Math.floor(window * inputShare) - summaryTokens - tokensOf(prompt));
  const chunks = historyChunks(request, inputTokens, { maxPartTokens, boundary });
  const completions: Completion[] = [];
  let calls = 0;
  const notes = () => ({ by: model.name, chunks: chunks.length, calls, ...usageOf(completions) });
  const fail = (error: CtxError) => {
    request.note?.({ ...notes(), failed: error.message });
    return error;
  };
  const ask = async (user: string) => {
    let completion: Completion;
    calls += 1;
    try {
      completion = await model.complete({ system: prompt, user, maxTokens: summaryTokens, signal });
    } catch (error) {
      throw fail(callFailed(error));
    }
    if (typeof completion?.text !== 'string') throw fail(notASummary('no completion'));
    completions.push(completion);
    const flaw = completion.stopReason === 'refusal' ? 'refused' : flawOf(completion.text, boundary, prompt);
    if (flaw !== undefined) throw fail(notASummary(flaw));
    if (completion.stopReason === 'length') throw fail(notASummary('cut off'));
    return completion.text.replaceAll(` [${boundary}]`, '').trim();
  };

  let parts: string[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const history = framed(chunk, boundary);
    const part = chunks.length === 1 ? undefined : { number: index + 1, of: chunks.length };
    parts.push(await ask(summaryRequest({ history, boundary, summaryTokens, instructions, part })));
  }
  while (parts.length > 1) {
    const merged: string[] = [];
    for (const group of chunksOf(parts, inputTokens, tokensOf)) {
      merged.push(await ask(mergeRequest(framed(group, boundary), summaryTokens)));
    }
    // If no two parts fit into one request, they can't be merged any further.
    if (merged.length >= parts.length) throw fail(notASummary('too large'));
    parts = merged;
  }
  return { text: parts[0] as string, notes: notes() };
}

/** In tokens: parts are cut down to this before the history is divided, since each piece is a call. A limit. */
const shortestPart = 250;

/** The history in one piece if it fits when its parts are cut shorter; else in pieces, as few as a limit allows. */
function historyChunks(
  { messages, originals, tokensOf }: SummarizeRequest,
  inputTokens: number,
  { maxPartTokens, boundary }: { readonly maxPartTokens: number; readonly boundary: string },
): string[] {
  const numbers = new Map(originals.map(({ message, number }) => [message, number]));
  const chunksWith = (limit: number) => {
    const options = { tokensOf, boundary, maxPartTokens: limit };
    const texts = messages.map((message) =>
      messageToText({ message, number: numbers.get(message) ?? 0 }, options),
    );
    return chunksOf(texts, inputTokens, tokensOf);
  };
  for (let limit = maxPartTokens; limit >= shortestPart; limit = Math.floor(limit / 2)) {
    const chunks = chunksWith(limit);
    if (chunks.length === 1) return chunks;
  }
  for (let limit = maxPartTokens; ; limit = Math.floor(limit / 2)) {
    const chunks = chunksWith(limit);
    if (chunks.length <= maxChunks) return chunks;
    if (limit < 32) return [...chunks.slice(0, maxChunks / 2), ...chunks.slice(-maxChunks / 2)];
  }
}

function randomBoundary(): string {
  return crypto.randomUUID().slice(0, 8);
}

function usageOf(completions: readonly Completion[]) {
  const sum = (of: (completion: Completion) => number | undefined) =>
    completions.reduce((all, completion) => all + (of(completion) ?? 0), 0);
  const cost = sum((one) => one.cost);
  return {
    inputTokens: sum((one) => one.usage?.inputTokens),
    outputTokens: sum((one) => one.usage?.outputTokens),
    ...(cost > 0 && { cost }),
  };
}
