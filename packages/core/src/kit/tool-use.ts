import type { Part, ToolCallPart, ToolResultPart } from '../transcript/message.js';
import type { ViewMessage } from '../view/strategy.js';

/** A tool result of the view, with the call that asked for it. */
export interface ToolUse {
  /** The message that holds the result. */
  readonly message: ViewMessage;
  /** The result's position among the parts of that message. */
  readonly part: number;
  readonly result: ToolResultPart;
  readonly call: ToolCallPart | undefined;
}

/** All tool results of a view, in order. The call is found by its id within the same exchange. */
export function toolUsesOf(view: readonly ViewMessage[]): ToolUse[] {
  const calls = new Map<string, { readonly call: ToolCallPart; readonly exchange: number }>();
  const uses: ToolUse[] = [];
  for (const viewed of view) {
    const { content } = viewed.message;
    if (typeof content === 'string') continue;
    for (let part = 0; part < content.length; part += 1) {
      const value = content[part] as Part;
      if (value.type === 'tool-call') calls.set(value.toolCallId, { call: value, exchange: viewed.exchange });
      else if (value.type === 'tool-result') {
        const asked = calls.get(value.toolCallId);
        const call = asked?.exchange === viewed.exchange ? asked.call : undefined;
        uses.push({ message: viewed, part, result: value, call });
      }
    }
  }
  return uses;
}
