import type { Message, Part, ToolCallPart } from '@ctx/core';
import { type Fields, isFields, isMadeUpId, jsonOf } from '@ctx/core/codec';
import { isUrl, toUrl } from './media.js';
import { kept, outputContent } from './output-content.js';
import type { ChatSlot } from './slots.js';

type ChatSpot = Omit<ChatSlot, 'part'>;

/** The place for a part that is new or edited. All other fields of its old slot stay; undefined if the API has no form for it. */
export function nativeOf(
  part: Part,
  role: Message['role'],
  slot: ChatSlot | undefined,
): ChatSpot | undefined {
  const old = isFields(slot?.native) ? slot.native : undefined;
  switch (part.type) {
    case 'text':
      if (old !== undefined && slot?.field === 'content')
        return content({ ...kept(old, 'text'), type: 'text', text: part.text });
      return part.text === '' && slot === undefined ? undefined : content(part.text);
    case 'image': {
      if (role !== 'user') return undefined;
      const url = toUrl(part.image, part.mediaType ?? 'image/png');
      if (typeof old?.image_url === 'string') return content({ ...old, image_url: url });
      const image = isFields(old?.image_url) ? old.image_url : {};
      return content({ ...kept(old, 'image_url'), type: 'image_url', image_url: { ...image, url } });
    }
    case 'file': {
      if (role !== 'user' || isUrl(part.data)) return undefined;
      const { filename, mediaType } = part;
      const file = { file_data: toUrl(part.data, mediaType), ...(filename !== undefined && { filename }) };
      return content({ ...kept(old, 'file'), type: 'file', file });
    }
    case 'tool-call':
      return calledAt(part, slot);
    case 'tool-result':
      return content(outputContent(part.output, slot));
    case 'reasoning':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

function content(native: unknown): ChatSpot {
  return { field: 'content', native };
}

function calledAt(part: ToolCallPart, slot: ChatSlot | undefined): ChatSpot {
  const { toolCallId, toolName: name, input } = part;
  const old: Fields = isFields(slot?.native) && slot.part.type === 'tool-call' ? slot.native : { id: '' };
  const id = isMadeUpId(toolCallId) ? old.id : toolCallId;
  const json = jsonOf(input, 'input') || '{}';
  if (slot?.field === 'function_call')
    return { field: 'function_call', native: { ...old, name, arguments: json } };
  if (isFields(old.custom)) {
    const custom = { ...old.custom, name, input: typeof input === 'string' ? input : json };
    return { field: 'tool_calls', native: { ...old, id, custom } };
  }
  const called = isFields(old.function) ? old.function : {};
  return {
    field: 'tool_calls',
    native: {
      type: 'function',
      ...old,
      id,
      function: { ...called, name, arguments: json },
    },
  };
}
