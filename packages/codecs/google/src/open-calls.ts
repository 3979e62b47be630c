import { type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { type Fields, isFields } from '@ctx/core/codec';

/** The calls of the newest assistant message that have no response yet. */
export class OpenCalls {
  #open: ToolCallPart[] = [];

  /** @param after the messages before, of which the last ones may still wait for responses */
  constructor(after: readonly Message[] = []) {
    const start = after.findLastIndex(({ role }) => role !== 'tool');
    for (const message of after.slice(Math.max(start, 0))) this.see(message);
  }

  /** Takes note of a message. */
  see(message: Message): void {
    if (message.role !== 'tool') this.#open = [...toolCallsOf(message)];
    else {
      const answered = new Set(message.content.map(({ toolCallId }) => toolCallId));
      this.#open = this.#open.filter(({ toolCallId }) => !answered.has(toolCallId));
    }
  }

  /**
   * The id of the call that each part of a list answers; undefined for a part that answers none. The id of a response counts first, then
   * its name, then the order.
   */
  answeredBy(parts: readonly unknown[]): (string | undefined)[] {
    const responses = parts.map((part) =>
      isFields(part) && isFields(part.functionResponse) ? part.functionResponse : undefined,
    );
    const ids: (string | undefined)[] = responses.map(() => undefined);
    const left = [...this.#open];
    const take = (fits: (call: ToolCallPart, response: Fields) => boolean) => {
      responses.forEach((response, index) => {
        if (response === undefined || ids[index] !== undefined) return;
        const at = left.findIndex((call) => fits(call, response));
        if (at >= 0) ids[index] = left.splice(at, 1)[0]?.toolCallId;
      });
    };
    take(({ toolCallId }, { id }) => id === toolCallId);
    take(({ toolName }, { name }) => name === toolName);
    take((_call, { id }) => !hasText(id));
    return ids;
  }
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
