import { entriesOf, memoryArchive } from '@ctx/archive';
import type { PassageSource } from '@ctx/core';
import { type Message, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { passagesOf, recallTool } from '@ctx/recall';
import type { CountTokens } from '../count-tokens.js';

const conversation = 'measured';

/** What was removed from the view of a conversation, and a model's recall of it. */
export class LeftView {
  readonly #archive;
  readonly #tokensOf: (text: string) => number;
  readonly #archived = new Set<number>();
  #shown: readonly Message[] = [];
  readonly #calls = new Map<string, ToolCallPart>();

  constructor(
    readonly messages: readonly Message[],
    tokensOf: CountTokens,
  ) {
    this.#tokensOf = tokensOf.text;
    this.#archive = memoryArchive({ tokensOf: tokensOf.text });
    for (const message of messages)
      for (const call of toolCallsOf(message)) this.#calls.set(call.toolCallId, call);
  }

  /** Archives what a view no longer has of the messages before a position. The system prompt never leaves. */
  async update(view: readonly Message[], before = this.messages.length): Promise<void> {
    const kept = new Set(view);
    this.#shown = view;
    for (let index = 0; index < before; index += 1) {
      const message = this.messages[index] as Message;
      if (this.#archived.has(index) || message.role === 'system' || kept.has(message)) continue;
      this.#archived.add(index);
      await this.#archive.put(this.entries(index));
    }
  }

  /** The archive's entries of a message. */
  entries(index: number) {
    const message = this.messages[index] as Message;
    return entriesOf({ conversation, number: index + 1, message, callOf: (id) => this.#calls.get(id) });
  }

  /** The answer of the recall tool, as a model gets it. */
  recalled(args: object, maxTokens: number): Promise<string> {
    const { read } = passagesOf(this.#archive, conversation);
    const find = (query: string, options?: Parameters<PassageSource['find']>[1]) =>
      this.#archive.search(query, { ...options, conversation, shown: this.#shown });
    return recallTool({ find, read }, { maxTokens, tokensOf: this.#tokensOf }).run(args);
  }
}
