import { isFields } from '@ctx/core/codec';
import { type ChatModel, type Completion, ModelError } from './chat-model.js';
import { type Answer, completeBy, type EndpointOptions, environment, fieldsIn } from './model-request.js';

const stopReasons: Readonly<Record<string, Completion['stopReason']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  refusal: 'refusal',
};

/**
 * A model behind Anthropic's Messages API. If the base URL or the key is not given, it is read from `ANTHROPIC_BASE_URL` or
 * `ANTHROPIC_API_KEY`.
 */
export function anthropicCompatible(options: EndpointOptions): ChatModel {
  const baseUrl = options.baseUrl ?? environment('ANTHROPIC_BASE_URL') ?? 'https://api.anthropic.com';
  const apiKey = options.apiKey ?? environment('ANTHROPIC_API_KEY');
  const endpoint = {
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1/messages`,
    headers: {
      'anthropic-version': '2023-06-01',
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...options.headers,
    },
    body: ({ system, user, maxTokens }: { system: string; user: string; maxTokens: number }) => ({
      model: options.model,
      system,
      messages: [{ role: 'user', content: user }],
      max_tokens: maxTokens,
      stream: true,
    }),
    read,
  };
  return {
    name: options.model,
    contextWindow: options.contextWindow,
    complete: (request) => completeBy(endpoint, request, options),
  };
}

/** Reads an event of a stream, whose texts are in deltas, or a whole answer, whose texts are in `content`. */
function read(event: unknown, answer: Answer): void {
  if (!isFields(event)) return;
  if (event.type === 'error')
    throw new ModelError('server', 'The model server ended the answer with an error');
  const { text } = fieldsIn(event.delta);
  if (event.type === 'content_block_delta' && typeof text === 'string') answer.text += text;
  for (const block of Array.isArray(event.content) ? (event.content as unknown[]) : []) {
    const { type, text: whole } = fieldsIn(block);
    if (type === 'text' && typeof whole === 'string') answer.text += whole;
  }
  const reason = fieldsIn(event.delta).stop_reason ?? event.stop_reason;
  if (typeof reason === 'string') answer.stopReason = stopReasons[reason] ?? 'other';
  takeUsage(fieldsIn(event.message).usage ?? event.usage, answer);
}

function takeUsage(value: unknown, answer: Answer): void {
  const usage = fieldsIn(value);
  const inputs = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  const known = inputs.filter((tokens) => typeof tokens === 'number');
  if (known.length > 0) answer.inputTokens = known.reduce((sum, tokens) => sum + tokens, 0);
  if (typeof usage.output_tokens === 'number') answer.outputTokens = usage.output_tokens;
}
