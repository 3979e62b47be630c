import { CtxError } from '@ctx/core';
import { isFields, type NativeViolation } from '@ctx/core/codec';
import type { ChatMessage, ChatToolCall } from './chat-message.js';
import { slotsOf } from './slots.js';

type Finding = Omit<NativeViolation, 'rule'>;
type Rule = (messages: readonly ChatMessage[]) => Finding[];

/**
 * Which rules of the Chat Completions API a conversation breaks; each is a reason for its status 400. A conversation with malformed
 * messages only gets the violations of those. A value that is not a list has the index -1.
 */
export function validate(conversation: readonly object[]): NativeViolation[] {
  if (!Array.isArray(conversation))
    return [{ index: -1, rule: 'form', detail: 'A list of messages was expected.' }];
  const messages = conversation as readonly ChatMessage[];
  const malformed = messages.flatMap(formOf);
  if (malformed.length > 0) return malformed;
  return Object.entries(rules)
    .flatMap(([rule, check]) => check(messages).map(({ index, detail }) => ({ index, rule, detail })))
    .sort((a, b) => a.index - b.index);
}

/** A message has a known role and fields of the right type, so that `toMessages` accepts it. */
function formOf(message: ChatMessage, index: number): NativeViolation[] {
  try {
    slotsOf(message, { nameOf: () => undefined }, `messages[${index}]`);
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}

const rules: Record<string, Rule> = {
  /** "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'." */
  'tool-calls-answered': (messages) =>
    messages.flatMap((message, index) => {
      const answered = new Set(resultsAfter(messages, index).map((result) => result.id));
      return callIdsOf(message)
        .filter((id) => !answered.has(id))
        .map((id) => ({ index, detail: `The call "${id}" has no tool message right after it.` }));
    }),

  /** "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'." */
  'tool-result-has-call': (messages) => {
    const answers = new Set(
      messages.flatMap((message, index) => {
        const calls = callIdsOf(message);
        return resultsAfter(messages, index)
          .filter(({ id }) => calls.includes(id))
          .map((result) => result.index);
      }),
    );
    return messages.flatMap((message, index) =>
      message.role === 'tool' && !answers.has(index)
        ? [{ index, detail: `The assistant message before it makes no call "${message.tool_call_id}".` }]
        : [],
    );
  },

  /** A call has one result. */
  'tool-result-once': (messages) =>
    messages.flatMap((_, index) =>
      repeated(resultsAfter(messages, index), (result) => result.id).map((result) => ({
        index: result.index,
        detail: `The call "${result.id}" is answered twice.`,
      })),
    ),

  /** A result finds its call by the id, so the ids in one message must differ. A later message may reuse them. */
  'tool-call-id-unique': (messages) =>
    messages.flatMap((message, index) =>
      repeated(callIdsOf(message), (id) => id).map((id) => ({
        index,
        detail: `Two calls have the id "${id}".`,
      })),
    ),

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

interface Result {
  readonly index: number;
  readonly id: string;
}

/** The tool messages right after an assistant message; none after another one. */
function resultsAfter(messages: readonly ChatMessage[], index: number): Result[] {
  const results: Result[] = [];
  if (messages[index]?.role !== 'assistant') return results;
  for (let next = index + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool') break;
    results.push({ index: next, id: message.tool_call_id });
  }
  return results;
}

function callsOf(message: ChatMessage): readonly ChatToolCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

/** By what it holds, as it is read; its type may say something else. */
function isCustom(call: ChatToolCall): call is Extract<ChatToolCall, { type: 'custom' }> {
  return 'custom' in call && isFields(call.custom);
}

function callIdsOf(message: ChatMessage): string[] {
  return callsOf(message).map((call) => call.id);
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

/** The items with a key that an earlier item has. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    const again = seen.has(key);
    seen.add(key);
    return again;
  });
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
