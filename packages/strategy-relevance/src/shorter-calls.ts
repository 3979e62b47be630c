import { cutJson, type PlanContext, partsOf, type ReplaceEdit, type ViewMessage } from '@ctx/core';
import { inputOf } from './recent.js';

/** An argument of a call may take so much of what its exchange is cut to. */
const argumentShare = 0.25;
/** What was cut already is cut again where no more than this share of it is left: or it would go on by a token each time. */
const worthCuttingAgain = 0.8;
/** All of them together may take so much; where they are more, each gets the same. */
const argumentsShare = 0.5;

/** Arguments of calls that are too large, or too large together, still JSON. */
export function shorterCalls(
  messages: readonly ViewMessage[],
  maxTokens: number,
  context: PlanContext,
): { readonly edits: readonly ReplaceEdit[]; readonly saved: number } {
  const tokensOf = (input: unknown) => context.tokensOf(JSON.stringify(input) ?? '');
  const calls = messages.flatMap(({ id, message, verbatim }) =>
    (verbatim ? [] : partsOf(message)).flatMap((one, part) => {
      if (one.type !== 'tool-call') return [];
      const input = inputOf(one, id, part, context);
      return [{ id, part, input, tokens: tokensOf(one.input), isCut: input !== one.input }];
    }),
  );
  // By what they were, so that what is cut today makes nothing longer or shorter tomorrow.
  const sum = calls.reduce((total, { input }) => total + tokensOf(input), 0);
  const isCrowd = sum > maxTokens * argumentsShare;
  const most = maxTokens * Math.min(argumentShare, isCrowd ? argumentsShare / calls.length : 1);
  const edits: ReplaceEdit[] = [];
  for (const { id, part, input, tokens, isCut } of calls) {
    let text: string | undefined;
    // As short as it can be, where that is longer than it may be.
    for (let limit = Math.max(1, most); limit < tokens && text === undefined; limit *= 2)
      text = cutJson(input, { maxTokens: limit, tokensOf: (piece) => context.tokensOf(piece) });
    if (text === undefined || context.tokensOf(text) >= tokens * (isCut ? worthCuttingAgain : 1)) continue;
    edits.push({ type: 'replace', message: id, part, text, reason: 'excerpted' });
  }
  const saved = edits.length === 0 ? 0 : context.currentTokens - context.simulate(edits).tokens;
  return { edits, saved };
}
