import { shapesIn } from '../shape.js';

const shapes = shapesIn(`
  id       = string | null
  marked   = {prompt_cache_breakpoint?}
  input    = {type: 'input_text', text: string, ...marked}
           | {type: 'input_image', detail?: string | null, file_id?: id, image_url?: string | null, ...marked}
           | {type: 'input_file', detail?: string, file_data?: string, file_id?: id, file_url?: string,
              filename?: string, ...marked}
  output   = {type: 'output_text', text: string, annotations?: [object], logprobs?: [object]}
           | {type: 'refusal', refusal: string}
  status   = 'in_progress' | 'completed' | 'incomplete' | null
  common   = {id?: id, status?: status, caller?: object | null}
  call     = {...common, call_id: string, name: string, namespace?: string}
  result   = {...common, call_id: string, output: string | [input]}
  item     = {type?: 'message', role: 'assistant' | 'system' | 'developer' | 'user',
              content: string | [input | output], id?: id, status?: status,
              phase?: 'commentary' | 'final_answer' | null}
           | {type: 'function_call', ...call, arguments: string}
           | {type: 'function_call_output', ...result}
           | {type: 'custom_tool_call', ...call, input: string}
           | {type: 'custom_tool_call_output', ...result}
           | {type: 'reasoning', id: string, summary: [{type: string, text: string}],
              content?: [object] | null, encrypted_content?: string | null, status?: status}
           | {type: 'compaction', encrypted_content: string, id?: id}
           | {type: 'compaction_trigger'}
           | {type: 'item_reference', id: string}
           | {type: 'file_search_call' | 'web_search_call' | 'tool_search_call' | 'tool_search_output'
                  | 'additional_tools' | 'configuration_update' | 'image_generation_call'
                  | 'code_interpreter_call' | 'program' | 'program_output' | 'computer_call'
                  | 'computer_call_output' | 'apply_patch_call' | 'apply_patch_call_output'
                  | 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output'
                  | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'mcp_call', ...}
  request  = {model: string, input: string | [item], instructions?: string | null, tools?: [object],
              stream?: boolean | null, store?: boolean | null, include?: [string] | null,
              previous_response_id?: id, background?, context_management?: [object] | null, conversation?,
              prompt?, reasoning?, text?, truncation?, max_output_tokens?, max_tool_calls?,
              parallel_tool_calls?, tool_choice?, metadata?, moderation?, safety_identifier?, service_tier?,
              user?, prompt_cache_key?, prompt_cache_options?, prompt_cache_retention?, stream_options?,
              temperature?, top_logprobs?, top_p?}
`);

/** The body of `POST /v1/responses`. Text of the assistant's that another role has is refused by a rule. */
export const responsesRequest = shapes('request');
