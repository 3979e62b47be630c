import type { Message, Part } from '@ctx/core';
import { type Fields, isFields, isMadeUpId, type Slot } from '@ctx/core/codec';
import type { Form } from './form.js';
import { nativeOutput } from './native-output.js';
import { nativeText, sharedFields } from './native-text.js';

/** The native form of a part that is not what it was, with all fields of the old one that suit it; undefined where the SDK has none. */
export function nativePart(form: Form, part: Part, role: Message['role'], slot: Slot | undefined): unknown {
  const old = isFields(slot?.native) ? slot.native : undefined;
  switch (part.type) {
    case 'text':
      if (typeof slot?.native === 'string') return part.text;
      return part.text === '' && slot === undefined ? undefined : nativeText(part.text, old);
    case 'image':
    case 'file': {
      if (role !== 'user' && role !== 'assistant') return undefined;
      const native = form.part(part, role);
      return native && { ...sharedFields(old), ...native };
    }
    case 'reasoning':
      if (old?.type === 'reasoning') return { ...old, text: part.text };
      return part.text === '' ? undefined : { type: 'reasoning', text: part.text };
    case 'tool-call': {
      const { toolName, input } = part;
      const toolCallId = ownId(part.toolCallId, old);
      return { ...old, type: 'tool-call', toolCallId, toolName, input: input ?? {} };
    }
    case 'tool-result': {
      const { toolName } = part;
      const result = old?.type === 'tool-result' ? old : undefined;
      const toolCallId = ownId(part.toolCallId, result);
      const output = nativeOutput(form, part, result?.output);
      return { ...result, type: 'tool-result', toolCallId, toolName, output };
    }
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** An id that was made up is written only where there was no native value before. */
function ownId(id: string, old: Fields | undefined): unknown {
  return isMadeUpId(id) && old !== undefined ? old.toolCallId : id;
}
