import type { OverflowKind } from '@ctx/core/codec';

/** What a provider, gateway or local server answers to a request that is too large, or to one that only looks so. */
export interface ErrorForm {
  readonly from: string;
  /** Where it was seen, and when. */
  readonly source: string;
  /** 200 for what comes in an answer or a stream. @default 400 */
  readonly status?: number;
  /** The message, or the body of the answer. */
  readonly says: string | object;
  /** `undefined` if it is no overflow. */
  readonly kind: OverflowKind | undefined;
}

const groq = (limit: number, requested: number) =>
  `Request too large for model \`llama-3.1-8b-instant\` in organization \`org_1\` service tier \`on_demand\` on tokens per minute (TPM): Limit ${limit}, Requested ${requested}, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`;
const window = (limit: number, input: number, output: number) =>
  `This model's maximum context length is ${limit} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`;

/** Every form that is known beyond those in `overflow.test.ts`. */
export const errorForms: readonly ErrorForm[] = [
  // Tokens.
  {
    from: 'Groq, above the limit of a minute',
    source: 'autohandai/code-cli#377, 2026-06',
    status: 413,
    says: groq(6000, 9538),
    kind: 'tokens',
  },
  {
    from: 'Groq, the same as 429',
    source: 'issue 44, 2026-11',
    status: 429,
    says: { error: { message: groq(6000, 9538), type: 'tokens', code: 'rate_limit_exceeded' } },
    kind: 'tokens',
  },
  {
    from: 'OpenAI, above the limit of a minute',
    source: 'platform.openai.com error codes, 2025',
    status: 429,
    says: 'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 48187. The input or output tokens must be reduced in order to run successfully.',
    kind: 'tokens',
  },
  {
    from: 'OpenAI and Azure, of a configured limit',
    source: 'archi-physics/archi#497, 2026-03',
    says: 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens. Please reduce the length of the messages.',
    kind: 'tokens',
  },
  {
    from: 'OpenAI, in other words',
    source: 'code-yeongyu/senpi#1466, 2026-09',
    says: "Your input exceeds the model's context window. Please adjust your input and try again.",
    kind: 'tokens',
  },
  {
    from: 'Claude and GLM, in an answer',
    source: 'anomalyco/opencode#18918, 2026-03',
    status: 200,
    says: { error: { code: 'model_context_window_exceeded' } },
    kind: 'tokens',
  },
  {
    from: 'a gateway before Claude',
    source: 'issue 44, 2026-11',
    says: 'The model has reached its context window limit.',
    kind: 'tokens',
  },
  {
    from: 'LM Studio, in the middle of an answer',
    source: 'lmstudio.ai, gpt-oss runs, 2025-08',
    says: 'Reached context length of 8192 tokens with model (arch: gpt-oss) that does not currently support mid-generation context overflow. Try reloading with a larger context length or shortening the prompt/chat.',
    kind: 'tokens',
  },
  {
    from: 'LM Studio with MLX, and llama.cpp as 500',
    source: 'ggml-org/llama.cpp#19774, 2026-02',
    status: 500,
    says: { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
    kind: 'tokens',
  },
  {
    from: 'llama.cpp, by its type alone',
    source: 'ggml-org/llama.cpp#19774, 2026-02',
    says: { error: { code: 400, message: 'Bad request', type: 'exceed_context_size_error', n_ctx: 4096 } },
    kind: 'tokens',
  },
  {
    from: 'Volcano Ark',
    source: 'issue 44, 2026-11',
    says: 'Total tokens of image and text exceed max message tokens. Request id: 0217',
    kind: 'tokens',
  },
  {
    from: 'Z.AI',
    source: 'earendil-works/pi overflow tests, 2026',
    says: { error: { code: '1210', message: 'tokens in request more than max tokens allowed' } },
    kind: 'tokens',
  },
  {
    from: 'Zhipu, in Chinese',
    source: 'open.bigmodel.cn error codes, 2025',
    says: { error: { code: '1261', message: 'Prompt 超长' } },
    kind: 'tokens',
  },
  {
    from: 'Zhipu, by its code alone',
    source: 'open.bigmodel.cn error codes, 2025',
    says: { error: { code: '1261', message: 'Bad request' } },
    kind: 'tokens',
  },
  {
    from: 'LiteLLM, as 500',
    source: 'issue 44; getkimchi/kimchi#794, 2026-07',
    status: 500,
    says: {
      error: {
        message: 'litellm.ContextWindowExceededError: litellm.BadRequestError: HostedVllmException',
        code: '500',
      },
    },
    kind: 'tokens',
  },
  {
    from: 'LiteLLM, in `detail`',
    source: 'getkimchi/kimchi#794, 2026-07',
    says: {
      detail:
        'ContextWindowExceededError: Hosted_vllmException - {"object":"error","message":"The input (1492905 tokens) is longer than the model\'s context length (1048576 tokens)."}',
    },
    kind: 'tokens',
  },
  {
    from: 'SiliconFlow',
    source: 'leookun/cursor-byok#129, 2026-06',
    says: {
      code: 20015,
      message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.',
    },
    kind: 'tokens',
  },
  {
    from: 'SiliconFlow, older',
    source: 'sjzar/chatlog#30, 2025-04',
    says: 'length of prompt_tokens (163280) must be less than max_seq_len (32768).',
    kind: 'tokens',
  },
  {
    from: 'Perplexity',
    source: 'BerriAI/litellm#21647, 2026-02',
    says: 'The total length of all messages is too long.',
    kind: 'tokens',
  },
  {
    from: 'Poolside',
    source: 'earendil-works/pi overflow tests, 2026',
    says: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
    kind: 'tokens',
  },
  {
    from: 'DS4',
    source: 'earendil-works/pi overflow tests, 2026',
    says: 'Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens',
    kind: 'tokens',
  },
  {
    from: 'RKLLM',
    source: 'jaylfc/taOS#1738, 2026-07',
    says: 'Prompt is 11543 tokens but the model context window is 4096 tokens.',
    kind: 'tokens',
  },
  {
    from: 'vLLM, older',
    source: 'vllm-project/vllm, 2025',
    says: "You passed 4097 input tokens and requested 256 output tokens. However, the model's context length is only 4096 tokens.",
    kind: 'tokens',
  },
  {
    from: 'TabbyAPI',
    source: 'SillyTavern/SillyTavern#3543, 2025-02',
    status: 500,
    says: 'ValueError: Request length 71599 + 2048 is greater than max_seq_len 65536',
    kind: 'tokens',
  },
  {
    from: 'llama-cpp-python',
    source: 'abetlen/llama-cpp-python#416, 2023-06',
    status: 500,
    says: 'Requested tokens exceed context window of 512',
    kind: 'tokens',
  },
  {
    from: 'MLX Serve',
    source: 'ddalcu/mlx-serve#66, 2026-07',
    says: 'Prompt exceeds maximum context length',
    kind: 'tokens',
  },
  {
    from: 'YandexGPT',
    source: 'any-llm-client tests, 2025',
    says: {
      error: {
        grpcCode: 3,
        httpCode: 400,
        message: 'Number of input tokens must be no more than 8192, got 9136',
      },
    },
    kind: 'tokens',
  },
  {
    from: 'Together, as 403',
    source: 'docs.together.ai error codes, 2026',
    status: 403,
    says: 'Input token count + max_tokens must be less than the context length of the model being queried',
    kind: 'tokens',
  },
  {
    from: 'Vertex',
    source: 'letta-ai/letta overflow tests, 2026',
    says: 'Request contains 35000 tokens, which exceeds the limit of 32768.',
    kind: 'tokens',
  },
  {
    from: 'Gemini as 500',
    source: 'letta-ai/letta overflow tests, 2026',
    status: 500,
    says: 'Your input context is too long. Reduce your input context or temporarily switch to another model.',
    kind: 'tokens',
  },
  {
    from: 'GitHub Models',
    source: 'GitHub Models, 2025',
    status: 413,
    says: {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o-mini model. Max size: 8000 tokens.',
      },
    },
    kind: 'tokens',
  },
  {
    from: 'GitHub Copilot, by its code',
    source: 'letta-ai/letta overflow tests, 2026',
    says: { error: { code: 'model_max_prompt_tokens_exceeded', message: 'Bad request' } },
    kind: 'tokens',
  },
  {
    from: 'Kimi',
    source: 'letta-ai/letta overflow tests, 2026',
    says: "Input token length too long. The length of tokens in the request is too long. Do not exceed the model's maximum token limit.",
    kind: 'tokens',
  },
  {
    from: 'Qianfan and Modelverse',
    source: 'qianfan error codes 336103, 2025; Modelverse, 2026',
    says: { error: { code: 'tokens_too_long', message: 'Prompt tokens too long' } },
    kind: 'tokens',
  },
  {
    from: 'Spark, in Chinese',
    source: 'xfyun.cn error code 10907, 2025',
    says: { code: 10907, message: 'token数量超过上限。对话历史+问题的字数太多，需要精简输入' },
    kind: 'tokens',
  },
  {
    from: 'MiniMax, in an answer with status 200',
    source: 'letta-ai/letta overflow tests, 2026',
    status: 200,
    says: { base_resp: { status_code: 1039, status_msg: 'token limit exceeded' } },
    kind: 'tokens',
  },
  {
    from: 'a gateway in Chinese, as escapes',
    source: 'XiaomiMiMo/MiMo-Code#2417, 2026-09',
    says: '{"error":{"code":400,"message":"\\u8bf7\\u6c42\\u8d85\\u51fa\\u6a21\\u578b\\u4e0a\\u4e0b\\u6587\\u9650\\u5236"}}',
    kind: 'tokens',
  },
  {
    from: 'a gateway in Chinese',
    source: 'overflow patterns of Chinese gateways, 2026',
    says: '请求的 tokens 超过了模型最大上下文长度',
    kind: 'tokens',
  },
  {
    from: 'a gateway in Japanese',
    source: 'openclaw documentation of lancedb, 2026',
    says: '入力長がコンテキスト長を超えています',
    kind: 'tokens',
  },
  {
    from: 'an answer that only just does not fit',
    source: 'vllm-project/vllm, 2025',
    says: window(131_072, 70_142, 64_000),
    kind: 'tokens',
  },
  // Bytes, characters and messages.
  {
    from: 'Kimi, in bytes',
    source: 'issue 44, 2026-11',
    says: 'Invalid request: total message size 10176584 exceeds limit 2097152',
    kind: 'size',
  },
  {
    from: 'Gemini, in bytes',
    source: 'google-gemini/deprecated-generative-ai-android#26, 2023-12',
    says: 'Request payload size exceeds the limit: 20971520 bytes.',
    kind: 'size',
  },
  {
    from: 'Anthropic, in bytes',
    source: 'earendil-works/pi#401, 2026-01',
    status: 413,
    says: { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    kind: 'size',
  },
  {
    from: 'OpenAI, one text',
    source: 'letta-ai/letta overflow tests, 2026',
    says: "Invalid 'messages[3].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2778531 instead.",
    kind: 'size',
  },
  {
    from: 'OpenAI, the number of messages',
    source: 'community.openai.com, 2024',
    says: "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.",
    kind: 'size',
  },
  {
    from: 'Kimi, the number of messages',
    source: 'letta-ai/letta overflow tests, 2026',
    says: "'$.messages' is too long. Maximum length is 2048, but got 4970 items.",
    kind: 'size',
  },
  {
    from: 'Bedrock, in characters',
    source: 'ryanadoty/Amazon-Bedrock-Amazon-RDS-POC#9, 2024-01',
    says: 'Malformed input request: expected maxLength: 42000, actual: 46735, please reformat your input and try again.',
    kind: 'size',
  },
  {
    from: 'YandexGPT, in characters',
    source: 'any-llm-client tests, 2025',
    says: 'text length is 349354, which is outside the range (0, 100000]',
    kind: 'size',
  },
  {
    from: 'a server in Rust',
    source: 'axum DefaultBodyLimit, 2025',
    status: 413,
    says: 'Failed to buffer the request body: length limit exceeded',
    kind: 'size',
  },
  {
    from: 'an SDK without a body',
    source: 'openai-node, 2025',
    says: '413 status code (no body)',
    kind: 'size',
  },
  // Images.
  {
    from: 'Anthropic, more than twenty images and a large one',
    source: 'anthropics/claude-code#24630, 2026-02',
    says: 'messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    kind: 'images',
  },
  {
    from: 'Claude Code, in its own words',
    source: 'anthropics/claude-code#49537, 2026-04',
    says: 'An image in the conversation exceeds the dimension limit for many-image requests (2000px). Run /compact to remove old images from context, or start a new session.',
    kind: 'images',
  },
  {
    from: 'Anthropic, too many',
    source: 'anthropics/claude-code#24541, 2026-02',
    says: 'too many images and documents: 120 + 0 > 100',
    kind: 'images',
  },
  {
    from: 'Anthropic, too many with pages',
    source: 'anthropics/claude-code#24541, 2026-02',
    says: 'Too much media: 0 document pages + 107 images > 100',
    kind: 'images',
  },
  {
    from: 'vLLM, too many',
    source: 'vllm-project/vllm#17092, 2025-04',
    says: 'At most 5 image(s) may be provided in one request.',
    kind: 'images',
  },
  {
    from: 'Copilot, too many',
    source: 'microsoft/vscode#303825, 2026-03',
    says: 'The request contains too many images: 11 images were provided, but the model supports a maximum of 10 images.',
    kind: 'images',
  },
  {
    from: 'Copilot in Chinese',
    source: 'microsoft/vscode#303825, 2026-03',
    says: '请求中的图像过多: 提供了 11 个图像，但模型最多支持 10 个图像。',
    kind: 'images',
  },
  {
    from: 'a gateway, too many',
    source: 'experientiallabs/experiential#786, 2026-09',
    says: 'a request carries at most 20 images. (param: body)',
    kind: 'images',
  },
  {
    from: 'new-api, too many, as 500',
    source: 'QuantumNous/new-api#1233, 2025-06',
    status: 500,
    says: 'too many images in the message, max allowed is 16',
    kind: 'images',
  },
  // The room for the answer.
  {
    from: 'an answer as large as the window',
    source: 'MoonshotAI/kimi-code#834, 2026',
    says: window(131_072, 9_000, 131_072),
    kind: 'output',
  },
  {
    from: 'an answer that leaves a tenth',
    source: 'AIDotNet/OpenCowork#82, 2026-04',
    says: "This model's maximum context length is 131072 tokens. However, you requested 128000 output tokens and your prompt contains at least 3073 input tokens, for a total of at least 131073 tokens.",
    kind: 'output',
  },
  {
    from: 'Anthropic with an answer as large as the window',
    source: 'docs.anthropic.com, 2025',
    says: 'input length and `max_tokens` exceed context limit: 9000 + 200000 > 200000, decrease input length or `max_tokens` and try again',
    kind: 'output',
  },
  {
    from: 'Text Generation Inference with an answer as large as the window',
    source: 'huggingface/llm-vscode#94, 2023-10',
    status: 422,
    says: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 74 `inputs` tokens and 2048 `max_new_tokens`',
    kind: 'output',
  },
  {
    from: 'OpenRouter with an answer as large as the window',
    source: 'openrouter.ai, 2025',
    says: "This endpoint's maximum context length is 32768 tokens. However, you requested about 34768 tokens (2000 of text input, 32768 in the output). Please reduce the length of either one.",
    kind: 'output',
  },
  {
    from: 'a server that names the answer only',
    source: 'overflow tests of gateways, 2026',
    says: 'max_tokens must be less than the context window',
    kind: 'output',
  },
  // No overflows.
  {
    from: 'Groq, a minute that is used up',
    source: 'console.groq.com, 2026',
    status: 429,
    says: 'Rate limit reached for model `x` on tokens per minute (TPM): Limit 6000, Used 5900, Requested 1538. Please try again in 14s.',
    kind: undefined,
  },
  {
    from: 'a minute that is used up, without figures',
    source: 'code-yeongyu/senpi#1466, 2026-09',
    says: 'This request exceeds the limit of 30000 tokens per minute',
    kind: undefined,
  },
  {
    from: 'OpenRouter, credits that are used up',
    source: 'openrouter.ai, 2025',
    status: 402,
    says: 'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 2391.',
    kind: undefined,
  },
  {
    from: 'a quota in Chinese',
    source: 'open.bigmodel.cn error codes, 2025',
    says: '您的账户余额不足，请求 token 已超出配额',
    kind: undefined,
  },
  {
    from: 'a pace limit in Chinese',
    source: 'xfyun.cn error code 11202, 2025',
    says: '授权错误：秒级流控超限。请求频率超过限制',
    kind: undefined,
  },
  {
    from: 'Qwen, an answer longer than the model can give',
    source: 'DashScope error codes, 2025',
    says: 'Range of max_tokens should be [1, 32768]',
    kind: undefined,
  },
  {
    from: 'Bedrock, an answer longer than the model can give',
    source: 'charmbracelet/crush#946, 2025-09',
    says: 'The maximum tokens you requested exceeds the model limit of 32768. Try again with a maximum tokens value that is lower than 32768.',
    kind: undefined,
  },
  {
    from: 'DeepSeek, an answer longer than the model can give',
    source: 'api-docs.deepseek.com, 2025',
    says: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    kind: undefined,
  },
  {
    from: 'OpenAI, an id that is too long',
    source: 'openai/openai-node, 2025',
    says: "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.",
    kind: undefined,
  },
  {
    from: 'a name of a beta that is not known',
    source: 'docs.anthropic.com, 2025-08',
    says: 'Unexpected value(s) `model-context-window-exceeded-2025-08-26` for the `anthropic-beta` header.',
    kind: undefined,
  },
  {
    from: 'an image that is too large by itself',
    source: 'docs.anthropic.com, 2025',
    says: 'messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes',
    kind: undefined,
  },
  {
    from: 'an answer that met its own limit',
    source: 'mindcraft-bots/mindcraft#814, 2026-08',
    status: 200,
    says: { choices: [{ finish_reason: 'length', message: { content: 'Hello' } }] },
    kind: undefined,
  },
  {
    from: 'a busy server',
    source: 'RFC 9110',
    status: 503,
    says: 'The server is overloaded',
    kind: undefined,
  },
];
