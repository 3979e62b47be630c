import {
  type Codec,
  type CompressionOutcome,
  type ContextManager,
  isOverflowError,
  type ManagerOptions,
  type Message,
} from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { reportedUsage } from './reported-usage.js';
import { codeOf, type OnWarning, Warnings } from './warnings.js';

export interface ConversationOptions extends ManagerOptions {
  /** Is told once of each thing that ctx could not do. @default `console.warn` */
  readonly onWarning?: OnWarning | undefined;
}

export interface SendOptions {
  /** Stops the compression, and what its strategies and ports do. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One conversation in a provider's own form: takes the history as the agent has it, and gives what to send.
 * @throws ConfigError as `createContextManager`
 */
export function conversation<Native>(
  codec: Codec<Native>,
  { onWarning, ...options }: ConversationOptions = {},
): Conversation<Native> {
  return new Conversation(codec, createContextManager(options), new Warnings(onWarning));
}

/** A manager and the newest form of the native messages that it holds. */
export class Conversation<Native> {
  /** The newest native form of a message of the transcript, and of its native value. */
  #newest = new WeakMap<object, unknown>();
  #history: Native | undefined;
  #decoded: readonly Message[] = [];

  constructor(
    readonly codec: Codec<Native>,
    readonly manager: ContextManager,
    readonly warnings: Warnings,
  ) {}

  /**
   * Takes the whole history as it now is. What is new is appended; what was edited or is gone takes the manager back to what both have
   * in common.
   * @throws ValidationError `native-invalid` or as `manager.append`; nothing is changed then
   */
  sync(history: Native): void {
    this.take(history, this.codec.toMessages(history));
  }

  /** `sync` with the history that was decoded already. */
  take(history: Native, messages: readonly Message[]): void {
    const { entries } = this.manager.sync(messages);
    this.#newest = new WeakMap();
    entries.forEach(({ message }, index) => {
      const newest = messages[index] as Message;
      this.#newest.set(message, newest);
      if (isObject(message.native) && isObject(newest.native))
        this.#newest.set(message.native, newest.native);
    });
    this.#history = history;
    this.#decoded = messages;
  }

  /**
   * Compresses if need be and gives the history to send. Untouched messages are the objects that `sync` got last. If ctx itself
   * fails, the history is given as it came, with a warning.
   */
  async prepare({ signal }: SendOptions = {}): Promise<Native> {
    await this.#attempt('check-failed', () => this.manager.checkAndCompress({ beforeSend: true, signal }));
    return this.request();
  }

  /** True if the whole request fits the room that a request has in the window. */
  get fits(): boolean {
    const { currentTokens, allowedTokens } = this.manager.stats();
    return currentTokens <= allowedTokens;
  }

  /** What is to be sent now, and the note that it is being sent. */
  request(): Native {
    try {
      const messages = this.manager.request().map((message) => this.#inNewestForm(message));
      const { codec } = this;
      if (this.#history !== undefined && isSameList(messages, this.#decoded)) return this.#history;
      const native = codec.fromMessages(messages);
      return this.#history === undefined || codec.settle === undefined
        ? native
        : codec.settle(native, this.#history);
    } catch (error) {
      if (this.#history === undefined) throw error;
      this.warnings.once('encode-failed', `The request goes out as it came: ${codeOf(error)}`);
      return this.#history;
    }
  }

  /** An overflow is no failure of ctx: what is left is sent, and the provider says the last word. */
  async #attempt(
    code: string,
    task: () => Promise<CompressionOutcome>,
  ): Promise<CompressionOutcome | undefined> {
    try {
      const outcome = await task();
      if (outcome.status === 'failed' && outcome.reason !== 'aborted')
        this.warnings.once(code, `The conversation could not be made smaller: ${codeOf(outcome.error)}`);
      return outcome;
    } catch (error) {
      this.warnings.once(code, `The conversation could not be made smaller: ${codeOf(error)}`);
      return undefined;
    }
  }

  #inNewestForm(message: Message): Message {
    const whole = this.#newest.get(message);
    if (whole !== undefined) return whole as Message;
    const native = isObject(message.native) ? this.#newest.get(message.native) : undefined;
    return native === undefined ? message : { ...message, native };
  }

  /** Lets go of a history that was taken, if no other was taken since. Until then, requests are made of what the manager holds. */
  forget(history: Native): void {
    if (this.#history !== history) return;
    this.#history = undefined;
    this.#decoded = [];
    this.#newest = new WeakMap();
  }

  /** After the provider refused a request as too large: true if there is now a smaller one to send. */
  async recovered(error: unknown, { signal }: SendOptions = {}): Promise<boolean> {
    if (!isOverflowError(error)) return false;
    const outcome = await this.#attempt('recover-failed', () => this.manager.recover(error, { signal }));
    return outcome?.record !== undefined;
  }

  /** Teaches the manager what the provider counted, as far as the answer says it. */
  answered(answer: unknown): void {
    const usage = reportedUsage(answer);
    if (usage !== undefined) this.manager.reportUsage(usage);
  }

  /**
   * Sends the conversation: compresses before, and after an overflow makes it smaller and sends it again, at most three times.
   * @param call sends what it is given and gives the provider's answer, from which reported usage is read
   * @throws whatever `call` throws in the end
   */
  async send<Answer>(
    call: (history: Native) => PromiseLike<Answer>,
    options: SendOptions = {},
  ): Promise<Answer> {
    let history: Native = (await this.prepare(options)) as Native;
    for (;;) {
      try {
        const answer = await call(history);
        this.answered(answer);
        return answer;
      } catch (error) {
        if (!(await this.recovered(error, options))) throw error;
        history = this.request();
      }
    }
  }
}

function isSameList(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && list.every((one, at) => one === other[at]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
