import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { shapesIn } from '../shape.js';
import { checkShape } from './chat.js';
import { notFound, type StoredItems } from './stored-items.js';

/** The body of `POST /v1/responses`. Text of the assistant's that another role has is refused by a rule. */
const responsesRequest = shapesIn(`
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
`)('request');

const outputs: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};
/** As OpenAI writes them in its errors. */
const spoken = (type: string) => type.replaceAll('_', ' ');

/** Refuses what OpenAI refuses in a request for a response. */
export function checkResponses(request: Fields, stored: StoredItems): void {
  checkShape(request, responsesRequest);
  const items = stored.inputOf(request);
  checkRoles(items);
  checkCalls(items);
  checkReasoning(items, stored);
  for (const item of items) if (item.type === 'compaction') checkSeal(item, stored);
  const trigger = items.findIndex(({ type }) => type === 'compaction_trigger');
  if (trigger >= 0 && trigger < items.length - 1)
    throw invalidInput("The 'compaction_trigger' item must be the last item in the input.");
}

const invalidInput = (message: string) => invalid(message, { param: 'input' });

function checkRoles(items: readonly Fields[]): void {
  for (const [index, { type = 'message', role, content }] of items.entries()) {
    if (type !== 'message' || !Array.isArray(content)) continue;
    const allowed =
      role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
    const at = content.findIndex((part: Fields) => !allowed.includes(String(part.type)));
    if (at < 0) continue;
    const names = new Intl.ListFormat('en').format(allowed.map((name) => `'${name}'`));
    throw invalid(`Invalid value: '${String(content[at].type)}'. Supported values are: ${names}.`, {
      param: `input[${index}].content[${at}]`,
      code: 'invalid_value',
    });
  }
}

function checkCalls(items: readonly Fields[]): void {
  const open = new Map<string, string>();
  for (const { type, call_id } of items) {
    const id = String(call_id);
    const output = outputs[String(type)];
    if (output !== undefined) open.set(id, output);
    else if (Object.values(outputs).includes(String(type))) {
      if (open.get(id) !== type)
        throw invalidInput(`No tool call found for ${spoken(String(type))} with call_id ${id}.`);
      open.delete(id);
    }
  }
  for (const [id, output] of open)
    throw invalidInput(`No tool output found for ${spoken(output.replace('_output', ''))} ${id}.`);
}

/** A reasoning item is before the item it led to, and that item after it. */
function checkReasoning(items: readonly Fields[], stored: StoredItems): void {
  const shown = new Set<string>();
  for (const [index, item] of items.entries()) {
    const [id, type] = [String(item.id), String(item.type)];
    const reasoning = stored.reasoningOf(item.id);
    if (type === 'reasoning') {
      checkSeal(item, stored);
      const next = items[index + 1];
      const isLed = outputs[String(next?.type)] !== undefined || next?.type === 'reasoning';
      if (!isLed && next?.role !== 'assistant')
        throw invalidInput(
          `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        );
      shown.add(id);
    } else if (reasoning !== undefined && !shown.has(reasoning))
      throw invalidInput(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
      );
  }
}

function checkSeal({ id, encrypted_content: text }: Fields, stored: StoredItems): void {
  if (typeof text !== 'string') {
    if (!stored.isStored(id)) throw notFound(id);
  } else if (!stored.isSealed(text))
    throw invalid(
      `The encrypted content ${text.slice(0, 4)}...${text.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      { code: 'invalid_encrypted_content' },
    );
}
