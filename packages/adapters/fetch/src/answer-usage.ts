import { reportedUsage } from '@ctx/conversation';

/** What an answer reports of the tokens of its request. */
export interface AnswerUsage {
  /** Of the whole input, cached or not. */
  readonly inputTokens: number;
  /** Those of them that the provider read from its cache. */
  readonly cachedTokens: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The usage that an answer, or an event of a stream, reports; `undefined` if it reports none. */
export function usageOf(answer: unknown): AnswerUsage | undefined {
  const usage = reportedUsage(answer);
  if (usage === undefined) return undefined;
  return { inputTokens: usage.inputTokens, cachedTokens: cachedIn(answer) };
}

function cachedIn(answer: unknown): number {
  if (!isFields(answer)) return 0;
  const { usage, usageMetadata, message, response } = answer;
  const figures = isFields(usage) ? usage : isFields(usageMetadata) ? usageMetadata : undefined;
  if (figures === undefined) return cachedIn(message ?? response);
  const details = [figures.prompt_tokens_details, figures.input_tokens_details].find(isFields);
  const cached = [
    figures.cache_read_input_tokens,
    figures.cachedContentTokenCount,
    details?.cached_tokens,
  ].find((tokens): tokens is number => typeof tokens === 'number');
  return cached ?? 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
