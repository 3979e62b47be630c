import type { SummarizeRequest } from '@ctx/core';
import { cutText, isErrorResult, type Message, messageText, outputText, type Part, partsOf } from '@ctx/core';
import { jsonText, mediaName } from '@ctx/core/kit';
import { summaryIn } from './summary-text.js';

export interface HistoryTextOptions {
  /** Marks headings. No author of a message can know it, so only lines that contain it are headings. */
  readonly boundary: string;
  tokensOf(text: string): number;
  /** The most tokens of one part. A longer part loses its middle. */
  readonly maxPartTokens: number;
}

/**
 * Writes a message as text for a model that summarises it. Tool calls and results become text, images and files become a mark. Of an
 * earlier summary, writes what was not quoted from other messages, however long it is.
 */
export function messageToText(
  { number, message }: SummarizeRequest['originals'][number],
  options: HistoryTextOptions,
): string {
  const isSummary = message.summary === true;
  const body = isSummary
    ? summaryIn(messageText(message))
    : partsOf(message)
        .map((part) => partToText(part, options))
        .filter((text) => text !== '')
        .join('\n');
  const speaker = isSummary ? 'earlier summary' : message.role;
  return `### Message #${number}, ${speaker} [${options.boundary}]\n${body}`;
}

function partToText(part: Part, { tokensOf, maxPartTokens }: HistoryTextOptions): string {
  const short = (text: string) => cutText(text, { maxTokens: maxPartTokens, tokensOf }) ?? '';
  switch (part.type) {
    case 'text':
      return short(part.text);
    case 'reasoning':
      return '';
    case 'image': {
      const name = mediaName(part);
      return name === undefined ? '[Image]' : `[Image: ${name}]`;
    }
    case 'file':
      return `[File: ${mediaName(part) ?? onOneLine(part.mediaType)}]`;
    case 'tool-call':
      return `[Tool Use: ${onOneLine(part.toolName)}]\n${short(inputText(part.input))}`;
    case 'tool-result':
      return `[Tool Result${isErrorResult(part) ? ' (Error)' : ''}]\n${short(outputText(part.output))}`;
    case 'opaque':
      return '[Content that is not shown]';
    default:
      return part satisfies never;
  }
}

/** Puts a name on one line. A line break in it could begin a line that looks like a mark. */
function onOneLine(name: string): string {
  return name.replace(/[\n\r\u2028\u2029]/g, ' ');
}

function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input ?? '');
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : jsonText(value)}`)
    .join('\n');
}

/** Frames a text with two lines that contain the boundary. The text can't close the frame, because its authors don't know the boundary. */
export function framed(text: string, boundary: string): string {
  return `<history-${boundary}>\n${text}\n</history-${boundary}>`;
}

/** Joins consecutive texts into chunks of at most `chunkTokens`. A text that is too large for a chunk is cut. */
export function chunksOf(
  texts: readonly string[],
  chunkTokens: number,
  tokensOf: (text: string) => number,
): string[] {
  const chunks: string[] = [];
  let chunk: string[] = [];
  let size = 0;
  for (const text of texts) {
    const tokens = tokensOf(text) + 2;
    if (chunk.length > 0 && size + tokens > chunkTokens) {
      chunks.push(chunk.join('\n\n'));
      chunk = [];
      size = 0;
    }
    chunk.push(tokens <= chunkTokens ? text : (cutText(text, { maxTokens: chunkTokens, tokensOf }) ?? ''));
    size += tokens;
  }
  if (chunk.length > 0) chunks.push(chunk.join('\n\n'));
  return chunks;
}

/** The `<command>` blocks of a user message: directives that hold for the whole conversation. */
export function commandBlocks(message: Message | undefined): readonly string[] {
  if (message?.role !== 'user') return [];
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [...blocksIn(part.text)] : []));
}

const opening = '<command';
const closing = '</command>';

/** Searches for each mark separately. A regular expression for a whole block would read the rest of the text for each unclosed one. */
function* blocksIn(text: string): Generator<string> {
  for (let start = text.indexOf(opening); start >= 0; ) {
    const body = text.indexOf('>', start + opening.length);
    const end = body < 0 ? -1 : text.indexOf(closing, body + 1);
    if (end < 0) return;
    yield text.slice(start, end + closing.length);
    start = text.indexOf(opening, end + closing.length);
  }
}
