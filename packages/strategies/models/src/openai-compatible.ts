import { type Fields, isFields } from '@ctx/core/codec';
import type { ChatModel, Completion } from './chat-model.js';
import { type Answer, completeBy, type EndpointOptions, environment, fieldsIn } from './model-request.js';

const stopReasons: Readonly<Record<string, Completion['stopReason']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refusal',
};

/**
 * A model behind OpenAI's Chat Completions API: OpenAI, OpenRouter, Ollama, LM Studio, vLLM and others. If the base URL or the key is
 * not given, it is read from `OPENAI_BASE_URL` or `OPENAI_API_KEY` (for OpenRouter `OPENROUTER_API_KEY`). A local server needs no key.
 */
export function openaiCompatible(options: EndpointOptions): ChatModel {
  const baseUrl = options.baseUrl ?? environment('OPENAI_BASE_URL') ?? 'https://api.openai.com/v1';
  const variable = baseUrl.includes('openrouter') ? 'OPENROUTER_API_KEY' : 'OPENAI_API_KEY';
  const apiKey = options.apiKey ?? environment(variable);
  const endpoint = {
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`,
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...options.headers },
    body: ({ system, user, maxTokens }: { system: string; user: string; maxTokens: number }) => ({
      model: options.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      max_tokens: maxTokens,
      stream: true,
      stream_options: { include_usage: true },
    }),
    read,
  };
  return {
    name: options.model,
    contextWindow: options.contextWindow,
    complete: (request) => completeBy(endpoint, request, options),
  };
}

/** Reads an event of a stream, whose new text is in `delta`, or a whole answer, whose text is in `message`. */
function read(event: unknown, answer: Answer): void {
  if (!isFields(event)) return;
  const [choice] = Array.isArray(event.choices) ? (event.choices as unknown[]) : [];
  if (isFields(choice)) {
    const said = (choice.delta ?? choice.message) as Fields | undefined;
    if (typeof said?.content === 'string') answer.text += said.content;
    const { finish_reason: reason } = choice;
    if (typeof said?.refusal === 'string' && said.refusal !== '') answer.stopReason = 'refusal';
    else if (typeof reason === 'string') answer.stopReason ??= stopReasons[reason] ?? 'other';
  }
  const usage = fieldsIn(event.usage);
  if (typeof usage.prompt_tokens === 'number') answer.inputTokens = usage.prompt_tokens;
  if (typeof usage.completion_tokens === 'number') answer.outputTokens = usage.completion_tokens;
}
