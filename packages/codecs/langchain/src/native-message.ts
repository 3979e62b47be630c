import type { Message } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nativeInvalid } from '@ctx/core/codec';

/** What LangChain calls a kind of message. Old versions only say it through a method. */
export function typeOf(native: Fields): unknown {
  if (native.type !== undefined) return native.type;
  return typeof native._getType === 'function' ? native._getType() : undefined;
}

/** The role of the core message for a message of LangChain. */
export function roleOf(value: unknown, place: string): Message['role'] {
  const native = fieldsOf(value, place, 'Give messages of @langchain/core, such as new HumanMessage("hi").');
  const type = typeOf(native);
  switch (type) {
    case 'system':
    case 'developer':
      return 'system';
    case 'human':
      return 'user';
    case 'ai':
      return 'assistant';
    case 'tool':
    case 'function':
      return 'tool';
    case 'generic':
      return genericRoles[String(native.role).toLowerCase()] ?? 'user';
    case 'remove':
      throw nativeInvalid(
        'A RemoveMessage is not a message but an instruction to remove one',
        `${place}.type`,
        type,
        'Carry it out first: messagesStateReducer of @langchain/langgraph does.',
      );
    default:
      throw nativeInvalid(
        'The type is not known',
        `${place}.type`,
        type,
        'Use the messages of @langchain/core: system, human, ai, tool, function or generic.',
      );
  }
}

/** The role of a `ChatMessage` is free; what is none of these speaks to the model, as a user does. */
const genericRoles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  ai: 'assistant',
};

/** What LangChain keeps in a message for itself. */
const internal = /^lc_/;

/** The fields of a message that are data, for JSON. */
export function dataOf(native: Fields): Fields {
  const fields = Object.entries(native).filter(
    ([key, value]) => !internal.test(key) && value !== undefined && typeof value !== 'function',
  );
  return { type: typeOf(native), ...Object.fromEntries(fields) };
}

/** The calls of an assistant message, as LangChain read them from what the model wrote. */
export function listOf(native: Fields, field: 'tool_calls' | 'invalid_tool_calls'): readonly unknown[] {
  const list = native[field];
  return Array.isArray(list) ? list : [];
}

/** The old form of a call, which has no id. */
export function functionCallIn(native: Fields): Fields | undefined {
  const { additional_kwargs: more } = native;
  const call = isFields(more) ? more.function_call : undefined;
  return isFields(call) && listOf(native, 'tool_calls').length === 0 ? call : undefined;
}
