import { CtxError, ValidationError } from '../base/errors.js';
import type { Message, MessageId } from './message.js';
import { OpenCalls } from './open-calls.js';
import { noTexts, type TextsWithoutTask } from './persons-words.js';
import { isStrayResult } from './results-in-place.js';
import { TaskFinder } from './task.js';

export interface TranscriptMessage {
  readonly id: MessageId;
  /** Its position in the transcript. */
  readonly index: number;
  /** The object that was appended, unchanged. */
  readonly message: Message;
  /** When it was said, in ms since epoch: the message's own time, otherwise that of the append. */
  readonly createdAt?: number | undefined;
  /** Number of its exchange: an assistant message with tool calls together with all their results, or a single message. */
  readonly exchange: number;
  /** What is sent of it from its first request on, if it was too large when it arrived; see the setting `arrivals`. */
  readonly excerpt?: Message | undefined;
}

/** Prefix of the ids of messages that edits put into the view. */
export const reservedIds = 'ctx:';

/**
 * The append-only list of everything said. Tool results must answer a call of the newest assistant message. If another
 * message arrives while calls are open, a result saying so is appended first, so that the conversation stays valid for
 * every provider.
 */
export class Transcript implements Iterable<TranscriptMessage> {
  #messages: TranscriptMessage[] = [];
  readonly #byId = new Map<MessageId, TranscriptMessage>();
  readonly #openCalls = new OpenCalls();
  #exchange = -1;
  nextNumber = 1;
  /** The newest message that a user wrote; summaries do not count. */
  newestUser: TranscriptMessage | undefined;
  /** The newest message of the assistant. The model has not read anything after it. */
  newestAnswer: TranscriptMessage | undefined;
  #tasks: TaskFinder<TranscriptMessage>;

  /** @param offset added to the positions that errors give */
  constructor(
    readonly offset = 0,
    readonly withoutTask: TextsWithoutTask = noTexts,
  ) {
    this.#tasks = new TaskFinder(withoutTask);
  }

  get length(): number {
    return this.#messages.length;
  }

  get messages(): readonly TranscriptMessage[] {
    return this.#messages;
  }

  at(index: number): TranscriptMessage | undefined {
    return this.#messages[index];
  }

  /** The user message that the work at hand is for; see `TaskFinder`. */
  get task(): TranscriptMessage | undefined {
    return this.#tasks.task;
  }

  /** The message of the assistant that the user has only agreed to, or answered in a few words. */
  get question(): TranscriptMessage | undefined {
    return this.#tasks.question;
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
   * @throws ValidationError when its id is taken, or it answers no open call; nothing is appended then
   */
  append(message: Message, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    const index = this.offset + this.length;
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
    if (named !== undefined && this.#byId.has(named)) throw duplicateId(named, index);
    if (message.role === 'tool') {
      this.#openCalls.check(message.content, index);
      return [this.#push(message, named, createdAt)];
    }
    const added =
      this.#openCalls.size > 0
        ? [this.#push(this.#openCalls.closing(), this.#freshId(named), createdAt)]
        : [];
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

  /** From now on, only an excerpt of a tool's message is sent. */
  shorten(id: MessageId, excerpt: Message): TranscriptMessage {
    const said = this.#byId.get(id);
    if (said === undefined) throw unknownId(id);
    const entry: TranscriptMessage = Object.freeze({ ...said, excerpt });
    this.#messages[said.index] = entry;
    this.#byId.set(id, entry);
    return entry;
  }

  #keep(kept: readonly TranscriptMessage[]): void {
    this.#messages = [];
    this.#byId.clear();
    this.#openCalls.clear();
    this.#exchange = -1;
    this.newestUser = undefined;
    this.newestAnswer = undefined;
    this.#tasks = new TaskFinder(this.withoutTask);
    for (const { message, id, createdAt, excerpt } of kept) {
      this.#push(message, id, createdAt);
      if (excerpt !== undefined) this.shorten(id, excerpt);
    }
  }

  #push(message: Message, id = this.#freshId(), createdAt?: number): TranscriptMessage {
    this.#openCalls.add(message);
    if (message.role !== 'tool') this.#exchange += 1;
    const entry: TranscriptMessage = Object.freeze({
      id,
      index: this.length,
      message,
      createdAt: message.createdAt ?? createdAt,
      exchange: this.#exchange,
    });
    this.#messages.push(entry);
    this.#byId.set(id, entry);
    if (message.role === 'user' && message.summary !== true && !isStrayResult(message))
      this.newestUser = entry;
    if (message.role === 'assistant') this.newestAnswer = entry;
    this.#tasks.add(entry);
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
}

export function duplicateId(id: MessageId, index: number): ValidationError {
  return new ValidationError({
    code: 'message-id-duplicate',
    problem: 'The id is already taken by another message',
    place: `messages[${index}].id`,
    value: id,
    remedy: 'Leave the id out to have one generated, or make it unique.',
  });
}

export function unknownId(id: MessageId): CtxError {
  return new CtxError({
    code: 'id-unknown',
    problem: 'There is no message with this id',
    value: id,
    remedy: 'Use an id from manager.transcript.',
  });
}
