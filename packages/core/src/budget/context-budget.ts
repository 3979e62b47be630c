/** How full the context is: `safe` below 50 %, `caution` up to 75 %, `warning` up to 85 % (compression is near), then `critical`. */
type BudgetBand = 'safe' | 'caution' | 'warning' | 'critical';

/** How a window is used, in tokens. */
export interface BudgetParts {
  readonly contextWindow: number;
  /** Reserved for the answer. */
  readonly reservedTokens: number;
  /** System prompt and tool definitions. */
  readonly systemTokens: number;
  /** The rest of the conversation. */
  readonly usedTokens: number;
}

export interface ContextBudget extends BudgetParts {
  /** Room for the conversation: the window without the answer and the system prompt; never negative. */
  readonly availableTokens: number;
  /** The part of it that is still free; never negative. */
  readonly remainingTokens: number;
  /** `usedTokens` in percent of `availableTokens`; may exceed 100. It is 100 if nothing is available. */
  readonly usagePercent: number;
  readonly band: BudgetBand;
}

/** Computes the figures that follow from how a window is used. */
export function contextBudget(parts: BudgetParts): ContextBudget {
  const { contextWindow, reservedTokens, systemTokens, usedTokens } = parts;
  const availableTokens = Math.max(0, contextWindow - reservedTokens - systemTokens);
  const usagePercent = availableTokens === 0 ? 100 : (100 * usedTokens) / availableTokens;
  return {
    ...parts,
    availableTokens,
    remainingTokens: Math.max(0, availableTokens - usedTokens),
    usagePercent,
    band: bandOf(usagePercent),
  };
}

function bandOf(usagePercent: number): BudgetBand {
  if (usagePercent < 50) return 'safe';
  if (usagePercent <= 75) return 'caution';
  return usagePercent <= 85 ? 'warning' : 'critical';
}
