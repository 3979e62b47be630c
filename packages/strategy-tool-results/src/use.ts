import { isErrorResult, outputText, type PlanContext, type ToolUse, toolUsesOf } from '@ctx/core';

/** A tool result as the rules see it. */
export interface Use extends ToolUse {
  /** Position among the results of the view. */
  readonly order: number;
  readonly text: string;
  /** When it came, ms since epoch; that of the message before it where it has none. */
  readonly time: number;
  isError(prefixes: readonly string[]): boolean;
}

/** The results of a view, in order. */
export function usesOf({ view }: PlanContext): readonly Use[] {
  const times: number[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { message } of view) {
    latest = message.createdAt ?? latest;
    times.push(latest);
  }
  return toolUsesOf(view).map((use, order) => {
    const text = outputText(use.result.output);
    const isError = (prefixes: readonly string[]) => {
      const start = text.trimStart();
      return isErrorResult(use.result) || prefixes.some((prefix) => start.startsWith(prefix));
    };
    return { ...use, order, text, time: times[use.message.index] as number, isError };
  });
}
