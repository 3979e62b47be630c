import {
  isErrorResult,
  outputText,
  type PlanContext,
  type ToolCallPart,
  type ToolResultPart,
  type ToolUse,
  toolUsesOf,
  type ViewMessage,
} from '@ctx/core';

/** A tool result as the rules see it. */
export class Use implements ToolUse {
  readonly message: ViewMessage;
  readonly part: number;
  readonly result: ToolResultPart;
  readonly call: ToolCallPart | undefined;
  readonly text: string;

  constructor(
    use: ToolUse,
    /** Position among the results of the view. */
    readonly order: number,
    /** When it came, ms since epoch; that of the message before it where it has none. */
    readonly time: number,
  ) {
    this.message = use.message;
    this.part = use.part;
    this.result = use.result;
    this.call = use.call;
    this.text = outputText(use.result.output);
  }

  isError(prefixes: readonly string[]): boolean {
    if (isErrorResult(this.result)) return true;
    const start = this.text.trimStart();
    return prefixes.some((prefix) => start.startsWith(prefix));
  }
}

/** The results of a view, in order. */
export function usesOf({ view }: PlanContext): readonly Use[] {
  const times: number[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { message } of view) {
    latest = message.createdAt ?? latest;
    times.push(latest);
  }
  return toolUsesOf(view).map((use, order) => new Use(use, order, times[use.message.index] as number));
}
