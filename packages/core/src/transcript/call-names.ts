import { type Message, type Part, type ToolCallPart, toolCallsOf } from './message.js';

/** What a native result does not say of the call that it answers. */
interface Calls {
  nameOf(toolCallId: string): string | undefined;
}

/** The tools that a conversation has called so far. Where an id is used again, the newest call counts. */
export class CallNames implements Calls {
  readonly #names = new Map<string, string>();
  /** The message that was seen last. */
  newest: Message | undefined;

  /** @param after the messages before those that are read; they are only searched if a result has no call among these */
  constructor(readonly after: readonly Message[] = []) {
    this.newest = after.at(-1);
  }

  /** The names that parts say themselves, for a native message that is read again. */
  static in(parts: readonly Part[]): Calls {
    const isOf = (id: string) => (part: Part) => 'toolCallId' in part && part.toolCallId === id;
    return { nameOf: (id) => (parts.find(isOf(id)) as ToolCallPart | undefined)?.toolName };
  }

  see(message: Message): void {
    for (const { toolCallId, toolName } of toolCallsOf(message)) this.#names.set(toolCallId, toolName);
    this.newest = message;
  }

  nameOf(toolCallId: string): string | undefined {
    return this.#names.get(toolCallId) ?? this.#nameBefore(toolCallId);
  }

  #nameBefore(toolCallId: string): string | undefined {
    for (let at = this.after.length - 1; at >= 0; at -= 1) {
      const calls = toolCallsOf(this.after[at] as Message);
      const call = calls.findLast((one) => one.toolCallId === toolCallId);
      if (call !== undefined) return call.toolName;
    }
    return undefined;
  }
}
