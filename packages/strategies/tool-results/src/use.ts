import {
  isErrorResult,
  type Message,
  outputText,
  type PlanContext,
  partsOf,
  type Steps,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  toolUsesOf,
  type ViewMessage,
} from '@ctx/core';
import { withoutHandle } from '@ctx/core/kit';
import { eachInSteps } from './pauses.js';

type ToolUse = ReturnType<typeof toolUsesOf>[number];

/** A tool result as the rules see it. */
export class Use implements ToolUse {
  readonly message: ViewMessage;
  readonly part: number;
  readonly result: ToolResultPart;
  readonly call: ToolCallPart | undefined;
  /** The text in the view, without the handle of a text that was shortened. */
  readonly text: string;
  /** The text that the tool returned. A result that was cut or cleared does not show any more what it was. */
  readonly original: string;

  constructor(
    use: ToolUse,
    readonly returned: ToolOutput,
    /** The position among the results of the view. */
    readonly order: number,
    /** When it was returned, in ms since the epoch. If its message has no time, that of the nearest earlier message with one. */
    readonly time: number,
  ) {
    this.message = use.message;
    this.part = use.part;
    this.result = use.result;
    this.call = use.call;
    const text = outputText(use.result.output);
    this.original = returned === use.result.output ? text : outputText(returned);
    this.text = text === this.original ? text : withoutHandle(text);
  }

  /** Whether an edit has changed it. */
  get isEdited(): boolean {
    return this.text !== this.original;
  }

  isError(prefixes: readonly string[]): boolean {
    if (isErrorResult(this.result)) return true;
    const start = this.original.trimStart();
    return prefixes.some((prefix) => start.startsWith(prefix));
  }
}

/** The results of a view, in order. */
export function* usesOf({
  view,
  transcript,
}: Pick<PlanContext, 'view' | 'transcript'>): Steps<readonly Use[]> {
  let originals: Map<string, Message> | undefined;
  const originalOf = ({ id, position }: ViewMessage) => {
    const said = transcript[position ?? -1];
    if (said?.id === id) return said.message;
    originals ??= new Map(transcript.map((one) => [one.id, one.message]));
    return originals.get(id);
  };
  const times: number[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { createdAt, message } of view) {
    latest = createdAt ?? message.createdAt ?? latest;
    times.push(latest);
  }
  yield;
  const uses: Use[] = [];
  yield* eachInSteps(toolUsesOf(view), (use, order) => {
    const returned = outputIn(originalOf(use.message), use);
    uses.push(new Use(use, returned, order, times[use.message.index] as number));
  });
  return uses;
}

/** The output of the same call in the original message. */
function outputIn(original: Message | undefined, { message, result }: ToolUse): ToolOutput {
  if (original === undefined || original === message.message) return result.output;
  const found = partsOf(original).find(
    (part) => part.type === 'tool-result' && part.toolCallId === result.toolCallId,
  );
  return found?.type === 'tool-result' ? found.output : result.output;
}
