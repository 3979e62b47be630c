import { type Fields, isFields } from '../fields.js';

/** Converts pi's content to that of a message. If a block lacks fields, core reports what is wrong. */
export function partsFrom(content: unknown): unknown {
  return Array.isArray(content) ? content.map(partFrom) : content;
}

function partFrom(block: unknown): unknown {
  if (!isFields(block)) return block;
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return reasoningFrom(block);
    case 'image':
      return { type: 'image', image: block.data, mediaType: block.mimeType };
    case 'toolCall':
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments };
    default:
      return { type: 'opaque', value: block };
  }
}

/** If the text is empty, the model reads the signature. */
function reasoningFrom({ thinking, thinkingSignature }: Fields): unknown {
  const encrypted = thinking === '' && typeof thinkingSignature === 'string';
  return { type: 'reasoning', text: thinking, ...(encrypted && { encrypted: thinkingSignature }) };
}

/** A text if there is nothing else, otherwise the list of parts. */
export function outputFrom(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((block) => (isFields(block) && block.type === 'text' ? block.text : undefined));
  if (texts.every((text) => typeof text === 'string')) return texts.join('\n');
  return { type: 'content', value: content.map(partFrom) };
}

/** The system prompt, of which newer versions store the sections instead of the whole. */
export function promptText({ content, sections }: Fields): unknown {
  if (content !== '' || !isFields(sections)) return partsFrom(content);
  return Object.values(sections)
    .filter((section) => typeof section === 'string')
    .join('\n\n');
}

/** A command that the user ran, as text for the model. */
export function bashText({ command, output, exitCode }: Fields): string {
  const failed = typeof exitCode === 'number' && exitCode !== 0 ? `\nExit code: ${exitCode}` : '';
  return `$ ${String(command)}\n${typeof output === 'string' ? output : ''}${failed}`;
}

/** pi's `input` leaves out tokens that were read from the prompt cache or written to it. */
export const usageFields = {
  input: ['input', 'cacheRead', 'cacheWrite'],
  output: ['output'],
  cacheRead: 'cacheRead',
  cacheWrite: 'cacheWrite',
};
