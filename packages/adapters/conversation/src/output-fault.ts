import { fillsWindow, overflowFigures, overflowKind } from '@ctx/core/codec';

interface Asked {
  /** What the request allows its answer; `undefined` if it does not say. */
  readonly outputTokens: number | undefined;
  /** Tokens of the request as counted here. */
  readonly countedTokens: number;
}

/**
 * Why a refused request is refused for the room that its answer was to have, in words; `undefined` if it is too large by itself. Some errors
 * name only what was requested in all: then what was counted tells whether the answer is part of it.
 */
export function outputFault(error: unknown, { outputTokens, countedTokens }: Asked): string | undefined {
  const kind = overflowKind(error);
  const { limit, requested } = overflowFigures(error);
  const isBlamed =
    kind === 'output' ||
    (kind === 'tokens' &&
      outputTokens !== undefined &&
      limit !== undefined &&
      fillsWindow(outputTokens, limit) &&
      includesOutput(requested, outputTokens, countedTokens, limit));
  if (!isBlamed) return undefined;
  const answer = outputTokens === undefined ? 'more tokens than fit' : `${inWords(outputTokens)} tokens`;
  const window = limit === undefined ? 'the window' : `a window of ${inWords(limit)} tokens`;
  return `The provider refused a request because its answer may have ${answer}, which leaves no room for the conversation in ${window}. Ask for a shorter answer (max_tokens). Nothing was cut.`;
}

function includesOutput(requested: number | undefined, output: number, counted: number, limit: number) {
  if (requested === undefined) return counted <= limit / 2;
  return Math.abs(requested - output - counted) < Math.abs(requested - counted);
}

const inWords = (tokens: number) => tokens.toLocaleString('en-US');
