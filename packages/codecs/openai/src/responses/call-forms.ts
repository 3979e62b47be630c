import type { Part } from '@ctx/core';
import { type Fields, isMadeUpId, jsonOf, jsonOrText, nameAt, stringAt } from '@ctx/core/codec';

type CallPart = Extract<Part, { type: 'tool-call' }>;

/** Where the items of one kind of call say which tool is called, and with what. */
interface CallForm {
  /** The type of the item that answers. */
  readonly answeredBy: string;
  readonly id: 'call_id' | 'id';
  /** The field with the name of the tool, or the name itself. */
  readonly tool: { readonly field: string } | { readonly name: string };
  readonly input: string;
  /** `json`: text of JSON. `text`: any text. `value`: as it is. */
  readonly as: 'json' | 'text' | 'value';
}

const action = { id: 'call_id', input: 'action', as: 'value' } as const;

export const callForms: Readonly<Record<string, CallForm>> = {
  function_call: {
    answeredBy: 'function_call_output',
    id: 'call_id',
    tool: { field: 'name' },
    input: 'arguments',
    as: 'json',
  },
  custom_tool_call: {
    answeredBy: 'custom_tool_call_output',
    id: 'call_id',
    tool: { field: 'name' },
    input: 'input',
    as: 'text',
  },
  computer_call: { ...action, answeredBy: 'computer_call_output', tool: { name: 'computer' } },
  local_shell_call: { ...action, answeredBy: 'local_shell_call_output', tool: { name: 'local_shell' } },
  shell_call: { ...action, answeredBy: 'shell_call_output', tool: { name: 'shell' } },
  apply_patch_call: {
    ...action,
    answeredBy: 'apply_patch_call_output',
    input: 'operation',
    tool: { name: 'apply_patch' },
  },
  mcp_approval_request: {
    answeredBy: 'mcp_approval_response',
    id: 'id',
    tool: { field: 'name' },
    input: 'arguments',
    as: 'json',
  },
};

export function callForm(item: Fields): CallForm | undefined {
  const { type } = item;
  return typeof type === 'string' && Object.hasOwn(callForms, type) ? callForms[type] : undefined;
}

/** A computer may do several things at once. */
function inputField(item: Fields, form: CallForm): string {
  return item.type === 'computer_call' && item.actions !== undefined ? 'actions' : form.input;
}

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function callPart(item: Fields, form: CallForm, place: string): CallPart {
  const toolCallId = nameAt(
    item,
    form.id,
    place,
    `A ${item.type} has an id in \`${form.id}\`, which its output names.`,
  );
  const toolName =
    'name' in form.tool ? form.tool.name : nameAt(item, form.tool.field, place, 'A call names its tool.');
  const field = inputField(item, form);
  if (form.as === 'value') return { type: 'tool-call', toolCallId, toolName, input: item[field] ?? {} };
  const text = stringAt(item, field, place, 'What a tool is called with is a string.');
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: form.as === 'json' ? jsonOrText(text) : objectOr(text),
  };
}

/** The item of a call that was edited; its other fields stay. Without an old item: a `function_call`. */
export function callItem({ toolCallId, toolName, input }: CallPart, old: Fields | undefined): Fields {
  const form = old === undefined ? undefined : callForm(old);
  const json = () => jsonOf(input, 'input') || '{}';
  if (old === undefined || form === undefined)
    return { type: 'function_call', call_id: toolCallId, name: toolName, arguments: json() };
  return {
    ...old,
    [form.id]: isMadeUpId(toolCallId) ? old[form.id] : toolCallId,
    ...('field' in form.tool && { [form.tool.field]: toolName }),
    [inputField(old, form)]:
      form.as === 'value' ? input : form.as === 'text' && typeof input === 'string' ? input : json(),
  };
}

/** Any text may be what a custom tool wants; an object is one that an edit may shorten. */
function objectOr(text: string): unknown {
  const value = jsonOrText(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text;
}
