import {
  CallNames,
  isFields,
  malformed,
  type NativeHistory,
  type NativeViolation,
  violationsOf,
} from '@ctx/core/codec';
import { isList, type Native, nativeAt, wholeRequest } from './blocks.js';
import { contentRules } from './content-rules.js';
import { decode } from './decode.js';
import type { AnthropicRequest, AnyMessage } from './native-message.js';
import { type Request, requestOf } from './rule.js';
import { serverToolRules } from './server-tools.js';
import { thinkingBound } from './thinking-bound.js';
import { toolRules } from './tool-rules.js';

const rules = { ...contentRules, ...toolRules, ...serverToolRules };

/**
 * Which rules of the Messages API a conversation breaks; each is a reason for its status 400. The system prompt has the index -1. A
 * conversation with malformed messages only gets the violations of those.
 * @param history the earlier requests; with them the result also lists thinking that is bound to another prefix
 * @throws ValidationError `native-invalid` if a message of an earlier request is malformed
 */
export function validate(
  conversation: AnthropicRequest | readonly AnyMessage[],
  { before = [] }: NativeHistory<AnthropicRequest> = {},
): NativeViolation[] {
  const request = wholeRequest(conversation);
  if (!isFields(request) || !isList(request.messages))
    return [{ index: -1, rule: 'form', detail: 'A request with a list of messages was expected.' }];
  const { messages } = request;
  const system =
    request.system === undefined ? undefined : ({ role: 'system', content: request.system } as Native);
  const unread = [
    ...(system === undefined ? [] : malformed(-1, () => decode(system, new CallNames(), 'system'))),
    ...messages.flatMap((message, index) => {
      const place = `messages[${index}]`;
      return malformed(index, () => decode(nativeAt(message, place), new CallNames(), place));
    }),
  ];
  if (unread.length > 0) return unread;
  const all = { ...rules, 'thinking-bound': () => thinkingBound(request, before) };
  return violationsOf<Request>(all, requestOf(system, messages));
}
