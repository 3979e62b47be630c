import { CtxError, ValidationError } from '../base/errors.js';
import {
  type Message,
  type MessageId,
  madeMessage,
  parseMessage,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from './message.js';

export interface TranscriptMessage {
  readonly id: MessageId;
  /** Its position in the transcript. */
  readonly index: number;
  /** The object that was appended, unchanged. */
  readonly message: Message;
  /** When it was said, in ms since epoch: the message's own time, otherwise that of the append. */
  readonly createdAt?: number | undefined;
  /**
   * Number of its exchange: an assistant message with tool calls together with all their results, or a single message.
   */
  readonly exchange: number;
}

/** Prefix of the ids of messages that edits put into the view. */
export const reservedIds = 'ctx:';

/** The output of a result that core adds for a call that was never answered. */
export const unansweredOutput = '[No result: the call was interrupted]';

/**
 * The append-only list of everything said. Tool results must answer a call of the newest assistant message. If another
 * message arrives while calls are open, a result saying so is appended first, so that the conversation stays valid for
 * every provider.
 */
export class Transcript implements Iterable<TranscriptMessage> {
  readonly #messages: TranscriptMessage[] = [];
  readonly #byId = new Map<MessageId, TranscriptMessage>();
  #openCalls = new Map<string, ToolCallPart>();
  #exchange = -1;
  /** The number of the next generated id. */
  nextNumber = 1;
  #newestUser: TranscriptMessage | undefined;
  #newestAnswer: TranscriptMessage | undefined;

  /** @param offset added to the positions that errors give */
  constructor(readonly offset = 0) {}

  get length(): number {
    return this.#messages.length;
  }

  get messages(): readonly TranscriptMessage[] {
    return this.#messages;
  }

  /** The newest message that a user wrote; summaries do not count. */
  get newestUser(): TranscriptMessage | undefined {
    return this.#newestUser;
  }

  /** The newest message of the assistant. The model has not read anything after it. */
  get newestAnswer(): TranscriptMessage | undefined {
    return this.#newestAnswer;
  }

  /** The exchange that still waits for results; undefined if none does. */
  get openExchange(): number | undefined {
    return this.#openCalls.size > 0 ? this.#exchange : undefined;
  }

  get(id: MessageId): TranscriptMessage | undefined {
    return this.#byId.get(id);
  }

  [Symbol.iterator](): Iterator<TranscriptMessage> {
    return this.#messages[Symbol.iterator]();
  }

  /**
   * Appends a message and returns what was added: the message, preceded by a result for open calls if one was needed.
   * @param id its id in a snapshot; by default its own or a generated one
   * @param createdAt ms since epoch, used if the message has no time of its own
   * @throws ValidationError when the message is malformed, its id is taken, or it answers no open call; nothing is
   * appended then
   */
  append(value: unknown, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    const index = this.offset + this.#messages.length;
    const message = parseMessage(value, index);
    const named = id ?? message.id;
    if (named?.startsWith(reservedIds)) {
      throw new ValidationError({
        code: 'message-id-reserved',
        problem: `Ids that begin with "${reservedIds}" are reserved for messages that a compression makes`,
        place: `messages[${index}].id`,
        value: named,
        remedy: 'Leave the id out to have one generated, or begin it differently.',
      });
    }
    if (named !== undefined && this.#byId.has(named)) {
      throw new ValidationError({
        code: 'message-id-duplicate',
        problem: 'The id is already taken by another message',
        place: `messages[${index}].id`,
        value: named,
        remedy: 'Leave the id out to have one generated, or make it unique.',
      });
    }
    if (message.role === 'tool') {
      this.#checkResults(message.content, index);
      return [this.#push(message, named, createdAt)];
    }
    const added =
      this.#openCalls.size > 0 ? [this.#push(this.#closingMessage(), this.#freshId(named), createdAt)] : [];
    added.push(this.#push(message, named, createdAt));
    return added;
  }

  /**
   * Removes all messages after this one, or all messages if no id is given, and returns them.
   * @throws CtxError `id-unknown`
   */
  cutAfter(id: MessageId | undefined): readonly TranscriptMessage[] {
    const last = id === undefined ? undefined : this.#byId.get(id);
    if (id !== undefined && last === undefined) throw unknownId(id);
    const length = last === undefined ? 0 : last.index + 1;
    const cut = this.#messages.slice(length);
    this.#keep(this.#messages.slice(0, length));
    return cut;
  }

  /**
   * Replaces messages. The new ones get new ids.
   * @throws CtxError `id-unknown`
   */
  replace(replaced: ReadonlyMap<MessageId, Message>): void {
    for (const id of replaced.keys()) if (!this.#byId.has(id)) throw unknownId(id);
    this.#keep(
      this.#messages.map((entry) => {
        const message = replaced.get(entry.id);
        return message === undefined ? entry : { ...entry, id: this.#freshId(), message };
      }),
    );
  }

  #keep(kept: readonly TranscriptMessage[]): void {
    this.#messages.length = 0;
    this.#byId.clear();
    this.#openCalls.clear();
    this.#exchange = -1;
    this.#newestUser = undefined;
    this.#newestAnswer = undefined;
    for (const entry of kept) this.#push(entry.message, entry.id, entry.createdAt);
  }

  #push(message: Message, id = this.#freshId(), createdAt?: number): TranscriptMessage {
    if (message.role === 'tool') {
      for (const part of message.content) this.#openCalls.delete(part.toolCallId);
    } else {
      this.#exchange += 1;
      this.#openCalls = new Map(toolCallsOf(message).map((call) => [call.toolCallId, call]));
    }
    const entry: TranscriptMessage = Object.freeze({
      id,
      index: this.#messages.length,
      message,
      createdAt: message.createdAt ?? createdAt,
      exchange: this.#exchange,
    });
    this.#messages.push(entry);
    this.#byId.set(id, entry);
    if (message.role === 'user' && message.summary !== true) this.#newestUser = entry;
    if (message.role === 'assistant') this.#newestAnswer = entry;
    return entry;
  }

  /** @param taken the id that the next message will have */
  #freshId(taken?: MessageId): MessageId {
    let id: MessageId;
    do {
      id = `m${this.nextNumber}`;
      this.nextNumber += 1;
    } while (this.#byId.has(id) || id === taken);
    return id;
  }

  #checkResults(results: readonly ToolResultPart[], index: number): void {
    const answered = new Set<string>();
    results.forEach((result, part) => {
      if (this.#openCalls.has(result.toolCallId) && !answered.has(result.toolCallId)) {
        answered.add(result.toolCallId);
        return;
      }
      throw new ValidationError({
        code: 'tool-result-without-call',
        problem: 'The tool result answers no open call of the newest assistant message',
        place: `messages[${index}].content[${part}].toolCallId`,
        value: result.toolCallId,
        remedy:
          'Append the assistant message with the call first, each result once, and results before any other message.',
      });
    });
  }

  #closingMessage(): Message {
    const content = [...this.#openCalls.values()].map(({ toolCallId, toolName }) =>
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

export function unknownId(id: MessageId): CtxError {
  return new CtxError({
    code: 'id-unknown',
    problem: 'There is no message with this id',
    value: id,
    remedy: 'Use an id from manager.transcript.',
  });
}
