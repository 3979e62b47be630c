import { type Fields, isFields } from '../fields.js';
import type { Answer } from '../telling/dialogue.js';

/** The parts of a message: blocks of Anthropic's API, or in newer versions of Roo Code parts of the AI SDK. Results are skipped. */
export function partsFrom(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((block) => !isAnswer(block)).map(partFrom);
}

function partFrom(block: unknown): unknown {
  if (!isFields(block)) return block;
  const { type, text, source } = block;
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text };
    case 'thinking':
      return { type: 'reasoning', text: block.thinking };
    case 'tool_use':
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input ?? {} };
    case 'tool-call':
      return { type, toolCallId: block.toolCallId, toolName: block.toolName, input: block.input ?? {} };
    case 'image':
      if (isFields(source)) return { type, image: source.data ?? source.url, mediaType: source.media_type };
      return {
        type,
        image: block.image,
        ...(block.mediaType !== undefined && { mediaType: block.mediaType }),
      };
    default:
      return { type: 'opaque', value: block };
  }
}

function isAnswer(block: unknown): block is Fields {
  return isFields(block) && (block.type === 'tool_result' || block.type === 'tool-result');
}

/** The results among the blocks of a message. */
export function answersIn(content: unknown, time: unknown): Answer[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isAnswer).map((block) => ({
    callId: block.tool_use_id ?? block.toolCallId,
    toolName: block.name ?? block.toolName,
    output: outputFrom(block.content ?? block.output),
    time,
    ...(block.is_error === true && { isError: true }),
  }));
}

/** Cline stores what its tools return: values without a type. */
function outputFrom(content: unknown): unknown {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string' || isOutput(content)) return content;
  if (!Array.isArray(content) || !content.every((part) => isFields(part) && typeof part.type === 'string'))
    return { type: 'json', value: content };
  const texts = content.map(({ type, text }) => (type === 'text' ? text : undefined));
  if (texts.every((text) => typeof text === 'string')) return texts.join('\n');
  return { type: 'content', value: content.map(partFrom) };
}

/** True for an output in the form of the AI SDK. */
function isOutput(content: unknown): boolean {
  return isFields(content) && typeof content.type === 'string' && 'value' in content;
}
