/** What a refused request has too much of: tokens; bytes, characters or messages; images; or room for its answer. */
export type OverflowKind = 'tokens' | 'size' | 'images' | 'output';

/** Forms in which providers, gateways and local servers say it. `test/budget/overflow-forms.jsonl` has the source of each. */
const forms: readonly (readonly [OverflowKind, readonly RegExp[]])[] = [
  [
    'images',
    [
      /image dimensions? exceed.{0,60}many-image/i,
      /dimension limit for many-image/i,
      /too many (images|pictures)\b/i,
      /too much media:/i,
      /\bat most \d{1,12} images?\b.{0,60}(request|prompt|message)/i,
      /\b(images?|image blocks?)\b.{0,40}\b(exceeds?|exceeded|more than|greater than|over)\b.{0,40}\b(maximum|limit|allowed)\b.{0,30}\bper (request|prompt)/i,
      /at most \d{1,12} (images|image blocks)\b/i,
      /(图像|图片)(过多|.{0,30}最多)/,
    ],
  ],
  [
    'size',
    [
      /\brequest_too_large\b|\bpayload_too_large\b/,
      /\b(payload|request entity|content) too large\b|\brequest body too large\b(?!.{0,60}tokens)/i,
      /\b(payload|request|body|message|messages) size\b.{0,60}\bexceed/i,
      /\bexceed(s|ed)? the maximum (allowed )?(size|number of bytes)\b/i,
      /\b(body|payload)\b.{0,40}\b(exceed\w{0,3}|larger than|over)\b.{0,40}(limit|bytes|maximum|[mk]i?b\b)/i,
      /\bbody:? length limit exceeded/i,
      /too many total text bytes/i,
      /text length is \d{1,12}, which is outside the range/i,
      /expected maxLength: \d{4,12}, actual: \d/i,
      /'(messages|input)[^']{0,60}': string too long\. Expected a string with maximum length \d{5,12}/i,
      /(messages|input)' ?(: array|is) too long\. (Expected an array with )?maximum length/i,
      /(请求体?|消息体)过大/,
    ],
  ],
  [
    'tokens',
    [
      /context[_ ]?(length|window|size)[_ ]?(is )?(exceed|overflow)|exceed_context_size|out_?of_?context_?error/i,
      /model_max_prompt_tokens_exceeded|tokens_limit_reached|\btokens_too_long\b/i,
      /(exceed|exceeds|exceeded|(larger|longer|greater) than|over|beyond)\b.{0,60}\b(context (length|window|size)|maximum (allowed )?(context|(input|prompt|model|sequence) length)|token limit|max_(seq|model)_len)/i,
      /(context (length|window|size)|maximum context|token limit).{0,60}\b(exceed|reached|too (small|long|large))/i,
      /\breach(ed|es)? (its |the )?(context (length|window|size)|conversation limit)/i,
      /conversation length exceeded/i,
      /maximum (context|prompt) length/i,
      /input (tokens?|length|is) .{0,40}(exceed|too long)/i,
      /too many (input )?tokens/i,
      /\b(prompt|input)( tokens?| token length| context)?( is| are)? too long\b/i,
      /\blength of (all messages|messages|(the )?tokens).{0,30}too long/i,
      /(input|prompt|request).{0,20} too (long|large).{0,40}(context|token|model)/i,
      /(input|prompt) token count .{0,60}(exceeds|only supports)/i,
      /input token count \+.{0,30}must be (less|<)/i,
      /(input|prompt)[_ ]tokens\b.{0,40}\b(must be (less|no more)|exceeded)/i,
      /(input|prompt).{0,20} exceeds (the |its )?(max|length limit|limit)/i,
      /tokens in request (are |is )?more than/i,
      /\bexceed(s|ed)? (the )?max(imum)? (message|prompt|input|context)[_ ]tokens/i,
      /\d tokens,? which exceeds the (limit|max)/i,
      /tokens\b.{0,80}\b(but|however)\b.{0,60}context (length|window|size) is\b/i,
      /range of input length/i,
      /\binputs\b.{0,40}must (be <=|have less than)/i,
      /max_tokens.{0,60}(too large|exceed|larger)/i,
      /max_tokens must be at least 1, got -/i,
      /reduce the length of (the|your) (messages|prompt|input)/i,
      /body too large for .{0,60} model\b.{0,20}max size: \d{1,12} tokens/i,
      /"status_code": ?1039\b|"code": ?"?1261\b|^(1039|1261)$/,
      /(上下文|提示词|输入|对话|消息|prompt|tokens?)[^。；\n]{0,30}(超长|过长|超限|超过|超出)/i,
      /(超过|超出)[^。；\n]{0,20}(上下文|最大(长度|token)|模型.{0,6}长度|长度限制)/i,
      /コンテキスト.{0,30}(超え|超過)|컨텍스트.{0,30}초과|контекст.{0,40}превы(ша|си)/i,
    ],
  ],
];

/** A used-up allowance. Waiting or paying helps, a smaller request does not. */
const allowance =
  /rate.?limit|tokens per (min|minute|day|hour)|quota|too many requests|throttl|please wait|slow down|insufficient|can only afford|credit balance|频率|额度|配额|余额|每分钟|当日|限流|并发/i;

/** The answer is longer than the model can give, whatever is asked. A smaller request would be refused too. */
const answerLimit =
  /supports at most \d{1,12} (completion|output) tokens|maximum (allowed )?number of (output|completion) tokens|range of max_tokens|maximum tokens you requested exceeds|valid range of max_tokens/i;

/** An allowance per minute or day that the request exceeds by itself: it can never pass. */
const beyondAllowance = /\blimit:? (?<limit>\d[\d,]{0,12}).{0,40}\brequested:? (?<requested>\d[\d,]{0,12})/i;

/** How errors divide a request: what is to be answered, and what fits. */
const divisions = [
  /maximum context length (?:is|of) (?<limit>\d{1,12})\b.{0,120}?\b(?<output>\d{1,12}) (?:tokens )?(?:in|for|of) the (?:completion|output)/is,
  /maximum context length (?:is|of) (?<limit>\d{1,12})\b.{0,60}?requested (?<output>\d{1,12}) output tokens/is,
  /too large: (?<output>\d{1,12})\. This model's maximum context length is (?<limit>\d{1,12})/i,
  /exceed context limit: \d{1,12} \+ (?<output>\d{1,12}) > (?<limit>\d{1,12})/i,
  /must be <= (?<limit>\d{1,12})\..{0,60}?(?<output>\d{1,12}) `max_new_tokens`/is,
];
/** The setting for the answer is named and nothing of the request. */
const onlyOutput = /\bmax_(completion_|output_)?tokens:? (must be less than|exceeds?) the context/i;

/**
 * The share of a window from which on the room for an answer is itself to blame. No conversation goes on in the eighth that is left: it
 * would be cut down to almost nothing.
 */
const outputShare = 7 / 8;

/** True if the tokens that an answer may have leave no room for a conversation. */
export function fillsWindow(outputTokens: number, windowTokens: number): boolean {
  return outputTokens >= windowTokens * outputShare;
}

/** Only this many UTF-16 units of an error are searched. The rest says nothing about its cause. */
const longestError = 4000;

/**
 * True if a provider's error says that the request is too large: for the window, in bytes (413), or by its images. A used-up allowance (429)
 * is not such an error, and neither is an answer that is allowed more than fits.
 */
export function isOverflowError(error: unknown): boolean {
  const kind = overflowKind(error);
  return kind !== undefined && kind !== 'output';
}

/** What a provider's error says that a request has too much of; `undefined` for any other error. */
export function overflowKind(error: unknown): OverflowKind | undefined {
  const texts = textsOfError(error);
  const says = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (texts.some(isBeyondAllowance)) return 'tokens';
  if (says(/^4(02|29)$/) || says(allowance) || says(answerLimit)) return undefined;
  if (texts.some(isForOutput)) return 'output';
  const kind = forms.find(([, patterns]) => patterns.some(says))?.[0];
  return kind ?? (says(/^413\b/) ? 'size' : undefined);
}

/** What an error and those inside it say, with the sizes that a server gives as numbers. */
export function textsOfError(error: unknown): readonly string[] {
  return [...errorsIn(error, 0)]
    .flatMap((one) => (typeof one === 'object' ? [...valuesOf(one, textFields), ...sizeIn(one)] : one))
    .filter((text) => typeof text === 'string' || typeof text === 'number')
    .map((text) => unescaped(String(text).slice(0, longestError)));
}

function sizeIn(error: unknown): string[] {
  const [requested, limit] = valuesOf(error, ['n_prompt_tokens', 'n_ctx']);
  return limit === undefined ? [] : [`${requested} tokens > ${limit}`];
}

function isBeyondAllowance(text: string): boolean {
  const { limit, requested } = beyondAllowance.exec(text)?.groups ?? {};
  return limit !== undefined && numberIn(requested) > numberIn(limit);
}

function isForOutput(text: string): boolean {
  const { output, limit } = divisions.map((one) => one.exec(text)?.groups).find(Boolean) ?? {};
  if (output !== undefined) return fillsWindow(numberIn(output), numberIn(limit));
  return onlyOutput.test(text) && !/\binput|\bprompt/i.test(text);
}

const numberIn = (text = '') => Number(text.replaceAll(',', ''));

/** Some write characters of other scripts as escapes, in JSON that is itself a text. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const textFields = [
  ...['status', 'statusCode', 'status_code', 'code', 'type', 'name'],
  ...['message', 'status_msg', 'detail', 'responseBody', 'body', 'error', 'data'],
];
const innerFields = ['body', 'error', 'cause', 'data', 'response', 'lastError', 'base_resp'];

/** An error and the errors nested inside it, three levels deep. */
function* errorsIn(error: unknown, depth: number): Generator<unknown> {
  yield error;
  if (depth < 3) for (const inner of valuesOf(error, innerFields)) yield* errorsIn(inner, depth + 1);
}

function valuesOf(value: unknown, names: readonly string[]): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return names.map((name) => (value as Record<string, unknown>)[name]).filter((one) => one !== undefined);
}
