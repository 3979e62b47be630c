import type { Edit } from '@ctx/core';
import { cutJson, type PlanContext, partsOf, type ViewMessage } from '@ctx/core';
import { stringifyJson } from '@ctx/core/codec';
import { gapTokens } from '@ctx/excerpt';
import type { Originals } from './originals.js';
import { leastSaved } from './weights.js';

/** A call in a message that may be cut. */
interface Call {
  readonly message: string;
  readonly part: number;
  /** The original input. */
  readonly input: unknown;
  /** Tokens of the input in the view. */
  readonly tokens: number;
  /** Whether an earlier edit cut the input. */
  readonly isCut: boolean;
}

/** Cuts the arguments of calls if one is too large or all together are. They remain valid JSON. */
export function cutCalls(
  messages: readonly ViewMessage[],
  roomTokens: number,
  context: PlanContext,
  originals: Originals,
): { readonly edits: readonly Edit<'replace'>[]; readonly saved: number } {
  const tokensOf = (input: unknown) => context.tokensOf(stringifyJson(input) ?? '');
  const calls = callsIn(messages, tokensOf, originals);
  // Limits are based on the original inputs, so that a second cut gives the same result.
  const sum = calls.reduce((total, { input }) => total + tokensOf(input), 0);
  // One argument may take a quarter, and all together half; if they are larger, each gets an equal part.
  const most = Math.min(roomTokens / 4, sum > roomTokens / 2 ? roomTokens / 2 / calls.length : roomTokens);
  const edits = calls.flatMap(({ message, part, input, tokens, isCut }): Edit<'replace'>[] => {
    const text = cutInput(input, { most, tokens }, context);
    if (text === undefined) return [];
    const left = context.tokensOf(text);
    if (tokens - left < 4 * gapTokens || left >= tokens * (isCut ? 1 - leastSaved : 1)) return [];
    return [{ type: 'replace', message, part, text, reason: 'excerpted' }];
  });
  const saved = edits.length === 0 ? 0 : context.currentTokens - context.simulate(edits).tokens;
  return { edits, saved };
}

function callsIn(
  messages: readonly ViewMessage[],
  tokensOf: (input: unknown) => number,
  originals: Originals,
): Call[] {
  return messages.flatMap((viewed) => {
    const { id, message, verbatim } = viewed;
    if (verbatim) return [];
    const before = originals.partsOf(viewed);
    return partsOf(message).flatMap((one, part) => {
      const original = before[part];
      if (one.type !== 'tool-call' || original?.type !== 'tool-call') return [];
      const { input } = original;
      return [{ message: id, part, input, tokens: tokensOf(one.input), isCut: input !== one.input }];
    });
  });
}

/** The input cut to JSON of at most `most` tokens, or more if it cannot be cut that far; undefined if it would not get shorter. */
function cutInput(
  input: unknown,
  { most, tokens }: { readonly most: number; readonly tokens: number },
  context: PlanContext,
): string | undefined {
  for (let limit = Math.max(1, most); limit < tokens; limit *= 2) {
    const text = cutJson(input, { maxTokens: limit, tokensOf: (piece) => context.tokensOf(piece) });
    if (text !== undefined) return text;
  }
  return undefined;
}
