import { countIn, type Fields, isFields, windowIn } from '../fields.js';

/** The tokens of the newest response, from a line that reports them: newer versions write two such lines, older ones the event. */
export function codexUsage(type: string, payload: Fields) {
  const usage = usageIn(type, payload);
  if (usage === undefined) return undefined;
  return {
    inputTokens: countIn(usage, 'input_tokens'),
    outputTokens: countIn(usage, 'output_tokens'),
    cacheReadTokens: countIn(usage, 'cached_input_tokens'),
    cacheWriteTokens: countIn(usage, 'cache_write_input_tokens'),
  };
}

function usageIn(type: string, { type: kind, info, usage }: Fields): Fields | undefined {
  if (type === 'token_usage_record') return isFields(usage) ? usage : undefined;
  if (type !== 'event_msg' || kind !== 'token_count' || !isFields(info)) return undefined;
  return isFields(info.last_token_usage) ? info.last_token_usage : undefined;
}

/** The window, from the line that reports tokens or from the one that begins a task. */
export function codexWindow(payload: Fields): number | undefined {
  const { info } = payload;
  return windowIn(isFields(info) ? info : payload, 'model_context_window');
}

/** The tokens of all responses so far. An event that repeats the newest usage leaves them as they were. */
export function totalIn({ info }: Fields): unknown {
  const total = isFields(info) ? info.total_token_usage : undefined;
  return isFields(total) ? total.total_tokens : undefined;
}
