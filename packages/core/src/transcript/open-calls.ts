import { ValidationError } from '../base/errors.js';
import { type Message, madeMessage, type ToolCallPart, type ToolResultPart, toolCallsOf } from './message.js';

/** The output of a result that core adds for a call that was never answered. */
const unansweredOutput = '[No result: the call was interrupted]';

/** The calls of the newest assistant message that still wait for their results. */
export class OpenCalls {
  readonly #calls = new Map<string, ToolCallPart>();

  get size(): number {
    return this.#calls.size;
  }

  clear(): void {
    this.#calls.clear();
  }

  /** A result answers a call; any other message has the only calls that are open. */
  add(message: Message): void {
    if (message.role === 'tool') for (const part of message.content) this.#calls.delete(part.toolCallId);
    else {
      // An empty map that is cleared makes a new table.
      if (this.#calls.size > 0) this.#calls.clear();
      for (const call of toolCallsOf(message)) this.#calls.set(call.toolCallId, call);
    }
  }

  /**
   * @param index position of the message with the results, for the error
   * @throws ValidationError `tool-result-without-call`
   */
  check(results: readonly ToolResultPart[], index: number): void {
    results.forEach((result, part) => {
      const first = results.findIndex(({ toolCallId }) => toolCallId === result.toolCallId);
      if (first === part && this.#calls.has(result.toolCallId)) return;
      throw new ValidationError({
        code: 'tool-result-without-call',
        problem: 'The newest assistant message has no open call with this id',
        place: `messages[${index}].content[${part}].toolCallId`,
        value: result.toolCallId,
        remedy:
          'Append the assistant message with the call first, each result once, and results before any other message.',
      });
    });
  }

  /** A message that answers all of them. */
  closing(): Message {
    const content = [...this.#calls.values()].map(({ toolCallId, toolName }) =>
      Object.freeze({
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: unansweredOutput,
        isError: true,
      }),
    );
    return madeMessage({ role: 'tool', content });
  }
}

/** True for a result that the transcript itself added for calls that were never answered. */
export function isClosing({ role, content }: Message): boolean {
  return (
    role === 'tool' &&
    content.every((part) => part.type === 'tool-result' && part.isError && part.output === unansweredOutput)
  );
}
