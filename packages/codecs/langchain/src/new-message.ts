import type { Message } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';
import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';

/** A LangChain message for a message from another codec. */
export function newMessage(
  role: Exclude<Message['role'], 'tool'>,
  content: unknown,
  calls: readonly unknown[],
): BaseMessage {
  const fields = { content } as { content: string };
  switch (role) {
    case 'system':
      return new SystemMessage(fields);
    case 'user':
      return new HumanMessage(fields);
    case 'assistant':
      return new AIMessage({ ...fields, tool_calls: calls as NonNullable<AIMessage['tool_calls']> });
    default:
      return role satisfies never;
  }
}

export function newToolMessage(fields: Fields): BaseMessage {
  return new ToolMessage(fields as unknown as ToolMessage);
}

/** A copy of the same class with other fields; all else, also what only the class knows, stays. */
export function changedCopy(native: Fields, changes: Fields): Fields {
  const kwargs = 'lc_kwargs' in native ? { lc_kwargs: { ...(native.lc_kwargs as Fields), ...changes } } : {};
  return Object.assign(Object.create(Object.getPrototypeOf(native)) as Fields, native, kwargs, changes);
}

/** The object for the fields that a snapshot kept. A piece of a streamed answer becomes a whole message. */
export function revived({ type, content, ...fields }: Fields): Fields {
  const given = { content } as { content: string };
  const make: Readonly<Record<string, () => object>> = {
    system: () => new SystemMessage(given),
    developer: () => new SystemMessage(given),
    human: () => new HumanMessage(given),
    ai: () => new AIMessage(given),
    tool: () => new ToolMessage({ ...given, tool_call_id: String(fields.tool_call_id) }),
    function: () => new FunctionMessage({ ...given, name: String(fields.name) }),
    generic: () => new ChatMessage({ ...given, role: String(fields.role) }),
  };
  return changedCopy((make[String(type)]?.() ?? {}) as Fields, fields);
}
