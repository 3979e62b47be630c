import type { Message, Part, ToolCallPart, ToolOutput } from '@ctx/core';
import { equal, type Fields, isFields, isMadeUpId, jsonOf } from '@ctx/core/codec';
import { isCachePoint, itemOf, reasoningText } from './block-to-part.js';
import { calledIn } from './calls.js';
import { mediaBlock } from './media-block.js';
import type { LangChainSlot } from './slots.js';

type Spot = Omit<LangChainSlot, 'part'>;

/** The native form of a part that is not what it was, with all fields of the old one that suit it; undefined where there is none. */
export function nativeOf(
  part: Part,
  role: Message['role'],
  slot: LangChainSlot | undefined,
): Spot | undefined {
  const old = isFields(slot?.native) ? slot.native : undefined;
  switch (part.type) {
    case 'text':
      if (old !== undefined) return content(textBlock(part.text, old));
      return part.text === '' && slot === undefined ? undefined : content(part.text);
    case 'image':
    case 'file':
      return role === 'system' ? undefined : content({ ...sharedFields(old), ...mediaBlock(part) });
    case 'reasoning': {
      const field = old === undefined ? undefined : reasoningText(old);
      if (field !== undefined) return content({ ...old, [field]: part.text });
      return part.text === '' ? undefined : content({ type: 'reasoning', reasoning: part.text });
    }
    case 'tool-call':
      return calledAt(part, slot);
    case 'tool-result':
      return content(outputContent(part.output, slot?.native));
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

function content(native: unknown): Spot {
  return { field: 'content', native };
}

function calledAt(part: ToolCallPart, slot: LangChainSlot | undefined): Spot {
  const { toolCallId, toolName: name, input } = part;
  const old: Fields =
    isFields(slot?.native) && slot.part?.type === 'tool-call' ? slot.native : { id: toolCallId };
  const id = isMadeUpId(toolCallId) ? old.id : toolCallId;
  switch (slot?.field) {
    case 'content':
      return content({ ...old, id, name, [calledIn(old)?.field ?? 'args']: input });
    case 'invalid_tool_calls':
      return {
        field: slot.field,
        native: { ...old, id, name, args: typeof input === 'string' ? input : json(input) },
      };
    case 'function_call':
      return { field: slot.field, native: { ...old, name, arguments: json(input) } };
    default:
      return { field: 'tool_calls', native: { type: 'tool_call', ...old, id, name, args: input ?? {} } };
  }
}

export function json(input: unknown): string {
  return jsonOf(input, 'input') || '{}';
}

/** The content of a tool message: a text stays a text, and a list a list. */
function outputContent(output: ToolOutput, native: unknown): unknown {
  if (typeof output === 'string') return output;
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return jsonOf(output.value, 'output');
    case 'content': {
      const blocks = outputBlocks(output.value, native).filter((block) => block !== undefined);
      if (!Array.isArray(native)) return blocks.length === 0 ? '' : blocks;
      return [...blocks, ...native.filter(isCachePoint)];
    }
    default:
      return output satisfies never;
  }
}

/** The block for each part of an output; undefined where there is none. */
export function outputBlocks(
  parts: Extract<ToolOutput, { type: 'content' }>['value'],
  native: unknown,
): (Fields | undefined)[] {
  const old: unknown[] = Array.isArray(native) ? native.filter((one) => !isCachePoint(one)) : [];
  return parts.map((part, index) => {
    const block = isFields(old[index]) ? old[index] : undefined;
    if (block !== undefined && equal(part, itemOf(block, 'content'))) return block;
    if (part.type === 'text') return textBlock(part.text, block);
    return part.type === 'opaque' ? undefined : mediaBlock(part);
  });
}

function textBlock(text: string, old: Fields | undefined): Fields {
  const isDocument = old !== undefined && (old.type === 'text-plain' || old.source_type === 'text');
  return isDocument ? { ...old, text } : { ...sharedFields(old), type: 'text', text };
}

/** Which fields a block of each kind has of its own. All others, such as `cache_control`, stay when it becomes a text. */
const ownFields = [
  'type',
  'text',
  'source_type',
  'url',
  'data',
  'fileId',
  'mimeType',
  'mime_type',
  'image_url',
  'source',
  'metadata',
];

function sharedFields(old: Fields | undefined): Fields {
  return Object.fromEntries(Object.entries(old ?? {}).filter(([key]) => !ownFields.includes(key)));
}
