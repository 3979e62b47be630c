import {
  type Fields,
  isFields,
  malformed,
  type NativeViolation,
  pairRules,
  type Rules,
  violationsOf,
} from '@ctx/core/codec';
import type { Form } from './form.js';
import { slotsOf } from './slots.js';

/** The parts that a message of each role may hold, in versions 5 to 7. */
const partsOfRole: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'file'],
  assistant: [
    'text',
    'file',
    'reasoning',
    'reasoning-file',
    'custom',
    'tool-call',
    'tool-result',
    'tool-approval-request',
  ],
  tool: ['tool-result', 'tool-approval-response'],
};

const outputTypes = ['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied'];

/**
 * Which rules of the AI SDK a conversation breaks; it throws an error for each, or its providers do. A conversation with malformed messages
 * only gets the violations of those. A value that is not a list has the index -1.
 */
export function validate(form: Form, conversation: readonly unknown[]): NativeViolation[] {
  if (!Array.isArray(conversation))
    return [{ index: -1, rule: 'form', detail: 'A list of messages was expected.' }];
  if (conversation.length === 0)
    return [{ index: -1, rule: 'messages-not-empty', detail: 'The SDK refuses a call without messages.' }];
  const unread = conversation.flatMap((message, index) =>
    // So that `toMessages` accepts it.
    malformed(index, () => slotsOf(message, unknownCalls, `messages[${index}]`)),
  );
  if (unread.length > 0) return unread;
  return violationsOf(
    form.isTextContent ? rulesOfMessages : { ...rulesOfMessages, ...rulesOfPrompts },
    conversation,
  );
}

const unknownCalls = { nameOf: () => undefined, isAnswered: () => true, approvedBy: () => undefined };

const rulesOfMessages: Rules<readonly Fields[]> = {
  ...pairRules<Fields>({
    callsOf: (message) => partsIn(message, 'tool-call').map(({ toolCallId }) => toolCallId),
    resultsOf: (message) =>
      message.role === 'tool'
        ? partsIn(message, 'tool-result').map(({ toolCallId }) => toolCallId)
        : undefined,
  }),

  /** "Tool results are missing for tool calls …": a call has its result before the next message of a user or the system. */
  'tool-calls-answered': (messages) =>
    messages.flatMap((message, index) => {
      const end = messages.findIndex(({ role }, at) => at > index && (role === 'user' || role === 'system'));
      const later = messages.slice(index + 1, end < 0 ? undefined : end);
      const answered = later.flatMap((one) => resultsOf(one).map(({ toolCallId }) => toolCallId));
      const pending = end < 0 ? approvedAtTheEnd(messages) : [];
      return callsOf(message)
        .filter(({ toolCallId }) => !answered.includes(toolCallId) && !pending.includes(toolCallId))
        .map(({ toolCallId }) => ({
          index,
          detail: `The call "${toolCallId}" has no result in a tool message.`,
        }));
    }),

  /** "The messages do not match the ModelMessage[] schema." */
  'part-of-role': (messages) =>
    messages.flatMap((message, index) =>
      listOf(message)
        .filter(({ type }) => !partsOfRole[String(message.role)]?.includes(String(type)))
        .map(({ type }) => ({
          index,
          detail: `A message of the role "${message.role}" holds no "${type}".`,
        })),
    ),

  /** The same, of the output of a tool. */
  'output-type': (messages) =>
    messages.flatMap((message, index) =>
      partsIn(message, 'tool-result').flatMap(({ output }) => {
        const type = isFields(output) ? String(output.type) : '';
        return outputTypes.includes(type) ? [] : [{ index, detail: `An output has no type "${type}".` }];
      }),
    ),

  /** Empty texts are left out, and what remains is refused by providers. */
  'content-not-empty': (messages) =>
    messages.flatMap((message, index) =>
      isSilent(message) ? [{ index, detail: `The ${message.role} message is empty.` }] : [],
    ),
};

const rulesOfPrompts: Rules<readonly Fields[]> = {
  /** Only the system's content is a text. */
  'content-list': (messages) =>
    messages.flatMap((message, index) =>
      message.role !== 'system' && typeof message.content === 'string'
        ? [{ index, detail: `The content of a ${message.role} message is a list of parts.` }]
        : [],
    ),
};

/** Calls that the SDK runs before it asks the model, because the last message approves of them. */
function approvedAtTheEnd(messages: readonly Fields[]): unknown[] {
  const last = messages.at(-1);
  const approvals = last === undefined ? [] : partsIn(last, 'tool-approval-response');
  const requests = messages.flatMap((message) => partsIn(message, 'tool-approval-request'));
  return approvals.map(
    ({ approvalId }) => requests.findLast((request) => request.approvalId === approvalId)?.toolCallId,
  );
}

function isSilent({ role, content }: Fields): boolean {
  if (role === 'tool' || role === 'system') return false;
  if (!Array.isArray(content)) return content === '';
  return content.every((part) => part.type === 'text' && part.text === '' && part.providerOptions == null);
}

/** Calls whose results the SDK asks for: the provider answers its own. */
function callsOf(message: Fields): Fields[] {
  if (message.role !== 'assistant') return [];
  return partsIn(message, 'tool-call').filter(({ providerExecuted }) => providerExecuted !== true);
}

function resultsOf(message: Fields): Fields[] {
  return message.role === 'tool' ? partsIn(message, 'tool-result') : [];
}

function partsIn(message: Fields, type: string): Fields[] {
  return listOf(message).filter((part) => part.type === type);
}

function listOf({ content }: Fields): Fields[] {
  return Array.isArray(content) ? content.filter(isFields) : [];
}
