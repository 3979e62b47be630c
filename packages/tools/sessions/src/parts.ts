import { type Fields, isFields, known, listIn, stringsIn } from './fields.js';

/** Blocks as the parts of a message. If a block lacks fields, core reports what is wrong. */
export function partsFrom(content: unknown): unknown {
  return Array.isArray(content) ? content.map(partFrom) : content;
}

/** A block of Anthropic's API, a part of the AI SDK or a block of pi; what is none of them stays as it is, opaque. */
function partFrom(block: unknown): unknown {
  if (!isFields(block)) return block;
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return { type: block.type, text: block.text };
    case 'thinking':
      return reasoningFrom(block);
    case 'tool_use':
    case 'tool-call':
    case 'toolCall':
      return {
        type: 'tool-call',
        toolCallId: block.id ?? block.toolCallId,
        toolName: block.name ?? block.toolName,
        input: block.input ?? block.arguments ?? {},
      };
    case 'image':
      return imageFrom(block);
    default:
      return { type: 'opaque', value: block };
  }
}

/** If the text is empty, the model reads the signature. */
function reasoningFrom({ thinking: text, thinkingSignature: encrypted }: Fields): unknown {
  const isEncrypted = text === '' && typeof encrypted === 'string';
  return { type: 'reasoning', text, ...(isEncrypted && { encrypted }) };
}

function imageFrom({ source, image, data, mediaType, mimeType }: Fields): unknown {
  return isFields(source)
    ? { type: 'image', image: source.data ?? source.url, mediaType: source.media_type }
    : known({ type: 'image', image: image ?? data, mediaType: mediaType ?? mimeType });
}

/** A result: a text if its blocks are nothing else, otherwise the list of parts. */
export function outputFrom(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks;
  const texts = stringsIn(
    listIn(blocks).filter(({ type }) => type === 'text'),
    'text',
  );
  if (texts.length === blocks.length) return texts.join('\n');
  return { type: 'content', value: blocks.map(partFrom) };
}
