import type { Usage } from '@ctx/core';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The tokens of the whole input that an answer reports, cached or not: of OpenAI (Chat Completions and Responses), Anthropic, Google and the
 * AI SDK. `undefined` if it reports none. An event of a stream is read like an answer.
 */
export function reportedUsage(answer: unknown): Usage | undefined {
  if (!isFields(answer)) return undefined;
  const { usage, usageMetadata, message, response, model, modelVersion } = answer;
  const inputTokens = tokensOf(usage) ?? tokensOf(usageMetadata);
  if (inputTokens === undefined) return reportedUsage(message) ?? reportedUsage(response);
  const answered = typeof model === 'string' ? model : modelVersion;
  return { inputTokens, ...(typeof answered === 'string' && { model: answered }) };
}

function tokensOf(usage: unknown): number | undefined {
  if (!isFields(usage)) return undefined;
  const { inputTokens } = usage;
  const [whole] = [
    inputTokens,
    isFields(inputTokens) ? inputTokens.total : undefined,
    usage.prompt_tokens,
    usage.promptTokenCount,
  ].filter(isCount);
  if (whole !== undefined) return whole;
  if (!isCount(usage.input_tokens)) return undefined;
  // Anthropic counts what is cached apart; OpenAI's Responses have no such fields at this place.
  const cached = [usage.cache_read_input_tokens, usage.cache_creation_input_tokens].filter(isCount);
  return cached.reduce((sum, tokens) => sum + tokens, usage.input_tokens);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
