import { parseJson } from '../base/exact-json.js';
import { type Message, madeMessage, type Part, partsOf, type ToolOutput } from '../transcript/message.js';
import type { ReplaceEdit } from './edit.js';

export function mergedMessage(text: string): Message {
  return madeMessage({ role: 'user', content: text, summary: true });
}

/** The message without some of its calls or results. The same object if it has none of them. */
export function withoutCalls(message: Message, calls: readonly string[]): Message {
  const parts = partsOf(message);
  const rest = parts.filter(
    (part) => (part.type !== 'tool-call' && part.type !== 'tool-result') || !calls.includes(part.toolCallId),
  );
  return rest.length === parts.length ? message : madeMessage({ ...message, content: rest } as Message);
}

/** Returns the message with one part replaced and everything else unchanged; undefined if that part can't be replaced by this text. */
export function replacePart(message: Message, edit: Pick<ReplaceEdit, 'part' | 'text'>): Message | undefined {
  const part = partsOf(message)[edit.part];
  if (part === undefined) return undefined;
  const replaced = shorterPart(part, edit.text);
  if (replaced === undefined) return undefined;
  if (typeof message.content === 'string') return madeMessage({ ...message, content: edit.text } as Message);
  if (replaced.type === 'tool-result') Object.freeze(replaced.output);
  Object.freeze(replaced);
  // Of a frozen list, V8 copies this way as fast as memory allows, and any other way a hundred times slower.
  const content: Part[] = [...message.content];
  content[edit.part] = replaced;
  return madeMessage({ ...message, content } as Message);
}

function shorterPart(part: Part, text: string): Part | undefined {
  switch (part.type) {
    case 'text':
      return { ...part, text };
    case 'image':
    case 'file':
      return { type: 'text', text };
    case 'tool-result':
      return { ...part, output: shorterOutput(part.output, text) };
    case 'tool-call': {
      const input = jsonObject(text);
      return input === undefined ? undefined : { ...part, input };
    }
    case 'reasoning':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** Keeps the form of the output, because a host that passes it on may expect that form. */
function shorterOutput(output: ToolOutput, text: string): ToolOutput {
  if (typeof output === 'string') return text;
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: text };
    case 'json':
    case 'error-json': {
      const value = jsonObject(text);
      if (value !== undefined) return { ...output, value };
      return { type: output.type === 'json' ? 'text' : 'error-text', value: text };
    }
    case 'content':
      return { ...output, value: [{ type: 'text', text }] };
    default:
      return output satisfies never;
  }
}

export function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
