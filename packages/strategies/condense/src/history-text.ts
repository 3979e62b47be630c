import type { SummarizeRequest } from '@ctx/core';
import { cutText, isErrorResult, type Message, messageText, outputText, type Part, partsOf } from '@ctx/core';
import { jsonText, mediaName } from '@ctx/core/kit';
import { summaryIn } from './summary-text.js';

/** Tokens: a longer part of a message loses its middle, first beyond this and then, if the history is still too long, beyond less. A limit. */
const longestPart = 2000;
/** Tokens of a part that says anything. A limit. */
const shortestPart = 30;

/**
 * The messages as text for a model that summarises them, in at most so many tokens: the parts of messages are cut as short as is necessary, and
 * then the middle is left out.
 * @param boundary marks headings. No author of a message can know it, so only lines that contain it are headings
 */
export function historyText(
  { messages, originals, tokensOf }: SummarizeRequest,
  { boundary, maxTokens }: { readonly boundary: string; readonly maxTokens: number },
): string {
  const numbers = new Map(originals.map(({ message, number }) => [message, number]));
  let texts: string[] = [];
  for (let most = longestPart; most >= shortestPart; most /= 2) {
    const short = (part: string) => cutText(part, { maxTokens: Math.floor(most), tokensOf }) ?? '';
    texts = messages.map((message) =>
      messageToText(message, `#${numbers.get(message) ?? 0}`, { boundary, short }),
    );
    // Two for the empty line between them. What got no shorter was counted before.
    if (texts.reduce((sum, text) => sum + tokensOf(text) + 2, 0) <= maxTokens) return texts.join('\n\n');
  }
  return cutText(texts.join('\n\n'), { maxTokens, tokensOf }) ?? '';
}

interface TextOptions {
  readonly boundary: string;
  short(text: string): string;
}

/** Writes a message under a heading. Of an earlier summary, writes what was not quoted from other messages, however long it is. */
function messageToText(message: Message, number: string, { boundary, short }: TextOptions): string {
  const isSummary = message.summary === true;
  const body = isSummary
    ? summaryIn(messageText(message))
    : partsOf(message)
        .map((part) => partToText(part, short))
        .filter((text) => text !== '')
        .join('\n');
  return `### Message ${number}, ${isSummary ? 'earlier summary' : message.role} [${boundary}]\n${body}`;
}

function partToText(part: Part, short: TextOptions['short']): string {
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
