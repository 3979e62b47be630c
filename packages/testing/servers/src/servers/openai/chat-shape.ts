import {
  anyOf,
  anything,
  either,
  flag,
  list,
  nullable,
  object,
  oneOf,
  record,
  type Shape,
  tagged,
  text,
} from '../shape.js';

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
      ...anyOf('frequency_penalty logit_bias n presence_penalty seed stop temperature top_p'),
      ...anyOf('max_completion_tokens max_tokens prediction reasoning_effort verbosity audio logprobs'),
      ...anyOf('modalities response_format top_logprobs web_search_options function_call functions'),
      ...anyOf('parallel_tool_calls tool_choice metadata moderation safety_identifier service_tier store'),
      ...anyOf('user prompt_cache_key prompt_cache_options prompt_cache_retention'),
    },
  );

/** The body of `POST /v1/chat/completions`. */
export const chatRequest = request({});

/** The same at Mistral. */
export const mistralRequest = request({ call: anyOf('index'), assistant: anyOf('prefix') });
