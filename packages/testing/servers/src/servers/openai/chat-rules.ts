import type { Fields } from '@ctx/core/codec';
import {
  anyOf,
  anything,
  either,
  flag,
  list,
  misfitOf,
  nullable,
  object,
  oneOf,
  record,
  type Shape,
  tagged,
  text,
} from '../shape.js';
import { invalid, unfitting } from './words.js';

const breakpoint = anyOf('prompt_cache_breakpoint');
const textPart = object({ type: text, text }, breakpoint);
const refusalPart = object({ type: text, refusal: text });
const imagePart = object(
  { type: text, image_url: object({ url: text }, { detail: oneOf('auto', 'low', 'high') }) },
  breakpoint,
);
const audioPart = object({ type: text, input_audio: object({ data: text, format: text }) }, breakpoint);
const filePart = object({ type: text, file: record }, breakpoint);

const texts = either(text, list(tagged('type', { text: textPart }), 1));
const userContent = either(
  text,
  list(tagged('type', { text: textPart, image_url: imagePart, input_audio: audioPart, file: filePart }), 1),
);
const assistantContent = nullable(
  either(text, list(tagged('type', { text: textPart, refusal: refusalPart }), 1)),
);
/** Fields that others have where OpenAI has none. */
interface More {
  readonly call?: Record<string, Shape>;
  readonly assistant?: Record<string, Shape>;
}

const toolCall = (more: More) =>
  tagged('type', {
    function: object(
      {
        id: text,
        type: text,
        function: object({ name: text, arguments: text }, anyOf('parsed_arguments')),
      },
      more.call,
    ),
    custom: object({ id: text, type: text, custom: object({ name: text, input: text }) }),
  });

const message = (more: More) =>
  tagged('role', {
    system: object({ role: text, content: texts }, { name: text }),
    developer: object({ role: text, content: texts }, { name: text }),
    user: object({ role: text, content: userContent }, { name: text }),
    assistant: object(
      { role: text },
      {
        content: assistantContent,
        ...more.assistant,
        tool_calls: list(toolCall(more), 1),
        refusal: nullable(text),
        name: text,
        function_call: nullable(record),
        audio: nullable(record),
        // An answer has this; the SDK's helpers add the next. Both are sent back unchanged, and accepted.
        annotations: list(record),
        parsed: anything,
      },
    ),
    // LangChain sends the name, and it is accepted.
    tool: object({ role: text, content: texts, tool_call_id: text }, { name: text }),
    function: object({ role: text, content: nullable(text), name: text }),
  });

const tool = tagged('type', {
  function: object({
    type: text,
    function: object({ name: text }, { description: text, parameters: record, strict: nullable(flag) }),
  }),
  custom: object({ type: text, custom: record }),
});

const request = (more: More): Shape =>
  object(
    { model: text, messages: list(message(more), 1) },
    {
      tools: list(tool, 1),
      stream: nullable(flag),
      stream_options: nullable(object({}, { include_usage: flag, include_obfuscation: flag })),
      ...anyOf(
        'frequency_penalty',
        'logit_bias',
        'n',
        'presence_penalty',
        'seed',
        'stop',
        'temperature',
        'top_p',
      ),
      ...anyOf('max_completion_tokens', 'max_tokens', 'prediction', 'reasoning_effort', 'verbosity'),
      ...anyOf('audio', 'logprobs', 'modalities', 'response_format', 'top_logprobs', 'web_search_options'),
      ...anyOf('function_call', 'functions', 'parallel_tool_calls', 'tool_choice'),
      ...anyOf('metadata', 'moderation', 'safety_identifier', 'service_tier', 'store', 'user'),
      ...anyOf('prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'),
    },
  );

/** The body of `POST /v1/chat/completions`. */
export const chatRequest = request({});

/** The same at Mistral. */
export const mistralRequest = request({ call: anyOf('index'), assistant: anyOf('prefix') });

/** Refuses what OpenAI refuses in a request for a chat completion. */
export function checkChat(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit !== undefined) throw unfitting(misfit);
  const messages = request.messages as Fields[];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = answered(open, messages, index);
    else if (open.length > 0) throw unanswered(open, `messages.[${index}].role`);
    if (message.role === 'assistant') {
      checkContent(message, index);
      open = callIds(message);
    }
  }
  if (open.length > 0) throw unanswered(open, `messages.[${messages.length}].role`);
}

const callIds = ({ tool_calls = [] }: Fields) => (tool_calls as Fields[]).map(({ id }) => String(id));

function answered(open: readonly string[], messages: readonly Fields[], index: number): string[] {
  const id = String(messages[index]?.tool_call_id);
  if (open.includes(id)) return open.filter((one) => one !== id);
  const before = messages[index - 1];
  if (before?.role === 'tool' || before?.tool_calls !== undefined) {
    throw invalid(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      { param: `messages.[${index}].tool_call_id` },
    );
  }
  throw invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function unanswered(open: readonly string[], param: string) {
  return invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param },
  );
}

function checkContent({ content, tool_calls, function_call, refusal, audio }: Fields, index: number): void {
  const others = [tool_calls, function_call, refusal, audio];
  if ((content ?? undefined) !== undefined || others.some((one) => (one ?? undefined) !== undefined)) return;
  throw invalid(`Invalid value for 'content': expected a string, got null.`, {
    param: `messages.[${index}].content`,
  });
}
