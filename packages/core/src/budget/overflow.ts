/** What a refused request has too much of: tokens; bytes, characters or messages; images; or room for its answer. */
export type OverflowKind = 'tokens' | 'size' | 'images' | 'output';

/** One kind of overflow: what its errors speak of, how they say that it is too much, and phrases that say both. */
interface ErrorForms {
  readonly kind: OverflowKind;
  readonly about: RegExp;
  readonly excess: readonly RegExp[];
  /** What a sentence is about if it is not about this. */
  readonly other: readonly RegExp[];
  readonly phrases: readonly RegExp[];
}

/** Where a sentence of an error, or a text of its JSON, ends: not at the point of a name or a number. */
const sentenceEnd = /[.;!]["'`)]*(?:\s|$)|[。；！\n]|",\s*"/;

/**
 * How providers, gateways and local servers say it, in a sentence with a word for what is meant and one for too much, or in a phrase.
 * `test/budget/overflow-forms.jsonl` has the source of each.
 */
const forms: readonly ErrorForms[] = [
  {
    kind: 'images',
    about:
      /\b(images|pictures|image ?\(s\)|(number of|total) image|image (blocks?|count|inputs))|图片|图像|圖片|圖像/i,
    excess: [
      /too many|at most|\bmax(imum)?\b|\blimit\b|exceed|(more|greater) than|\bup to \d|only supports/i,
      /过多|過多|最多|超[过過]|超出/,
    ],
    other: [
      /pixel|resolution|dimension|\bany image|\beach|\bper image|(?<!total )image sizes?|图片大小|圖片大小/i,
    ],
    phrases: [
      /image dimensions? exceed.{0,60}many-image/i,
      /dimension limit for many-image/i,
      /too many (images|pictures)\b|\bimages?_?(count|limit)?[_ ](limit )?exceeded/i,
      /too much media:/i,
    ],
  },
  {
    kind: 'tokens',
    about:
      /\bcontext|\bprompt|\btokens?\b|\binputs?\b|\bconversation|\bmessages\b(?!\[)|\b(sequence|request|message|content) length|max_(seq|model)_len|n_ctx|(chat|message) history|kontext|eingabe|contest|entrada|jeton|контекст|токен|上下文|提示[词詞]|[输輸]入|[对對][话話]|消息|コンテキスト|プロンプト|トークン|入力|컨텍스트|프롬프트|토큰|입력/i,
    excess: [
      /exceed|overflow|\b(?:longer|larger|greater|bigger) than/i,
      /too (?:long|large|big)\b|too many (?:total |input |prompt |request )?tokens/i,
      /\b(?:more|less) than (?:or equal to )?(?:the |max|\d{3})/i,
      /\b(?:beyond|above|over) (?:the |its |our )?(?:model |token |allowed )?(?:limit|max|window|context|capacity)/i,
      /(?:not|n't) fit|\bonly \d{1,12} .{0,20}available|not enough context|context limit reached/i,
      /context(?: window| length)? (?:is |has been )?(?:full|exhausted)/i,
      /\bmust (?:be|have) (?:<=|at most|under)|\b(?:no more than|at most|under|supports(?: only)?(?: up to)?) \d{3}/i,
      /\d{3}\)? ?> ?(?:n_ctx |max \()?\d{3}|> n_ctx/,
      /\bmax(?:imum)?\b.{0,30}\d.{0,20}\b(?:got|given|received)\b/i,
      /exced|super[aoó]|ultrapass|dépass|überschr|überst[ei]|\bzu lang|trop long|demasiado|troppo lung|превы|слишком/i,
      /超长|超長|[过過][长長多]|超限|超[过過]|超出|超え|長すぎ|上限に達|초과/,
    ],
    other: [
      /\b(?:images?|audio|video|files?|documents?|tools?|functions?|schema|headers?|uri|string|array|bytes?|characters?)\b/i,
      /\b(?:stop sequences?|depth|items|roles?|names?|ids?|thinking|deadline|time-?outs?|timed out|seconds|minutes|hours)\b/i,
      /\b(?:duration|lifetime|expired?|access|auth|bearer|jwt|policy|safety|filtered)\b|\b(?:nest|budget|cache)/i,
      /\d ?[MKG]i?B\b|\b(?:input|should) (?:should|have)\b/i,
      /number of messages|too many messages|\d messages|messages' is too long|messages length|request length/i,
    ],
    phrases: [
      /(?:context|prompt|input|token|message|content)s?_?(?:length|window|size|limit)?s?_?(?:too_?(?:long|large|big)|exceed|overflow|limit_reached)/i,
      /out_?of_?context_?error|exceed_context_size|tokens_limit_reached|CONTENT_LENGTH_EXCEEDS/i,
      /context (length|window|size) (is|of)( only)? \d/i,
      /(context (length|window|size)|maximum context|(?<!output )token limit).{0,60}\b(exceed|reached|too (small|long|large))/i,
      /(exceed|exceeds|exceeded|(larger|longer|greater) than|over|beyond)\b.{0,60}\b(context (length|window|size|limit)|maximum (allowed )?(context|(input|prompt|model|sequence) length)|(?<!output )token limit|max_(seq|model)_len)/i,
      /\breach(ed|es)? (its |the )?(context (length|window|size)|conversation limit)/i,
      /maximum (context|prompt) length/i,
      /request.{0,20} too (long|large).{0,40}(context|token|model)/i,
      /\bexceed(s|ed)? (the )?max(imum)? (message|prompt|input|context)[_ ]tokens/i,
      /range of input length/i,
      /max_tokens must be at least 1, got -/i,
      /reduce the length of (the|your) (messages|prompt|input)/i,
      /"status_code": ?1039\b|"code": ?"?1261\b|^(1039|1261)$/,
      /最大上下文/,
      /(内容|文本|字数|历史)[^。\n]{0,10}(过长|过多|超过|超出)/,
    ],
  },
  {
    kind: 'size',
    about:
      /\b(payload|request|body|messages?|content)\b|request_entity|entity\.too|'?(messages|input)'?\b|请求体?|消息体|請求/i,
    excess: [
      /\b(?:size|bytes|length|payload)\b.{0,60}\bexceed/i,
      /exceed.{0,40}(?:\bsize|bytes|maximum length|\d ?[mkg]i?b\b|\bbuffer)/i,
      /larger than max|too large\b.{0,60}\d ?[mkg]i?b\b|过大|過大/i,
    ],
    other: [/\b(images?|audio|video|files?|documents?|tools?|functions?|headers?|tokens?|ids?|names?)\b/i],
    phrases: [
      /\brequest_too_large\b|\bpayload_too_large\b|entity\.too\.large/,
      /\b(payload|body|request entity|content) (is )?too large\b|\brequest body (is )?too large\b(?!.{0,60}tokens)|request ?(is |was )?too ?large\.?$/i,
      /\b(body|payload)\b.{0,40}\b(exceed\w{0,3}|larger than|over)\b.{0,40}(limit|bytes|maximum|[mk]i?b\b)/i,
      /\bbody:? length limit exceeded|exceeded limit on max bytes|message (larger|bigger) than|must be smaller than \d{4,12} bytes|maximum request length exceeded/i,
      /text length is \d{1,12}, which is outside the range/i,
      /expected maxLength: \d{4,12}, actual: \d/i,
      /'(messages|input)[^']{0,60}': string too long\. Expected a string with maximum length \d{5,12}/i,
      /(messages|input)'?( ?: array|is| is)? too long\. (Expected an array with )?maximum length/i,
      /too many messages\b.{0,20}\d|(number of messages|'(messages|input)').{0,30}exceeds|\bat most \d{1,12} messages\b/i,
    ],
  },
];

/** A used-up allowance. Waiting or paying helps, a smaller request does not. */
const allowance =
  /rate.?limit|tokens per (min|minute|day|hour)|quota|too many requests|throttl|please wait|slow down|insufficient|can only afford|credit balance|\b(hourly|daily|weekly|monthly)\b|billing period|频率|额度|配额|余额|每分钟|当日|限流|并发|套餐|用量/i;

/** The answer is longer than the model can give, whatever is asked. A smaller request would be refused too. */
const answerLimit =
  /supports at most \d{1,12} (completion|output) tokens|maximum (allowed )?number of (output|completion) tokens|range of max_tokens|maximum tokens you requested exceeds|valid range of max_tokens/i;
/** A sentence that has the first of these without the second is about the answer. */
const ofAnswer = /max_?(completion_?|output_?|new_?)?tokens|\boutput|completion|输出|輸出|生成/i;
const ofRequest = /context|\binputs?\b|prompt|messages|request (has|length)|上下文|输入|輸入/i;

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

/** Only this many errors of a list are searched. */
const mostErrors = 10;
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
  const kind = forms.find((form) => texts.some((text) => isOf(form, text)))?.kind;
  return kind ?? (says(/^413\b/) ? 'size' : undefined);
}

function isOf({ about, excess, other, phrases }: ErrorForms, text: string): boolean {
  const has = (patterns: readonly RegExp[], one: string) => patterns.some((pattern) => pattern.test(one));
  const isOfAnswer = (one: string) => ofAnswer.test(one) && !ofRequest.test(one);
  return (
    has(phrases, text) ||
    text
      .split(sentenceEnd)
      .some((one) => about.test(one) && has(excess, one) && !has(other, one) && !isOfAnswer(one))
  );
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
  ...['status', 'statusCode', 'status_code', 'code', 'error_code', 'Code', 'type', 'name', 'reason'],
  ...['message', 'Message', 'msg', 'error_msg', 'errorMessage', 'status_msg', 'detail', 'title', 'raw'],
  ...['responseBody', 'body', 'error', 'data'],
];
const innerFields = [
  ...['body', 'error', 'Error', 'errors', 'cause', 'data', 'detail', 'metadata', 'header'],
  ...['response', 'Response', 'lastError', 'base_resp'],
];

/** An error and the errors nested inside it, three levels deep. */
function* errorsIn(error: unknown, depth: number): Generator<unknown> {
  yield error;
  if (depth === 3) return;
  const inside = Array.isArray(error) ? error.slice(0, mostErrors) : valuesOf(error, innerFields);
  for (const inner of inside) yield* errorsIn(inner, depth + 1);
}

function valuesOf(value: unknown, names: readonly string[]): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return names.map((name) => (value as Record<string, unknown>)[name]).filter((one) => one !== undefined);
}
