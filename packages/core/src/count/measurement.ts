import { decodedText, valuesIn } from '../base/json.js';
import { itemsOf, outputText, type Part } from '../transcript/message.js';
import { type ImageCost, tokensByPixels } from './image-cost.js';

export interface MessageTokens {
  readonly tokens: number;
  readonly toolCalls: number;
  readonly imageTokens: number;
  /** True if a part is measured by its size, or the tokenizer was not loaded. */
  readonly estimated: boolean;
}

export function measuredOf(
  parts: readonly Part[],
  cost: ImageCost,
): MessageTokens & { readonly texts: readonly string[] } {
  const texts: string[] = [];
  let imageTokens = 0;
  const addImage = (image: string) => {
    imageTokens += tokensByPixels(image, cost) ?? tokensByLength(image);
  };
  const tokens = parts.reduce((sum, part) => sum + measurePart(part, texts, addImage), 0);
  const toolCalls = parts.filter(({ type }) => type === 'tool-call').length;
  const estimated = parts.some(measuredBySize);
  return { texts, tokens: tokens + imageTokens, toolCalls, imageTokens, estimated };
}

type AddImage = (image: string) => void;

function measurePart(part: Part, texts: string[], addImage: AddImage): number {
  switch (part.type) {
    case 'text':
      texts.push(part.text);
      return 0;
    case 'reasoning':
      texts.push(part.text);
      // Encryption keeps the length. Four base64 characters are three bytes, and four bytes of text are about one token.
      return Math.ceil(((part.encrypted ?? '').length * 3) / 4 / 4);
    case 'image':
      addImage(part.image);
      return 0;
    case 'file':
      return fileTokens(part.data);
    case 'tool-call':
      texts.push(part.toolName, decodedText(part.input));
      return 0;
    case 'tool-result': {
      texts.push(part.toolName, outputText(part.output));
      const others = itemsOf(part).filter(({ type }) => type !== 'text');
      return others.reduce((sum, item) => sum + measurePart(item, texts, addImage), 0);
    }
    case 'opaque':
      return measureOpaque(part.value, texts, addImage);
    default:
      return part satisfies never;
  }
}

function measureOpaque(value: unknown, texts: string[], addImage: AddImage): number {
  let tokens = 0;
  for (const { key, value: item } of valuesIn(value)) {
    if (key !== undefined) texts.push(key);
    if (typeof item === 'string') {
      if (item.length > 1000 && base64.test(item)) addImage(item);
      else texts.push(item);
    } else if (typeof item !== 'object' || item === null) tokens += 1;
  }
  return tokens;
}

function measuredBySize(part: Part): boolean {
  if (part.type === 'image' || part.type === 'file' || part.type === 'opaque') return true;
  if (part.type === 'reasoning') return part.encrypted !== undefined;
  return itemsOf(part).some((inner) => inner.type !== 'text');
}

const base64 = /^(data:[^,]*,)?[\w+/-]+={0,2}$/;

/** Tokens of an image whose pixels are not known: the square root of the length of its base64 data; 300 if only a URL is known. */
function tokensByLength(image: string): number {
  return isUrl(image) ? 300 : Math.ceil(Math.sqrt(image.length));
}

/** A document costs about one token per 50 bytes (a 75 kB PDF page about 1,500); 300 if only a URL is known. */
function fileTokens(data: string): number {
  return isUrl(data) ? 300 : Math.max(300, Math.ceil((data.length * 0.75) / 50));
}

function isUrl(data: string): boolean {
  return /^(https?|file|gs|s3):/i.test(data);
}
