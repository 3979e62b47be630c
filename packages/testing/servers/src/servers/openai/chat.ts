import { type Fields, isFields } from '@ctx/core/codec';
import { type Answer, type Endpoint, type Ids, overflow, type Usage } from '../dialect.js';
import type { Reading, Spoken } from '../reading.js';
import type { Turn } from '../script.js';
import type { Shape } from '../shape.js';
import { dataEvent, piecesOf, textsOf } from '../stream-parts.js';
import { checkChat } from './chat-rules.js';
import { chatRequest } from './chat-shape.js';

/** `POST /v1/chat/completions`. */
export function chatEndpoint(ids: Ids, shape: Shape = chatRequest): Endpoint {
  return {
    check: (request) => checkChat(request, shape),
    segments: ({ tools = [], messages }) => [...(tools as unknown[]), ...(messages as unknown[])],
    read,
    answer: (request, turn, usage) => answer(request, turn, usage, ids),
    overflow: (tokens, window) =>
      overflow(
        `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
        { param: 'messages', code: 'context_length_exceeded' },
      ),
    asksForStream: ({ stream }) => stream === true,
    events,
    overflowEvents: (error) => [dataEvent(error)],
  };
}

function read({ messages, tools = [] }: Fields): Reading {
  const by = (role: unknown) => (role === 'assistant' ? 'model' : role === 'developer' ? 'system' : role);
  return {
    tools: (tools as Fields[]).map((tool) => String((isFields(tool.function) ? tool.function : tool).name)),
    spoken: (messages as Fields[]).map(({ role, content, tool_calls = [], tool_call_id }) => ({
      by: by(role) as Spoken['by'],
      texts: textsOf(content),
      calls: (tool_calls as Fields[]).map(({ id, function: made, custom }) => {
        const { name, arguments: input } = (made ?? custom) as Fields;
        return { key: String(id), name: String(name), input };
      }),
      results: role === 'tool' ? [{ key: tool_call_id, result: content }] : [],
    })),
  };
}

function answer({ model }: Fields, turn: Turn, usage: Usage, ids: Ids): Answer {
  const calls = turn.calls.map(({ name, input }) => ({
    id: ids.next('call_'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    body: {
      id: ids.next('chatcmpl-'),
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
      service_tier: 'default',
      system_fingerprint: 'fp_test',
    },
    key: calls[0]?.id,
  };
}

/** Usage comes in a last chunk of its own, and only if the request asks for it. */
function events(body: Fields, { stream_options }: Fields): string[] {
  const { choices, usage, ...rest } = body;
  const [{ message, finish_reason }] = choices as [{ message: Fields; finish_reason: string }];
  const withUsage = isFields(stream_options) && stream_options.include_usage === true;
  const common = { ...rest, object: 'chat.completion.chunk' };
  const chunk = (delta: Fields, finish: string | null = null) =>
    dataEvent({
      ...common,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    });
  const calls = (message.tool_calls ?? []) as { id: string; type: string; function: Fields }[];
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...piecesOf(String(message.content ?? '')).map((content) => chunk({ content })),
    ...calls.flatMap(({ id, type, function: called }, index) => [
      chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }),
      ...piecesOf(String(called.arguments)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, finish_reason),
    ...(withUsage ? [dataEvent({ ...common, choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ];
}
