/**
 * What providers and local servers say when a request is larger than the window; a rate limit is none of these.
 */
const overflowMessages = [
  /context[_ ]length[_ ]exceeded/i,
  /(exceed|exceeds|exceeded|larger than|over|beyond)\b.{0,60}\b(context (length|window|size)|maximum context|token limit)/i,
  /(context (length|window|size)|maximum context|token limit).{0,60}\b(exceed|reached|too (small|long|large))/i,
  /maximum context length/i,
  /input (tokens?|length|is) .{0,40}(exceed|too long)/i,
  /too many (input )?tokens/i,
  /prompt is too long/i,
  /(input|prompt|request).{0,20} too (long|large).{0,40}(context|token|model)/i,
  /input token count .{0,60}exceeds/i,
  /max_tokens.{0,60}(too large|exceed|larger)/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
];

const rateLimit = /rate.?limit|tokens per (min|minute|day|hour)|quota|too many requests/i;

/** True for a provider's error that says the request does not fit into the window; a rate limit (429) is not one. */
export function isOverflowError(error: unknown): boolean {
  const texts = textsOf(error, 0);
  const statuses = fieldsOf(error, ['status', 'statusCode', 'code']);
  if (statuses.includes(429)) return false;
  return (
    !texts.some((text) => rateLimit.test(text)) &&
    texts.some((text) => overflowMessages.some((one) => one.test(text)))
  );
}

function fieldsOf(error: unknown, names: readonly string[]): unknown[] {
  if (typeof error !== 'object' || error === null) return [];
  return names.map((name) => (error as Record<string, unknown>)[name]);
}

/** Messages, codes and bodies of an error and of what caused it, three levels deep. */
function textsOf(error: unknown, depth: number): string[] {
  if (typeof error === 'string') return [error];
  if (typeof error !== 'object' || error === null || depth > 3) return [];
  const inner = fieldsOf(error, [
    'message',
    'code',
    'type',
    'responseBody',
    'body',
    'error',
    'cause',
    'data',
  ]);
  return inner.flatMap((value) => textsOf(value, depth + 1));
}
