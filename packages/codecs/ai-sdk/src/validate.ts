import { CtxError } from '@ctx/core';
import { type Fields, isFields, type NativeViolation } from '@ctx/core/codec';
import type { Form } from './form.js';
import { slotsOf } from './slots.js';

type Finding = Omit<NativeViolation, 'rule'>;

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
  const malformed = conversation.flatMap(formOf);
  if (malformed.length > 0) return malformed;
  const rules = form.isTextContent ? rulesOfMessages : { ...rulesOfMessages, ...rulesOfPrompts };
  return Object.entries(rules)
    .flatMap(([rule, check]) => check(conversation).map(({ index, detail }) => ({ index, rule, detail })))
    .sort((a, b) => a.index - b.index);
}

/** A message has a known role and fields of the right type, so that `toMessages` accepts it. */
function formOf(message: unknown, index: number): NativeViolation[] {
  try {
    slotsOf(
      message,
      { nameOf: () => undefined, isAnswered: () => true, approvedBy: () => undefined },
      `messages[${index}]`,
    );
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}

const rulesOfMessages: Record<string, (messages: readonly Fields[]) => Finding[]> = {
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

  /** A provider refuses a result without its call in the assistant message before it. */
  'tool-result-has-call': (messages) =>
    messages.flatMap((message, index) => {
      if (message.role !== 'tool') return [];
      const asked = messages.slice(0, index).findLast(({ role }) => role !== 'tool');
      const ids = asked === undefined ? [] : partsIn(asked, 'tool-call').map(({ toolCallId }) => toolCallId);
      return resultsOf(message)
        .filter(({ toolCallId }) => !ids.includes(toolCallId))
        .map(({ toolCallId }) => ({ index, detail: `The message before it makes no call "${toolCallId}".` }));
    }),

  /** A call has one result. */
  'tool-result-once': (messages) =>
    messages.flatMap((message, index) => {
      if (message.role !== 'assistant') return [];
      const end = messages.findIndex(({ role }, at) => at > index && role !== 'tool');
      const results = messages
        .slice(index + 1, end < 0 ? undefined : end)
        .flatMap((one, at) =>
          resultsOf(one).map(({ toolCallId }) => ({ toolCallId, index: index + 1 + at })),
        );
      return results
        .filter(({ toolCallId }, at) => results.findIndex((one) => one.toolCallId === toolCallId) < at)
        .map((one) => ({ index: one.index, detail: `The call "${one.toolCallId}" is answered twice.` }));
    }),

  /** A result finds its call by the id, so the ids in one message must differ. */
  'tool-call-id-unique': (messages) =>
    messages.flatMap((message, index) => {
      const ids = partsIn(message, 'tool-call').map(({ toolCallId }) => toolCallId);
      return ids
        .filter((id, at) => ids.indexOf(id) < at)
        .map((id) => ({ index, detail: `Two calls have the id "${id}".` }));
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

const rulesOfPrompts: typeof rulesOfMessages = {
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
