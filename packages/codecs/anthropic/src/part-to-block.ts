import {
  type FilePart,
  type ImagePart,
  isErrorResult,
  type Message,
  type Part,
  type ToolResultPart,
} from '@ctx/core';
import { equal, type Fields, isFields, jsonOf } from '@ctx/core/codec';
import { blockAt, type PlainPart, plainPart } from './block-to-part.js';
import { documentSource, imageSource } from './source.js';
import { thinkingBlock } from './thinking.js';

/**
 * The block of a part; undefined if the API has none for it in a message of that role.
 * @param old the block that the part was made from before it was edited; its other fields stay
 */
export function blockOf(part: Part, role: Message['role'], old?: Fields): Fields | undefined {
  const carriesMedia = role === 'user' || role === 'tool';
  switch (part.type) {
    case 'text':
      return textBlock(part.text, old);
    case 'image':
      return carriesMedia ? imageBlock(part, old) : undefined;
    case 'file':
      return carriesMedia ? documentBlock(part, old) : undefined;
    case 'reasoning':
      return thinkingBlock(part, old);
    case 'tool-call': {
      const { toolCallId: id, toolName: name } = part;
      return { ...only(old, 'tool_use'), type: 'tool_use', id, name, input: inputObject(part.input) };
    }
    case 'tool-result':
      return resultBlock(part, only(old, 'tool_result'));
    case 'opaque':
      return old !== undefined && equal(part.value, old) ? old : undefined;
    default:
      return part satisfies never;
  }
}

function textBlock(text: string, old: Fields | undefined): Fields | undefined {
  if (old?.type === 'document' && isFields(old.source) && old.source.type === 'text') {
    return { ...old, source: { ...old.source, data: text } };
  }
  if (text.trim() === '') return undefined;
  return { ...kept(old, 'text'), type: 'text', text };
}

function imageBlock(part: ImagePart, old: Fields | undefined): Fields | undefined {
  const source = imageSource(part);
  return source === undefined ? undefined : { ...kept(old, 'image'), type: 'image', source };
}

function documentBlock(part: FilePart, old: Fields | undefined): Fields | undefined {
  const source = documentSource(part);
  if (source === undefined) return undefined;
  const title = part.filename === undefined ? {} : { title: part.filename };
  return { ...kept(old, 'document'), type: 'document', source, ...title };
}

function resultBlock(part: ToolResultPart, old: Fields): Fields {
  const failed = isErrorResult(part);
  return {
    ...old,
    type: 'tool_result',
    tool_use_id: part.toolCallId,
    content: outputContent(part.output, old.content),
    ...(failed !== (old.is_error === true) && { is_error: failed }),
  };
}

function outputContent(output: ToolResultPart['output'], old: unknown): unknown {
  if (typeof output === 'string') return textOutput(output, old);
  switch (output.type) {
    case 'text':
    case 'error-text':
      return textOutput(output.value, old);
    case 'json':
    case 'error-json':
      return jsonOf(output.value, 'output');
    case 'content': {
      const blocks = outputBlocks(output.value, old).filter((block) => block !== undefined);
      return blocks.length === 0 ? '' : blocks;
    }
    default:
      return output satisfies never;
  }
}

/** The block of each part of a result; undefined if the API has none. */
export function outputBlocks(parts: readonly PlainPart[], old: unknown): (Fields | undefined)[] {
  const items: unknown[] = Array.isArray(old) ? old : [];
  return parts.map((part, index) => {
    const item = items[index] === undefined ? undefined : blockAt(items[index], 'native.message');
    if (item !== undefined && equal(part, plainPart(item, 'native.message'))) return item;
    return blockOf(part, 'tool', item);
  });
}

/** A result that was a list stays a list, with the fields of its first block. */
function textOutput(text: string, old: unknown): unknown {
  if (!Array.isArray(old) || old.length === 0) return text;
  const block = textBlock(text, blockAt(old[0], 'native.message'));
  return block === undefined ? '' : [block];
}

/** The API only takes objects, so text that is not JSON, and other values, are wrapped in one. */
function inputObject(input: unknown): unknown {
  if (isFields(input)) return input;
  return input === undefined || input === null || input === '' ? {} : { input };
}

function only(old: Fields | undefined, type: string): Fields {
  return old?.type === type ? old : {};
}

const plainTypes: readonly unknown[] = ['text', 'image', 'document'];

/** The fields of an old block that the new type may have too, such as `cache_control`. */
function kept(old: Fields | undefined, type: string): Fields {
  if (old === undefined || old.type === type) return old ?? {};
  if (!plainTypes.includes(old.type)) return {};
  const { text, source, title, context, citations, ...others } = old;
  return others;
}
