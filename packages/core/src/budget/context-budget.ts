/** How full the context is: `safe` under 50 %, `caution` to 75, `warning` to 85 (it will soon be compressed), then `critical`. */
export type BudgetBand = 'safe' | 'caution' | 'warning' | 'critical';

/** What of a window is taken, in tokens. */
export interface BudgetParts {
  readonly contextWindow: number;
  /** Kept free for the answer. */
  readonly reservedTokens: number;
  /** System prompt and tool definitions. */
  readonly systemTokens: number;
  /** The rest of the conversation. */
  readonly usedTokens: number;
}

export interface ContextBudget extends BudgetParts {
  /** What the conversation may take: the window without the answer and the system prompt; never negative. */
  readonly availableTokens: number;
  /** What is still free of that; never negative. */
  readonly remainingTokens: number;
  /** `usedTokens` in percent of `availableTokens`; 100 where nothing is available. May be over 100. */
  readonly usagePercent: number;
  readonly band: BudgetBand;
}

/** The figures that follow from what is taken of a window. */
export function contextBudget(parts: BudgetParts): ContextBudget {
  const { contextWindow, reservedTokens, systemTokens, usedTokens } = parts;
  const availableTokens = Math.max(0, contextWindow - reservedTokens - systemTokens);
  const usagePercent = usagePercentOf(usedTokens, availableTokens);
  return {
    contextWindow,
    reservedTokens,
    systemTokens,
    usedTokens,
    availableTokens,
    remainingTokens: Math.max(0, availableTokens - usedTokens),
    usagePercent,
    band: bandOf(usagePercent),
  };
}

function usagePercentOf(used: number, available: number): number {
  return available === 0 ? 100 : (100 * used) / available;
}

function bandOf(usagePercent: number): BudgetBand {
  if (usagePercent < 50) return 'safe';
  if (usagePercent <= 75) return 'caution';
  return usagePercent <= 85 ? 'warning' : 'critical';
}
