import type { Usage } from '@ctx/core';
import { type Fields, isFields } from '@ctx/core/codec';

/** What an answer reports of the tokens of its request. */
export interface ReportedUsage extends Usage {
  /** Tokens of the input that the provider read from its cache. */
  readonly cachedTokens: number;
}

/**
 * The tokens of the whole input that an answer reports, cached or not: of OpenAI (Chat Completions and Responses), Anthropic, Google, Bedrock's
 * Converse API, Ollama and the AI SDK. `undefined` if it reports none. An event of a stream is read like an answer.
 */
export function reportedUsage(answer: unknown): ReportedUsage | undefined {
  if (!isFields(answer)) return undefined;
  const { message, response, model, modelVersion } = answer;
  const { prompt_eval_count } = answer;
  const ofOllama = isCount(prompt_eval_count) && { prompt_tokens: prompt_eval_count };
  for (const usage of [answer.usage, answer.usageMetadata, ofOllama].filter(isFields).map(usageIn)) {
    const inputTokens = tokensOf(usage);
    if (inputTokens === undefined) continue;
    const answered = typeof model === 'string' ? model : modelVersion;
    const named = typeof answered === 'string' && { model: answered };
    return { inputTokens, cachedTokens: cachedTokensOf(usage), ...named, ...saidOf(answer) };
  }
  return reportedUsage(message) ?? reportedUsage(response);
}

/** Diagnoses that say nothing of the request. */
const undiagnosed = ['previous_message_not_found', 'unavailable'];

/** What an answer says of the cache and of reasoning that the model was not shown; Anthropic and OpenAI put it beside the usage. */
function saidOf(answer: Fields): Pick<Usage, 'cacheMiss' | 'droppedReasoning'> {
  const { diagnostics, prompt_cache_diagnostics: cache, input_transformations: changes } = answer;
  const miss = isFields(diagnostics) ? diagnostics.cache_miss_reason : undefined;
  const cacheMiss = isFields(miss) ? miss.type : isFields(cache) ? cache.reason : undefined;
  const dropped = (Array.isArray(changes) ? changes : [])
    .filter((one) => isFields(one) && (one.action === 'removed' || one.type === 'thinking_dropped'))
    .map(({ reason }) => (typeof reason === 'string' ? reason : 'unknown'));
  return {
    ...(typeof cacheMiss === 'string' && !undiagnosed.includes(cacheMiss) && { cacheMiss }),
    ...(dropped.length > 0 && { droppedReasoning: [...new Set(dropped)] }),
  };
}

/** The usage of all that was sent. If Anthropic compacted it, the usage itself is only of what that left. */
function usageIn(usage: Fields): Fields {
  const first: unknown = Array.isArray(usage.iterations) ? usage.iterations[0] : undefined;
  return isFields(first) && first.type === 'compaction' ? first : usage;
}

function cachedTokensOf(usage: Fields): number {
  const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isFields);
  const { cache_read_input_tokens, cachedContentTokenCount, cacheReadInputTokens } = usage;
  const counts = [
    cache_read_input_tokens,
    cachedContentTokenCount,
    cacheReadInputTokens,
    details?.cached_tokens,
  ];
  return counts.find(isCount) ?? 0;
}

function tokensOf(usage: Fields): number | undefined {
  const { inputTokens, cacheReadInputTokens, cacheWriteInputTokens } = usage;
  return [
    // Converse and Anthropic count what is cached apart; OpenAI's Responses have no such fields at this place.
    sum(inputTokens, cacheReadInputTokens, cacheWriteInputTokens),
    isFields(inputTokens) ? inputTokens.total : undefined,
    usage.prompt_tokens,
    usage.promptTokenCount,
    sum(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens),
  ].find(isCount);
}

function sum(tokens: unknown, ...cached: readonly unknown[]): number | undefined {
  // All of it may have been read from the cache or written to it.
  return tokens === 0 || isCount(tokens)
    ? cached.filter(isCount).reduce((all, one) => all + one, tokens)
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
