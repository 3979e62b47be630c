import { type Shape, shapesIn } from '../shape.js';

/** @param more fields that others than OpenAI have in a call, and in a message of the assistant */
const request = (more: { readonly call: string; readonly assistant: string }): Shape =>
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
export const chatRequest = request({ call: '', assistant: '' });

/** The same at Mistral. */
export const mistralRequest = request({ call: 'index?', assistant: 'prefix?,' });
