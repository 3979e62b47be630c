import { ValidationError } from '../base/errors.js';
import { type Message, madeMessage, type ToolCallPart, type ToolResultPart, toolCallsOf } from './message.js';

/** The output of a result that core adds for a call that was never answered. */
const unansweredOutput = '[No result: the call was interrupted]';

/** The calls of the newest assistant message that still wait for their results. */
export class OpenCalls {
  #calls: readonly ToolCallPart[] = [];

  get size(): number {
    return this.#calls.length;
  }

  clear(): void {
    this.#calls = [];
  }

  /** A result answers a call; any other message has the only calls that are open. */
  add(message: Message): void {
    this.#calls =
      message.role === 'tool'
        ? this.#calls.filter((call) => !message.content.some((result) => isOf(result, call)))
        : toolCallsOf(message);
  }

  /** @throws ValidationError `tool-result-without-call` */
  check(results: readonly ToolResultPart[], index: number): void {
    results.forEach((result, part) => {
      const isFirst = results.findIndex((one) => isOf(one, result)) === part;
      if (isFirst && this.#calls.some((call) => isOf(result, call))) return;
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

  closing(): Message {
    const content = this.#calls.map(({ toolCallId, toolName }) =>
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

const isOf = (one: ToolResultPart, other: ToolCallPart | ToolResultPart) =>
  one.toolCallId === other.toolCallId;

/** True for a result that the transcript itself added for calls that were never answered. */
export function isClosing({ role, content }: Message): boolean {
  return (
    role === 'tool' &&
    content.every((part) => part.type === 'tool-result' && part.isError && part.output === unansweredOutput)
  );
}
