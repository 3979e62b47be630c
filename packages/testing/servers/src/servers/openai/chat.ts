import { type Fields, isFields } from '@ctx/core/codec';
import { type Answer, type Endpoint, type Ids, invalid, overflow, type Usage } from '../dialect.js';
import type { Reading, Spoken } from '../reading.js';
import type { Turn } from '../script.js';
import { misfitOf, type Shape, shapesIn } from '../shape.js';
import { dataEvent, piecesOf, textsOf } from '../stream-parts.js';

/** @param more fields that others than OpenAI have in a call, and in a message of the assistant */
const requestShape = (more: { readonly call: string; readonly assistant: string }): Shape =>
  shapesIn(`
  marked    = {prompt_cache_breakpoint?}
  text      = {type: 'text', text: string, ...marked}
  part      = text
            | {type: 'image_url', image_url: {url: string, detail?: 'auto' | 'low' | 'high'}, ...marked}
            | {type: 'input_audio', input_audio: {data: string, format: string}, ...marked}
            | {type: 'file', file: object, ...marked}
  texts     = string | [text]+
  call      = {type: 'function', id: string, function: {name: string, arguments: string, parsed_arguments?},
               ${more.call}}
            | {type: 'custom', id: string, custom: {name: string, input: string}}
  assistant = {content?: string | null | [text | {type: 'refusal', refusal: string}]+,
               ${more.assistant} tool_calls?: [call]+, refusal?: string | null, name?: string,
               function_call?: object | null, audio?: object | null, annotations?: [object], parsed?}
  message   = {role: 'system' | 'developer', content: texts, name?: string}
            | {role: 'user', content: string | [part]+, name?: string}
            | {role: 'assistant', ...assistant}
            | {role: 'tool', content: texts, tool_call_id: string, name?: string}
            | {role: 'function', content: string | null, name: string}
  tool      = {type: 'function',
               function: {name: string, description?: string, parameters?: object, strict?: boolean | null}}
            | {type: 'custom', custom: object}
  request   = {model: string, messages: [message]+, tools?: [tool]+, stream?: boolean | null,
               stream_options?: {include_usage?: boolean, include_obfuscation?: boolean} | null,
               frequency_penalty?, logit_bias?, n?, presence_penalty?, seed?, stop?, temperature?, top_p?,
               max_completion_tokens?, max_tokens?, prediction?, reasoning_effort?, verbosity?, audio?,
               logprobs?, modalities?, response_format?, top_logprobs?, web_search_options?, function_call?,
               functions?, parallel_tool_calls?, tool_choice?, metadata?, moderation?, safety_identifier?,
               service_tier?, store?, user?, prompt_cache_key?, prompt_cache_options?,
               prompt_cache_retention?}
`)('request');

/** The body of `POST /v1/chat/completions`. An answer has `annotations`, the SDK adds `parsed`, and LangChain names tools: all that is accepted. */
const chatRequest = requestShape({ call: '', assistant: '' });

/** The same at Mistral. */
export const mistralRequest = requestShape({ call: 'index?', assistant: 'prefix?,' });

/** `POST /v1/chat/completions`. */
export function chatEndpoint(shape: Shape = chatRequest): Endpoint {
  return {
    check: (request) => checkChat(request, shape),
    segments: ({ tools = [], messages }) => [...(tools as unknown[]), ...(messages as unknown[])],
    read,
    answer,
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

/** Refuses what does not have the shape of a request. */
export function checkShape(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit === undefined) return;
  const { place: param, problem } = misfit;
  throw invalid(`Invalid value: '${param}' ${problem}.`, { param, code: 'invalid_value' });
}

/** Refuses what OpenAI refuses in a request for a chat completion. */
function checkChat(request: Fields, shape: Shape): void {
  checkShape(request, shape);
  const messages = request.messages as Fields[];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = answered(open, messages, index);
    else checkAnswered(open, index);
    if (message.role === 'assistant') {
      checkContent(message, index);
      open = ((message.tool_calls ?? []) as Fields[]).map(({ id }) => String(id));
    }
  }
  checkAnswered(open, messages.length);
}

function answered(open: readonly string[], messages: readonly Fields[], index: number): string[] {
  const id = String(messages[index]?.tool_call_id);
  if (open.includes(id)) return open.filter((one) => one !== id);
  const before = messages[index - 1];
  if (before?.role === 'tool' || before?.tool_calls !== undefined)
    throw invalid(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      { param: `messages.[${index}].tool_call_id` },
    );
  throw invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function checkAnswered(open: readonly string[], index: number): void {
  if (open.length === 0) return;
  throw invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param: `messages.[${index}].role` },
  );
}

function checkContent({ content, tool_calls, function_call, refusal, audio }: Fields, index: number): void {
  if ([content, tool_calls, function_call, refusal, audio].some((one) => (one ?? undefined) !== undefined))
    return;
  const param = `messages.[${index}].content`;
  throw invalid(`Invalid value for 'content': expected a string, got null.`, { param });
}
