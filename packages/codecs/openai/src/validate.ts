import {
  type Finding,
  isFields,
  malformed,
  type NativeViolation,
  pairRules,
  type Rules,
  violationsOf,
} from '@ctx/core/codec';
import type { ChatMessage, ChatToolCall } from './chat-message.js';
import { slotsOf } from './slots.js';

/**
 * Which rules of the Chat Completions API a conversation breaks; each is a reason for its status 400. A conversation with malformed
 * messages only gets the violations of those. A value that is not a list has the index -1.
 */
export function validate(conversation: readonly object[]): NativeViolation[] {
  if (!Array.isArray(conversation))
    return [{ index: -1, rule: 'form', detail: 'A list of messages was expected.' }];
  const messages = conversation as readonly ChatMessage[];
  const unread = messages.flatMap((message, index) =>
    // So that `toMessages` accepts it.
    malformed(index, () => slotsOf(message, { nameOf: () => undefined }, `messages[${index}]`)),
  );
  return unread.length > 0 ? unread : violationsOf(rules, messages);
}

const rules: Rules<readonly ChatMessage[]> = {
  // "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  // "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
  ...pairRules<ChatMessage>({
    callsOf: (message) => callsOf(message).map(({ id }) => id),
    resultsOf: (message) => (message.role === 'tool' ? [message.tool_call_id] : undefined),
  }),

  /** "[] is too short - 'messages.1.tool_calls'" */
  'tool-calls-not-empty': (messages) =>
    messages.flatMap((message, index) =>
      message.role === 'assistant' && message.tool_calls?.length === 0
        ? [{ index, detail: 'An empty list of tool calls is refused; leave the field out.' }]
        : [],
    ),

  /** The arguments of a call are a string of JSON. Models sometimes write another string. */
  'arguments-json': (messages) =>
    eachCall(messages, (call) =>
      !isCustom(call) && !isJson(call.function.arguments)
        ? `The arguments of the call "${call.id}" are not JSON.`
        : undefined,
    ),

  /** "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'", of at most 64 characters. */
  'tool-name': (messages) =>
    eachCall(messages, (call) => {
      const { name } = isCustom(call) ? call.custom : call.function;
      return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
        ? undefined
        : `The tool name ${JSON.stringify(name)} has other characters or is too long.`;
    }),

  /** A message has content. Only the result of a tool, or the text next to a call, may be empty. */
  'content-not-empty': (messages) =>
    messages.flatMap((message, index) =>
      isSilent(message) ? [{ index, detail: `The ${message.role} message is empty.` }] : [],
    ),
};

function callsOf(message: ChatMessage): readonly ChatToolCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

/** By what it holds, as it is read; its type may say something else. */
function isCustom(call: ChatToolCall): call is Extract<ChatToolCall, { type: 'custom' }> {
  return 'custom' in call && isFields(call.custom);
}

function eachCall(
  messages: readonly ChatMessage[],
  check: (call: ChatToolCall) => string | undefined,
): Finding[] {
  return messages.flatMap((message, index) =>
    callsOf(message).flatMap((call) => {
      const detail = check(call);
      return detail === undefined ? [] : [{ index, detail }];
    }),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isSilent(message: ChatMessage): boolean {
  if (message.role === 'tool' || message.role === 'function') return false;
  if (message.role === 'assistant') {
    const { function_call: called, refusal, audio } = message;
    if (callsOf(message).length > 0 || called || refusal || audio) return false;
  }
  const content = message.content ?? '';
  return typeof content === 'string'
    ? content === ''
    : content.every((part) => part.type === 'text' && part.text === '');
}
