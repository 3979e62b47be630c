import {
  type Fields,
  isFields,
  malformed,
  type NativeViolation,
  pairRules,
  type Rules,
  violationsOf,
} from '@ctx/core/codec';
import { listOf, roleOf, typeOf } from './native-message.js';
import { slotsOf } from './slots.js';

/**
 * Which rules a conversation breaks that the providers behind LangChain share; each is a reason for status 400. A conversation with malformed
 * messages only gets the violations of those. A value that is not a list has the index -1.
 */
export function validate(conversation: readonly unknown[]): NativeViolation[] {
  if (!Array.isArray(conversation))
    return [{ index: -1, rule: 'form', detail: 'A list of messages was expected.' }];
  const unread = conversation.flatMap((message, index) =>
    // So that `toMessages` accepts it.
    malformed(index, () => slotsOf(message, unknownCalls, `messages[${index}]`)),
  );
  return unread.length > 0 ? unread : violationsOf(rules, conversation);
}

const unknownCalls = { nameOf: () => undefined, isAnswered: () => true };

const rules: Rules<readonly Fields[]> = {
  // INVALID_TOOL_RESULTS: "tool calls without the matching ToolMessages".
  ...pairRules<Fields>({
    callsOf: callIdsOf,
    answerableOf: (message) => [...callIdsOf(message), ...idsIn(listOf(message, 'invalid_tool_calls'))],
    resultsOf: (message) => (typeOf(message) === 'tool' ? [message.tool_call_id] : undefined),
  }),

  /** A message has content. Only the result of a tool, or the text next to a call, may be empty. */
  'content-not-empty': (messages) =>
    messages.flatMap((message, index) =>
      isSilent(message) ? [{ index, detail: `The message of type "${typeOf(message)}" is empty.` }] : [],
    ),
};

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
