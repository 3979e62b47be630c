/**
 * Messages of providers and local servers about a request that is larger than the window. Rate limits are not among
 * them.
 */
const overflowMessages = [
  /context[_ ]length[_ ]exceeded/i,
  /(exceed|exceeds|exceeded|(larger|longer|greater) than|over|beyond)\b.{0,60}\b(context (length|window|size)|maximum (context|model length)|token limit)/i,
  /(context (length|window|size)|maximum context|token limit).{0,60}\b(exceed|reached|too (small|long|large))/i,
  /maximum (context|prompt) length/i,
  /input (tokens?|length|is) .{0,40}(exceed|too long)/i,
  /too many (input )?tokens/i,
  /prompt is too long/i,
  /(input|prompt|request).{0,20} too (long|large).{0,40}(context|token|model)/i,
  /(input|prompt) token count .{0,60}(exceeds|only supports)/i,
  /(input|prompt) exceeds (the )?max/i,
  /range of input length/i,
  /\binputs\b.{0,40}must (be <=|have less than)/i,
  /max_tokens.{0,60}(too large|exceed|larger)/i,
  /max_tokens must be at least 1, got -/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  /\brequest_too_large\b/,
  /\b(payload|request entity|content) too large\b/i,
];

const rateLimit =
  /rate.?limit|tokens per (min|minute|day|hour)|quota|too many requests|throttl|please wait|slow down/i;

/** Only this many UTF-16 units of an error are searched. The rest says nothing about its cause. */
const longestError = 4000;

/** The answer is longer than the model can give. A smaller request would be refused too. */
const answerLimit = /supports at most \d+ (completion|output) tokens/i;

/**
 * True if a provider's error says that the request does not fit into the window, or has too many bytes (413). A rate
 * limit (429) is not such an error.
 */
export function isOverflowError(error: unknown): boolean {
  const errors = [...errorsIn(error, 0)];
  const statuses = errors.flatMap((one) => valuesOf(one, ['status', 'statusCode', 'code']));
  if (statuses.includes(429)) return false;
  const texts = errors.flatMap((one) => (typeof one === 'string' ? one : valuesOf(one, textFields)));
  const says = (...patterns: RegExp[]) =>
    texts.some(
      (text) =>
        typeof text === 'string' && patterns.some((pattern) => pattern.test(text.slice(0, longestError))),
    );
  return !says(rateLimit, answerLimit) && (statuses.includes(413) || says(...overflowMessages));
}

const textFields = ['name', 'message', 'code', 'type', 'responseBody', 'body', 'error', 'data'];
const innerFields = ['body', 'error', 'cause', 'data', 'response', 'lastError'];

/** An error and the errors nested inside it, three levels deep. */
function* errorsIn(error: unknown, depth: number): Generator<unknown> {
  yield error;
  if (depth < 3) for (const inner of valuesOf(error, innerFields)) yield* errorsIn(inner, depth + 1);
}

function valuesOf(value: unknown, names: readonly string[]): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return names.map((name) => (value as Record<string, unknown>)[name]).filter((one) => one !== undefined);
}
