import { type CompressionRecord, type ContextManager, ContextOverflowError, partsOf } from '@ctx/core';
import { type Fields, fillsWindow, isFields, overflowFigures, overflowKind } from '@ctx/core/codec';
import { isExpendable } from '@ctx/core/kit';

const figure = (count: number) => Math.round(count).toLocaleString('en-US');
/** Tools that are named. */
const mostNamed = 3;
/** Tools are named if they take this share of the window. */
const largeShare = 0.25;
/** Characters of JSON for a token. */
const charactersPerToken = 4;

/**
 * What the tools of a request take of the window, if that is much.
 * @param tools their definitions, as the request has them
 */
export function aboutTools(tools: unknown, windowTokens: number): string | undefined {
  const list = definitionsIn(tools);
  const sized = list
    .map((tool) => ({ name: nameOf(tool), tokens: (JSON.stringify(tool) ?? '').length / charactersPerToken }))
    .sort((a, b) => b.tokens - a.tokens);
  const tokens = sized.reduce((sum, one) => sum + one.tokens, 0);
  if (tokens < windowTokens * largeShare) return undefined;
  const largest = sized.slice(0, mostNamed).map((one) => `${one.name} ${figure(one.tokens)}`);
  return `The ${list.length} tools take about ${figure(tokens)} of its ${figure(windowTokens)} tokens (the largest: ${largest.join(', ')}). Offer fewer tools, or use a model with a larger window.`;
}

/** Tools as every API has them: one list, or lists in others. */
function definitionsIn(tools: unknown): readonly Fields[] {
  if (Array.isArray(tools)) return tools.flatMap(definitionsIn);
  if (!isFields(tools)) return [];
  return Array.isArray(tools.functionDeclarations) ? definitionsIn(tools.functionDeclarations) : [tools];
}

function nameOf({ name, type, function: called }: Fields): string {
  return String(name ?? (isFields(called) ? called.name : undefined) ?? type ?? 'unnamed').slice(0, 60);
}

/** What a request that does not fit is spent on, in figures. */
export function aboutOverflow(error: unknown): string | undefined {
  if (!(error instanceof ContextOverflowError)) return undefined;
  const { total, limit, ...parts } = error.breakdown;
  const spent = Object.entries(parts)
    .filter(([, tokens]) => tokens > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, tokens]) => `${partNames[name] ?? name} ${figure(tokens)}`);
  return `a request has ${figure(total)} tokens, and the window ${figure(limit)}. It is spent on: ${spent.join(', ')}. Shorten the largest, or use a model with a larger window.`;
}

const partNames: Readonly<Record<string, string>> = {
  system: 'system prompt',
  pinned: 'pinned messages',
  newestUser: 'task and newest user message',
  unread: 'results that the model has not read',
  rest: 'other messages',
  overhead: 'what the provider adds',
};

/** What a compression cut of that which the model has not read, or of the task; `undefined` if nothing. */
export function aboutCuts(
  record: CompressionRecord | undefined,
  manager: ContextManager,
): string | undefined {
  if (record?.relaxed === undefined) return undefined;
  const { transcript } = manager;
  const newest = transcript.findLastIndex(({ message }) => message.role === 'assistant');
  const cuts = record.edits.flatMap((edit) => {
    if (edit.type !== 'replace' || edit.reason === 'base64' || typeof edit.text !== 'string') return [];
    const at = transcript.findIndex(({ id }) => id === edit.message);
    const message = transcript[at]?.message;
    if (message === undefined || (message.role !== 'user' && at < newest)) return [];
    const part = partsOf(message)[edit.part];
    if (part?.type === 'text' && isExpendable(part.text)) return [];
    const whole = (JSON.stringify(part) ?? '').length;
    const isTool = part?.type === 'tool-result' || part?.type === 'tool-call';
    const name = isTool ? `the ${part.type.slice(5)} of ${part.toolName}` : 'a message of the user';
    const what = `${name} from ${figure(whole)} to ${figure(edit.text.length)} characters`;
    return [{ what, lost: whole - edit.text.length }];
  });
  if (cuts.length === 0) return undefined;
  const [largest] = cuts.sort((a, b) => b.lost - a.lost);
  const { systemTokens } = manager.budget();
  const more = cuts.length === 1 ? '' : ` and ${cuts.length - 1} more`;
  return `What the model has not read was cut to fit the window of ${figure(manager.stats().maxTokens)} tokens: ${largest?.what}${more}. System prompt and tools take ${figure(systemTokens)} of it. Use a larger window, or have the agent read in parts.`;
}

/**
 * Why a refused request is refused for the room that its answer was to have, in words; `undefined` if it is too large by itself. Some errors
 * name only what was requested in all: then what was counted tells whether the answer is part of it.
 * @param outputTokens what the request allows its answer; `undefined` if it does not say
 * @param countedTokens of the request as counted here
 */
export function outputFault(
  error: unknown,
  outputTokens: number | undefined,
  countedTokens: number,
): string | undefined {
  const kind = overflowKind(error);
  const { limit, requested } = overflowFigures(error);
  const isBlamed =
    kind === 'output' ||
    (kind === 'tokens' &&
      outputTokens !== undefined &&
      limit !== undefined &&
      fillsWindow(outputTokens, limit) &&
      includesOutput(requested, outputTokens, countedTokens, limit));
  if (!isBlamed) return undefined;
  const answer = outputTokens === undefined ? 'more tokens than fit' : `${figure(outputTokens)} tokens`;
  const window = limit === undefined ? 'the window' : `a window of ${figure(limit)} tokens`;
  return `The provider refused a request because its answer may have ${answer}, which leaves no room for the conversation in ${window}. Ask for a shorter answer (max_tokens). Nothing was cut.`;
}

function includesOutput(requested: number | undefined, output: number, counted: number, limit: number) {
  if (requested === undefined) return counted <= limit / 2;
  return Math.abs(requested - output - counted) < Math.abs(requested - counted);
}
