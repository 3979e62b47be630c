import {
  anyOf,
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
  wholeOf,
} from '../shape.js';

const breakpoint = anyOf('prompt_cache_breakpoint');
const inputText = object({ type: text, text }, breakpoint);
const inputImage = object(
  { type: text },
  { detail: nullable(text), file_id: nullable(text), image_url: nullable(text), ...breakpoint },
);
const inputFile = object(
  { type: text },
  { detail: text, file_data: text, file_id: nullable(text), file_url: text, filename: text, ...breakpoint },
);
const outputText = object({ type: text, text }, { annotations: list(record), logprobs: list(record) });
const refusal = object({ type: text, refusal: text });

const inputParts = { input_text: inputText, input_image: inputImage, input_file: inputFile };
/** Text of the assistant's, which no other role may have, is refused by a rule. */
const content = either(text, list(tagged('type', { ...inputParts, output_text: outputText, refusal })));
const output = either(text, list(tagged('type', inputParts)));
const status = nullable(oneOf('in_progress', 'completed', 'incomplete'));
const common = { id: nullable(text), status, caller: nullable(record) };

const message = object(
  { role: oneOf('assistant', 'system', 'developer', 'user'), content },
  { type: text, id: nullable(text), status, phase: nullable(oneOf('commentary', 'final_answer')) },
);

/** Items that the provider made itself; nothing here looks into them. */
const whole = {
  ...wholeOf('file_search_call web_search_call tool_search_call tool_search_output additional_tools'),
  ...wholeOf('configuration_update image_generation_call code_interpreter_call program program_output'),
  ...wholeOf('computer_call computer_call_output apply_patch_call apply_patch_call_output local_shell_call'),
  ...wholeOf('local_shell_call_output shell_call shell_call_output mcp_list_tools mcp_approval_request'),
  ...wholeOf('mcp_approval_response mcp_call'),
};

const item = tagged(
  'type',
  {
    message,
    function_call: object(
      { type: text, call_id: text, name: text, arguments: text },
      { ...common, namespace: text },
    ),
    function_call_output: object({ type: text, call_id: text, output }, common),
    custom_tool_call: object(
      { type: text, call_id: text, name: text, input: text },
      { ...common, namespace: text },
    ),
    custom_tool_call_output: object({ type: text, call_id: text, output }, common),
    reasoning: object(
      { type: text, id: text, summary: list(object({ type: text, text })) },
      { content: nullable(list(record)), encrypted_content: nullable(text), status },
    ),
    compaction: object({ type: text, encrypted_content: text }, { id: nullable(text) }),
    compaction_trigger: object({ type: text }),
    item_reference: object({ id: text }, { type: nullable(text) }),
    ...whole,
  },
  'message',
);

/** The body of `POST /v1/responses`. */
export const responsesRequest: Shape = object(
  { model: text, input: either(text, list(item)) },
  {
    instructions: nullable(text),
    tools: list(record),
    stream: nullable(flag),
    store: nullable(flag),
    include: nullable(list(text)),
    previous_response_id: nullable(text),
    ...anyOf('background context_management conversation prompt reasoning text truncation'),
    ...anyOf('max_output_tokens max_tool_calls parallel_tool_calls tool_choice metadata moderation'),
    ...anyOf('safety_identifier service_tier user prompt_cache_key prompt_cache_options'),
    ...anyOf('prompt_cache_retention stream_options temperature top_logprobs top_p'),
  },
);
