import { CtxError } from '@ctx/core';
import { CallNames, isFields, type NativeHistory, type NativeViolation } from '@ctx/core/codec';
import { isList, type Native, nativeAt, wholeRequest } from './blocks.js';
import { contentRules } from './content-rules.js';
import { decode } from './decode.js';
import type { AnthropicRequest, AnyMessage } from './native-message.js';
import { type Rule, requestOf } from './rule.js';
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
  const malformed = [...(system === undefined ? [] : formOf(system, -1)), ...messages.flatMap(formOf)];
  if (malformed.length > 0) return malformed;
  const checked = requestOf(system, messages);
  const all: Record<string, Rule> = { ...rules, 'thinking-bound': () => thinkingBound(request, before) };
  return Object.entries(all)
    .flatMap(([rule, check]) => check(checked).map(({ index, detail }) => ({ index, rule, detail })))
    .sort((a, b) => a.index - b.index);
}

/** A message has a known role and blocks of the right form, so that `toMessages` accepts it. */
function formOf(message: Native, index: number): NativeViolation[] {
  const place = index < 0 ? 'system' : `messages[${index}]`;
  try {
    decode(index < 0 ? message : nativeAt(message, place), new CallNames(), place);
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}
