import { shapesIn } from '../shape.js';

const shapes = shapesIn(`
  mark     = {cache_control?: {type: 'ephemeral', ttl?: '5m' | '1h'} | null}
  text     = {type: 'text', text: string, ...mark, citations?: [object] | null}
  source   = {type: 'base64' | 'text', media_type: string, data: string}
           | {type: 'url', url: string}
           | {type: 'file', file_id: string}
           | {type: 'content', content: string | [object]}
  image    = {type: 'image', source: source, ...mark, transformations?}
  document = {type: 'document', source: source, ...mark, title?: string | null, context?: string | null,
              citations?: object | null}
  found    = {type: 'search_result', source: string, title: string, content: [text], ...mark,
              citations?: object}
  output   = text | image | document | found | {type: 'tool_reference' | 'browser_state', ...}

  block    = text | image | document | found
           | {type: 'thinking', thinking: string, signature: string}
           | {type: 'redacted_thinking', data: string}
           | {type: 'tool_use', id: string, name: string, input: object, ...mark, caller?,
              toolset_name?: string | null}
           | {type: 'tool_result', tool_use_id: string, ...mark, content?: string | [output],
              is_error?: boolean, toolset_name?: string | null}
           | {type: 'server_tool_use' | 'mcp_tool_use' | 'mcp_tool_result' | 'container_upload' | 'compaction'
                  | 'web_search_tool_result' | 'web_fetch_tool_result' | 'tool_search_tool_result'
                  | 'code_execution_tool_result' | 'bash_code_execution_tool_result'
                  | 'text_editor_code_execution_tool_result' | 'advisor_tool_result' | 'mcp_tool_listing'
                  | 'fallback', ...}
  message  = {role: 'user' | 'assistant', content: string | [block]}
           | {role: 'system', output_config?,
              content: string | [text | {type: 'tool_addition' | 'tool_removal', ...}]}
  tool     = {name?: string, ...mark, description?: string, input_schema?: object, type?: string | null,
              strict?: boolean, allowed_callers?, defer_loading?, eager_input_streaming?, input_examples?,
              max_uses?, allowed_domains?, blocked_domains?, user_location?, max_characters?, model?,
              mcp_server_name?, configs?, default_config?, tools?}

  count    = {model: string, messages: [message], system?: string | [text], tools?: [tool], cache_control?,
              context_management?, output_config?, speed?, thinking?, tool_choice?, betas?, mcp_servers?,
              user_profile_id?, workspace_id?, compaction?}
  create   = {...count, max_tokens: number, stream?: boolean | null, container?, diagnostics?, fallbacks?,
              inference_geo?, metadata?, service_tier?, stop_sequences?, thread?, temperature?, top_k?,
              top_p?}
`);

/** The body of `POST /v1/messages`. */
export const messagesRequest = shapes('create');

/** The body of `POST /v1/messages/count_tokens`. */
export const countRequest = shapes('count');
