import { type Fields, type Finding, isFields, type Rules } from '@ctx/core/codec';
import { isCall, typeOf } from './item-kind.js';
import { outputForm } from './output-forms.js';
import { each } from './rule.js';

/** What each item has to be like. */
export const formRules: Rules<readonly Fields[]> = {
  /** "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'." */
  'content-type': (items) =>
    eachContent(items, ({ type }, role) => {
      const allowed = role === 'assistant' ? assistantContent : inputContent;
      return allowed.includes(type)
        ? undefined
        : `The content of the ${role} has no parts of type "${String(type)}".`;
    }),

  /** An image or a file is given by data, a URL or an id. */
  'content-source': (items) =>
    eachContent(items, (part) => {
      const sources = Object.hasOwn(sourcesOf, String(part.type)) ? sourcesOf[String(part.type)] : undefined;
      return sources === undefined || sources.some((field) => isText(part[field]))
        ? undefined
        : `The ${String(part.type)} gives none of ${sources.join(', ')}.`;
    }),

  /** A message needs content; only an output may be empty. */
  'content-not-empty': (items) =>
    each(items, (item) =>
      typeOf(item) === 'message' && isSilent(item.content)
        ? `The ${String(item.role)} message is empty.`
        : undefined,
    ),

  /** "Missing required parameter: 'input[6].output'." */
  'output-given': (items) =>
    each(items, (item) => {
      const demanded = outputForm(item) !== undefined && !withoutOutput.includes(item.type);
      return demanded && (item.output === undefined || item.output === null)
        ? `The ${String(item.type)} has no output.`
        : undefined;
    }),

  /** "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'", of at most 64 characters. */
  'tool-name': (items) =>
    each(items, ({ type, name }) =>
      (type === 'function_call' || type === 'custom_tool_call') && !/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))
        ? `The tool name ${JSON.stringify(name)} has other characters or is too long.`
        : undefined,
    ),

  /** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64" */
  'call-id-length': (items) =>
    each(items, ({ call_id: id }) =>
      typeof id === 'string' && id.length > maxCallId
        ? `The call id has ${id.length} characters.`
        : undefined,
    ),

  /** A compaction is asked for at the end of the input. */
  'compaction-trigger-last': (items) =>
    each(items, ({ type }, index) =>
      type === 'compaction_trigger' && index < items.length - 1
        ? 'Items come after what asks for a compaction.'
        : undefined,
    ),

  /** The tools of the conversation come before everything that uses them. */
  'additional-tools-first': (items) =>
    each(items, ({ type }, index) =>
      type === 'additional_tools' && items.slice(0, index).some(isCall)
        ? 'The tools come after a call.'
        : undefined,
    ),
};

/** Characters. Source: the API's error for a longer one. */
const maxCallId = 64;
const inputContent: readonly unknown[] = ['input_text', 'input_image', 'input_file', 'input_audio'];
const assistantContent: readonly unknown[] = ['output_text', 'refusal'];
/** The response to a request for approval may give a reason, and a patch may say nothing. */
const withoutOutput: readonly unknown[] = ['mcp_approval_response', 'apply_patch_call_output'];
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  input_image: ['image_url', 'file_id'],
  input_file: ['file_data', 'file_url', 'file_id'],
};

function eachContent(
  items: readonly Fields[],
  check: (part: Fields, role: string) => string | undefined,
): Finding[] {
  return items.flatMap((item, index) => {
    const isMessage = typeOf(item) === 'message';
    const list: unknown = isMessage ? item.content : item.output;
    if (!Array.isArray(list) || (!isMessage && !withContent.includes(item.type))) return [];
    return list.filter(isFields).flatMap((part) => {
      const detail = check(part, isMessage ? String(item.role) : 'tool');
      return detail === undefined ? [] : [{ index, detail }];
    });
  });
}

const withContent: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isSilent(content: unknown): boolean {
  if (!Array.isArray(content)) return content === undefined || content === null || content === '';
  return content.every((part) => isFields(part) && 'text' in part && part.text === '');
}
