import {
  anyOf,
  anything,
  count,
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

const mark = { cache_control: nullable(object({ type: oneOf('ephemeral') }, { ttl: oneOf('5m', '1h') })) };

const textBlock = object({ type: text, text }, { ...mark, citations: nullable(list(record)) });
const source = tagged('type', {
  base64: object({ type: text, media_type: text, data: text }),
  url: object({ type: text, url: text }),
  file: object({ type: text, file_id: text }),
  text: object({ type: text, media_type: text, data: text }),
  content: object({ type: text, content: either(text, list(record)) }),
});
const image = object({ type: text, source }, { ...mark, transformations: anything });
const document = object(
  { type: text, source },
  { ...mark, title: nullable(text), context: nullable(text), citations: nullable(record) },
);
const searchResult = object(
  { type: text, source: text, title: text, content: list(textBlock) },
  { ...mark, citations: record },
);

const resultContent = either(
  text,
  list(
    tagged('type', {
      text: textBlock,
      image,
      document,
      search_result: searchResult,
      tool_reference: record,
      browser_state: record,
    }),
  ),
);

/** Blocks of tools that run at the provider; nothing here looks into them. */
const whole = {
  ...wholeOf('server_tool_use mcp_tool_use mcp_tool_result container_upload compaction'),
  ...wholeOf('web_search_tool_result web_fetch_tool_result tool_search_tool_result'),
  ...wholeOf('code_execution_tool_result bash_code_execution_tool_result'),
  ...wholeOf('text_editor_code_execution_tool_result advisor_tool_result mcp_tool_listing fallback'),
};

const block = tagged('type', {
  text: textBlock,
  image,
  document,
  search_result: searchResult,
  thinking: object({ type: text, thinking: text, signature: text }),
  redacted_thinking: object({ type: text, data: text }),
  tool_use: object(
    { type: text, id: text, name: text, input: record },
    { ...mark, caller: anything, toolset_name: nullable(text) },
  ),
  tool_result: object(
    { type: text, tool_use_id: text },
    { ...mark, content: resultContent, is_error: flag, toolset_name: nullable(text) },
  ),
  ...whole,
});

const content = either(text, list(block));
const message = tagged('role', {
  user: object({ role: text, content }),
  assistant: object({ role: text, content }),
  system: object(
    {
      role: text,
      content: either(
        text,
        list(tagged('type', { text: textBlock, ...wholeOf('tool_addition tool_removal') })),
      ),
    },
    anyOf('output_config'),
  ),
});

const tool = either(
  object(
    {},
    {
      name: text,
      ...mark,
      description: text,
      input_schema: record,
      type: nullable(text),
      strict: flag,
      ...anyOf('allowed_callers defer_loading eager_input_streaming input_examples max_uses allowed_domains'),
      ...anyOf('blocked_domains user_location max_characters model mcp_server_name configs default_config'),
      ...anyOf('tools'),
    },
  ),
);

const common = {
  system: either(text, list(tagged('type', { text: textBlock }))),
  tools: list(tool),
  ...anyOf('cache_control context_management output_config speed thinking tool_choice betas mcp_servers'),
  ...anyOf('user_profile_id workspace_id compaction'),
};

/** The body of `POST /v1/messages`. */
export const messagesRequest: Shape = object(
  { model: text, messages: list(message), max_tokens: count },
  {
    ...common,
    stream: nullable(flag),
    ...anyOf('container diagnostics fallbacks inference_geo metadata service_tier stop_sequences thread'),
    ...anyOf('temperature top_k top_p'),
  },
);

/** The body of `POST /v1/messages/count_tokens`. */
export const countRequest: Shape = object({ model: text, messages: list(message) }, common);
