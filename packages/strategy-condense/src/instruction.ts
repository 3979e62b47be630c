import { type Message, messageText } from '@ctx/core';
import { scoreMessage } from '@ctx/core/kit';
import { sentencesOf } from './sentences.js';

/** A place that earns a message nothing: what matters is what it says, not where the part that is summed up begins and ends. */
const anywhere = { index: 5, count: 100 };

/** Words of what holds from now on, not only for the next step, in some languages. */
const standing = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:always|never|must|mustn't|should|shall|do not|don't|each|every|all|from now on|whenever|in future|only|use|keep|stick to|prefer|avoid|without|make sure|ensure|rules?|remember)(?![\p{L}\p{N}])`,
    String.raw`(?<![\p{L}\p{N}])(?:immer|nie|niemals|jede[rnms]?|alle|nur|kein[en]?|ab jetzt|toujours|jamais|désormais|siempre|nunca|sempre|mai|всегда|никогда)(?![\p{L}\p{N}])`,
    '必须|务必|一定要|总是|始终|永远|不要|从不|禁止|只能|今后|以后|使用|采用|所有|每次|必ず|常に|絶対|してはいけない|항상|절대|반드시',
  ].join('|'),
  'iu',
);
const question = /[?？]["'”」)\]]*$|[吗呢][。.!！]?$/u;
/** A question by its form, which asks for something to be done. */
const request = /^(?:please\b|(?:can|could|would|will|won't) you\b|why don't (?:you|we)\b|请|能不能|可以)/i;

export interface Instruction {
  readonly text: string;
  /** What holds from now on goes before what is asked for once, and each by its score: 0–200. */
  readonly importance: number;
}

/** What a message of the user tells to do, if it scores `threshold` or more. What only asks is none. */
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

/** True where every sentence is a question, and none of them a request. */
function onlyAsks(text: string): boolean {
  const sentences = sentencesOf(text);
  return (
    sentences.length > 0 &&
    sentences.every((one) => question.test(one) && !request.test(one)) &&
    !text.includes('```')
  );
}
