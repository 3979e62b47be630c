import { isErrorResult, type Message, messageText, partText, toolCallsOf } from '@ctx/core';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ClearToolUsesEdit } from 'langchain';
import { grouped } from '../averages.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';

/** The same messages in LangChain's form; an id tells the message and part of each. */
export function toLangChain(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message, index): BaseMessage[] => {
    const fields = { id: String(index), content: messageText(message) };
    switch (message.role) {
      case 'system':
        return [new SystemMessage(fields)];
      case 'user':
        return [new HumanMessage(fields)];
      case 'assistant':
        return [
          new AIMessage({
            ...fields,
            tool_calls: toolCallsOf(message).map((call) => ({
              id: call.toolCallId,
              name: call.toolName,
              args: call.input as Record<string, unknown>,
            })),
          }),
        ];
      case 'tool':
        return message.content.map(
          (part, position) =>
            new ToolMessage({
              id: `${index}:${position}`,
              name: part.toolName,
              content: partText(part) ?? '',
              tool_call_id: part.toolCallId,
              status: isErrorResult(part) ? 'error' : 'success',
            }),
        );
      default:
        return message satisfies never;
    }
  });
}

/** Converts back: the remaining messages, with their results as they are now. */
export function fromLangChain(
  left: readonly (BaseMessage | undefined)[],
  messages: readonly Message[],
): Message[] {
  const results = messages.flatMap((message, index) =>
    message.role === 'tool'
      ? message.content.map((part, position) => ({ message, part, index, position }))
      : [],
  );
  const byId = new Map(results.map((one) => [`${one.index}:${one.position}`, one]));
  const byCall = grouped(results, ({ part }) => part.toolCallId);
  let before = -1;
  /** The position of the message whose results come in a row: they become one message again. */
  let resultsOf = -1;
  const result: Message[] = [];
  for (const one of left) {
    // trimMessages returns [undefined] if not even the system prompt fits.
    if (one === undefined) continue;
    if (!ToolMessage.isInstance(one)) {
      before = Number(one.id);
      resultsOf = -1;
      result.push(messages[before] as Message);
      continue;
    }
    // A cleared result has no id; call ids may be reused.
    const original =
      byId.get(one.id ?? '') ?? byCall.get(one.tool_call_id)?.find(({ index }) => index > before);
    if (original === undefined) continue;
    const { message, part, index } = original;
    const text = String(one.content);
    const shown = text === partText(part) ? part : { ...part, output: text };
    const last = result.at(-1);
    if (index === resultsOf && last?.role === 'tool')
      result[result.length - 1] = { ...last, content: [...last.content, shown] };
    else if (shown === part && message.content.length === 1) result.push(message);
    else result.push({ ...message, content: [shown] } as Message);
    resultsOf = index;
  }
  return result;
}

/** Counts as for all candidates, but each message only once, because LangChain asks for the same messages again and again. */
function counterFor(chain: readonly BaseMessage[], messages: readonly Message[], tokensOf: CountTokens) {
  const known = new Map(
    chain.map(({ id, content, name }) => {
      const [index, part] = String(id).split(':');
      const tokens =
        part === undefined
          ? tokensOf(messages[Number(index)] as Message)
          : tokensOf.text(name ?? '') + tokensOf.text(String(content));
      return [id, tokens];
    }),
  );
  return (counted: readonly BaseMessage[]) =>
    counted.reduce((sum, { id, content }) => sum + (known.get(id) ?? tokensOf.text(String(content))), 0);
}

/**
 * `trimMessages` as its documentation recommends it for chats. It only gets the newest messages, up to twice the budget: older ones can't
 * be in its result, and its time grows with the square of its input. A prompt of the system that is in between never becomes the first.
 */
export async function trim(messages: readonly Message[], budget: number, tokensOf: CountTokens) {
  const chain = toLangChain(messages);
  const tokenCounter = counterFor(chain, messages, tokensOf);
  const system = chain.slice(0, SystemMessage.isInstance(chain[0]) ? 1 : 0);
  const rest = chain.slice(system.length);
  let tokens = 0;
  const from = rest.findLastIndex((one) => {
    tokens += tokenCounter([one]);
    return tokens > 2 * budget && (system.length > 0 || !SystemMessage.isInstance(one));
  });
  const trimmed = await trimMessages([...system, ...rest.slice(Math.max(0, from))], {
    maxTokens: budget,
    tokenCounter,
    strategy: 'last',
    startOn: 'human',
    includeSystem: true,
  });
  return fromLangChain(trimmed, messages);
}

/** The number of newest results that it keeps, as many as fit the budget. */
const kept = [100, 50, 30, 20, 15, 10, 7, 5, 3, 2, 1, 0];

/** Only needed for limits that are a share of a model's window. */
const model = new FakeListChatModel({ responses: [''] });

export async function clearToolUses(messages: readonly Message[], budget: number, tokensOf: CountTokens) {
  const results = messages.reduce((sum, one) => sum + (one.role === 'tool' ? one.content.length : 0), 0);
  let left: readonly Message[] = messages;
  for (const keep of kept.filter((count) => count < results)) {
    const chain = toLangChain(messages);
    const edit = new ClearToolUsesEdit({ trigger: { messages: 1 }, keep: { messages: keep } });
    await edit.apply({ messages: chain, countTokens: () => 1, model });
    left = fromLangChain(chain, messages);
    if (totalTokens(left, tokensOf) <= budget) break;
  }
  return left;
}
