import { type Message, messageText, scoreMessage } from '@ctx/core';
import { sentencesOf } from './sentences.js';

/** A position that adds nothing to the score. Only the text of a message matters, not its distance from the ends of the history. */
const anywhere = { index: 5, count: 100 };

/** Words of standing instructions, which hold for more than the next step, in several languages. */
const standing = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:always|never|must|mustn't|should|shall|do not|don't|each|every|all|from now on|whenever|in future|only|use|keep|stick to|prefer|avoid|without|make sure|ensure|rules?|remember)(?![\p{L}\p{N}])`,
    String.raw`(?<![\p{L}\p{N}])(?:immer|nie|niemals|jede[rnms]?|alle|nur|kein[en]?|ab jetzt|toujours|jamais|désormais|siempre|nunca|sempre|mai|всегда|никогда)(?![\p{L}\p{N}])`,
    '必须|务必|一定要|总是|始终|永远|不要|从不|禁止|只能|今后|以后|使用|采用|所有|每次|必ず|常に|絶対|してはいけない|항상|절대|반드시',
  ].join('|'),
  'iu',
);
const question = /[?？]["'”」)\]]*$|[吗呢][。.!！]?$/u;
/** A question in form that is a request. */
const request = /^(?:please\b|(?:can|could|would|will|won't) you\b|why don't (?:you|we)\b|请|能不能|可以)/i;

export interface Instruction {
  readonly text: string;
  /** The score, 0–100, plus 100 for a standing instruction. */
  readonly importance: number;
}

/** The instruction in a user message with a score of at least `threshold`. A message that only asks questions has none. */
export function instructionOf(
  message: Message,
  { threshold, tokensOf }: { readonly threshold: number; tokensOf(text: string): number },
): Instruction | undefined {
  if (message.role !== 'user' || message.summary === true) return undefined;
  const text = messageText(message).trim();
  if (text === '' || onlyAsks(text)) return undefined;
  const { score } = scoreMessage(message, { ...anywhere, tokens: tokensOf(text) });
  return score < threshold ? undefined : { text, importance: score + (standing.test(text) ? 100 : 0) };
}

/** Whether every sentence is a question and none is a request. */
function onlyAsks(text: string): boolean {
  const sentences = sentencesOf(text);
  return (
    sentences.length > 0 &&
    sentences.every((one) => question.test(one) && !request.test(one)) &&
    !text.includes('```')
  );
}
