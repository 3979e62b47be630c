import { CtxError } from '@ctx/core';
import { type Fields, isFields, type NativeViolation } from '@ctx/core/codec';
import { listOf, roleOf, typeOf } from './native-message.js';
import { slotsOf } from './slots.js';

type Finding = Omit<NativeViolation, 'rule'>;

/**
 * Which rules a conversation breaks that the providers behind LangChain share; each is a reason for status 400. A conversation with malformed
 * messages only gets the violations of those. A value that is not a list has the index -1.
 */
export function validate(conversation: readonly unknown[]): NativeViolation[] {
  if (!Array.isArray(conversation))
    return [{ index: -1, rule: 'form', detail: 'A list of messages was expected.' }];
  const malformed = conversation.flatMap(formOf);
  if (malformed.length > 0) return malformed;
  return Object.entries(rules)
    .flatMap(([rule, check]) =>
      conversation
        .flatMap((message: Fields, index) => check(message, index, conversation))
        .map((one) => ({
          index: one.index,
          rule,
          detail: one.detail,
        })),
    )
    .sort((a, b) => a.index - b.index);
}

/** A message has a known type and fields of the right form, so that `toMessages` accepts it. */
function formOf(message: unknown, index: number): NativeViolation[] {
  try {
    slotsOf(message, { nameOf: () => undefined, isAnswered: () => true }, `messages[${index}]`);
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}

const rules: Record<string, (message: Fields, index: number, messages: readonly Fields[]) => Finding[]> = {
  /** INVALID_TOOL_RESULTS: "tool calls without the matching ToolMessages". */
  'tool-calls-answered': (message, index, messages) => {
    const answered = resultsAfter(messages, index).map(({ id }) => id);
    return callIdsOf(message)
      .filter((id) => !answered.includes(id))
      .map((id) => ({ index, detail: `The call "${id}" has no ToolMessage right after it.` }));
  },

  /** A provider refuses a result without its call in the message before. */
  'tool-result-has-call': (message, index, messages) => {
    if (typeOf(message) !== 'tool') return [];
    const asked = messages.slice(0, index).findLast((one) => typeOf(one) !== 'tool');
    const ids =
      asked === undefined ? [] : [...callIdsOf(asked), ...idsIn(listOf(asked, 'invalid_tool_calls'))];
    return ids.includes(message.tool_call_id)
      ? []
      : [{ index, detail: `The AIMessage before it makes no call "${message.tool_call_id}".` }];
  },

  /** A call has one result. */
  'tool-result-once': (_message, index, messages) => {
    const results = resultsAfter(messages, index);
    return results
      .filter(({ id }, at) => results.findIndex((one) => one.id === id) < at)
      .map((one) => ({ index: one.index, detail: `The call "${one.id}" is answered twice.` }));
  },

  /** A result finds its call by the id, so the ids in one message must differ. */
  'tool-call-id-unique': (message, index) => {
    const ids = callIdsOf(message);
    return ids
      .filter((id, at) => ids.indexOf(id) < at)
      .map((id) => ({ index, detail: `Two calls have the id "${id}".` }));
  },

  /** A message has content. Only the result of a tool, or the text next to a call, may be empty. */
  'content-not-empty': (message, index) =>
    isSilent(message) ? [{ index, detail: `The message of type "${typeOf(message)}" is empty.` }] : [],
};

/** The tool messages right after an assistant message; none after another one. */
function resultsAfter(messages: readonly Fields[], index: number): { index: number; id: unknown }[] {
  const message = messages[index];
  if (message === undefined || roleOf(message, '') !== 'assistant') return [];
  const end = messages.findIndex((one, at) => at > index && typeOf(one) !== 'tool');
  return messages
    .slice(index + 1, end < 0 ? undefined : end)
    .map((one, at) => ({ index: index + 1 + at, id: one.tool_call_id }));
}

function callIdsOf(message: Fields): unknown[] {
  return typeOf(message) === 'ai' ? idsIn(listOf(message, 'tool_calls')) : [];
}

function idsIn(calls: readonly unknown[]): unknown[] {
  return calls.map((call) => (isFields(call) ? call.id : undefined));
}

function isSilent(message: Fields): boolean {
  const { content, additional_kwargs: more } = message;
  if (roleOf(message, '') === 'tool' || callIdsOf(message).length > 0) return false;
  if (isFields(more) && isFields(more.function_call)) return false;
  if (!Array.isArray(content)) return content === '' || content === undefined || content === null;
  return content.every((block) => isFields(block) && block.type === 'text' && block.text === '');
}
