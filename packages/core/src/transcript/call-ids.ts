import type { Fields } from '../base/native.js';
import { type Message, type Part, type ToolCallPart, toolCallsOf } from './message.js';

const madeUp = /^unnamed-(\d+|none)-\d+$/;

/** True for an id that was made up here, and that no provider ever sees. */
export const isMadeUpId = (id: string) => madeUp.test(id);

/** The ids of calls. Some gateways give calls none, or the same to all of a message: then the order of the results decides which call they answer. */
export class CallIds {
  #calls: number | undefined;
  /** Each with what it is called in its own message; `undefined` if nobody knows. */
  #open: { readonly id: string; readonly own: unknown }[] = [];

  /** @param after the messages before those that are read, of which the last calls may still wait for results */
  constructor(readonly after: readonly Message[] = []) {
    const start = after.findLastIndex(({ role }) => role === 'assistant');
    const [assistant, ...results] = after.slice(Math.max(start, 0));
    if (assistant?.role !== 'assistant') return;
    this.#open = toolCallsOf(assistant).map(({ toolCallId: id }) => ({
      id,
      own: isMadeUpId(id) ? undefined : id,
    }));
    for (const { content } of results)
      for (const part of content)
        if (typeof part !== 'string' && 'toolCallId' in part) this.#close(part.toolCallId);
  }

  ofCalls(calls: readonly Fields[]): readonly string[] {
    this.#calls ??= this.after.reduce((sum, message) => sum + toolCallsOf(message).length, 0);
    const ids = idsOf(calls, this.#calls);
    this.#calls += calls.length;
    this.#open = ids.map((id, at) => ({ id, own: calls[at]?.id }));
    return ids;
  }

  /** The id of the call that a result answers which names this one; `undefined` if it names none and there is none to answer. */
  ofResult(own: unknown): string | undefined {
    const call = this.#open.find((one) => one.own === own) ?? this.#open.find((one) => one.own === undefined);
    if (call !== undefined) this.#close(call.id);
    return call?.id ?? (hasText(own) ? own : own === '' ? 'unnamed-none-0' : undefined);
  }

  /**
   * The ids for the calls or results of a message, in order.
   * @param own those that it has itself
   * @returns undefined if these will do, or if one is no text
   */
  idsFor(role: Message['role'], own: readonly unknown[]): readonly string[] | undefined {
    if (own.length === 0 || !own.every((id) => typeof id === 'string')) return undefined;
    const ids =
      role === 'tool' ? own.map((id) => this.ofResult(id) ?? id) : this.ofCalls(own.map((id) => ({ id })));
    return ids.some((id, at) => id !== own[at]) ? ids : undefined;
  }

  #close(id: string): void {
    this.#open = this.#open.filter((one) => one.id !== id);
  }

  /** The same for a native message that is read again: its parts say which ids it got. */
  static in(parts: readonly Part[]): Pick<CallIds, 'ofCalls' | 'ofResult'> {
    const ids = parts.flatMap((part) => ('toolCallId' in part ? part.toolCallId : []));
    const number = ids.map((id) => madeUp.exec(id)?.[1]).find((one) => one !== undefined);
    return {
      ofCalls: (calls) => idsOf(calls, Number(number ?? 0)),
      ofResult: (own) =>
        ids[0] !== undefined && (isMadeUpId(ids[0]) || !hasText(own)) ? ids[0] : String(own),
    };
  }
}

/** @param number how many calls there are before these */
function idsOf(calls: readonly Fields[], number: number): readonly string[] {
  const ids: string[] = [];
  for (const [at, { id }] of calls.entries())
    ids.push(hasText(id) && !ids.includes(id) ? id : `unnamed-${number}-${at}`);
  return ids;
}

function hasText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The tools that a conversation has called so far. Where an id is used again, the newest call counts. */
export class CallNames {
  readonly #names = new Map<string, string>();
  newest: Message | undefined;

  /** @param after the messages before those that are read; they are only searched if a result has no call among these */
  constructor(readonly after: readonly Message[] = []) {
    this.newest = after.at(-1);
  }

  /** The names that parts say themselves, for a native message that is read again. */
  static in(parts: readonly Part[]): Pick<CallNames, 'nameOf'> {
    const isOf = (id: string) => (part: Part) => 'toolCallId' in part && part.toolCallId === id;
    return { nameOf: (id) => (parts.find(isOf(id)) as ToolCallPart | undefined)?.toolName };
  }

  see(message: Message): void {
    for (const { toolCallId, toolName } of toolCallsOf(message)) this.#names.set(toolCallId, toolName);
    this.newest = message;
  }

  nameOf(toolCallId: string): string | undefined {
    let name = this.#names.get(toolCallId);
    for (let at = this.after.length - 1; name === undefined && at >= 0; at -= 1) {
      const calls = toolCallsOf(this.after[at] as Message);
      name = calls.findLast((one) => one.toolCallId === toolCallId)?.toolName;
    }
    return name;
  }
}
