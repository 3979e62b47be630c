import { type Fields, isFields } from '@ctx/core/codec';
import { contentToResponses } from './content-forms.js';
import { linked } from './link.js';

/** Items of the SDK in the form of the Responses API, each linked to its item. What is no item stays, for that API's codec to refuse. */
export function toResponses(items: readonly object[]): Fields[] {
  return items.map((item) => (isFields(item) ? linked(item, formOf(item)) : (item as Fields)));
}

function formOf(item: Fields): Fields {
  switch (item.type) {
    case undefined:
    case null:
    case 'message':
      return messageForm(item);
    case 'function_call':
      return { ...withCallId(item), type: 'function_call' };
    case 'function_call_result':
      return { ...withCallId(item), type: 'function_call_output', output: outputForm(item.output) };
    case 'reasoning':
      return reasoningForm(item);
    case 'computer_call':
    case 'shell_call':
    case 'apply_patch_call':
    case 'apply_patch_call_output':
    case 'shell_call_output':
      return withCallId(item);
    case 'computer_call_result':
      return { ...withCallId(item), type: 'computer_call_output', output: screenshotForm(item.output) };
    case 'hosted_tool_call':
      return hostedForm(item);
    default:
      return item;
  }
}

function messageForm(item: Fields): Fields {
  const { content } = item;
  return Array.isArray(content) ? { ...item, content: content.map(contentToResponses) } : item;
}

/** The id of the call, and the program that made it, under the names of the Responses API. */
function withCallId({ callId, caller, ...item }: Fields): Fields {
  return {
    ...item,
    call_id: callId,
    ...(isFields(caller) && { caller: { ...caller, caller_id: caller.callerId } }),
  };
}

function outputForm(output: unknown): unknown {
  if (Array.isArray(output)) return output.map(contentToResponses);
  if (!isFields(output)) return output;
  return output.type === 'text' ? output.text : [contentToResponses(output)];
}

function screenshotForm(output: unknown): unknown {
  if (!isFields(output)) return output;
  const { data, ...rest } = output;
  return { ...rest, image_url: data };
}

function reasoningForm({ content, rawContent, providerData, ...item }: Fields): Fields {
  const encrypted = isFields(providerData)
    ? (providerData.encryptedContent ?? providerData.encrypted_content)
    : undefined;
  const texts = (list: unknown, type: string) =>
    (Array.isArray(list) ? list : []).map((one: unknown) => ({ type, text: isFields(one) ? one.text : '' }));
  return {
    ...item,
    summary: texts(content, 'summary_text'),
    ...(rawContent !== undefined && { content: texts(rawContent, 'reasoning_text') }),
    ...(typeof encrypted === 'string' && { encrypted_content: encrypted }),
  };
}

/** Calls that the provider runs and answers itself. Of the others, such as approvals, the type says nothing, so they stay. */
const answeredThere: readonly unknown[] = [
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
];

function hostedForm(item: Fields): Fields {
  const named = isFields(item.providerData) ? item.providerData.type : undefined;
  const type = [named, item.name].find((one) => answeredThere.includes(one));
  return type === undefined ? item : { ...item, type };
}
