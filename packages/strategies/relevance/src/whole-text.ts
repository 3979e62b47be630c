import { type Message, messageText, type Part, type PlanContext, partsOf, type Steps } from '@ctx/core';
import { isTextOutput } from '@ctx/core/kit';
import { argumentsOf, usualTokensPerCharacter } from '@ctx/excerpt';

/** Messages whose lengths are added up in a step. */
const stepMessages = 64;

/** All text of a message: texts, calls and results. */
export function wholeText(message: Message): string {
  const called = partsOf(message).flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { main = '', rest } = argumentsOf(part);
    return [part.toolName, main, ...rest];
  });
  return [...called, messageText(message)].join('\n');
}

/**
 * The average number of tokens per character in the view. Skips messages with images, files or reasoning, because their token counts say
 * nothing about text.
 */
export function* tokensPerCharacter({ view }: PlanContext): Steps<number> {
  let [tokens, characters] = [0, 0];
  for (const { index, message, tokens: own } of view) {
    if (index % stepMessages === 0) yield;
    if (!partsOf(message).every(isText)) continue;
    tokens += own;
    characters += wholeText(message).length;
  }
  return characters === 0 ? usualTokensPerCharacter : tokens / characters;
}

function isText(part: Part): boolean {
  if (part.type !== 'tool-result') return part.type === 'text' || part.type === 'tool-call';
  const { output } = part;
  return typeof output === 'string' || output.type !== 'content' || isTextOutput(output);
}
