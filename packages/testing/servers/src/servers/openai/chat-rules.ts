import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { misfitOf, type Shape } from '../shape.js';

/** Refuses what does not have the shape of a request. */
export function checkShape(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit === undefined) return;
  const { place: param, problem } = misfit;
  throw invalid(`Invalid value: '${param}' ${problem}.`, { param, code: 'invalid_value' });
}

/** Refuses what OpenAI refuses in a request for a chat completion. */
export function checkChat(request: Fields, shape: Shape): void {
  checkShape(request, shape);
  const messages = request.messages as Fields[];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = answered(open, messages, index);
    else checkAnswered(open, index);
    if (message.role === 'assistant') {
      checkContent(message, index);
      open = ((message.tool_calls ?? []) as Fields[]).map(({ id }) => String(id));
    }
  }
  checkAnswered(open, messages.length);
}

function answered(open: readonly string[], messages: readonly Fields[], index: number): string[] {
  const id = String(messages[index]?.tool_call_id);
  if (open.includes(id)) return open.filter((one) => one !== id);
  const before = messages[index - 1];
  if (before?.role === 'tool' || before?.tool_calls !== undefined)
    throw invalid(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      { param: `messages.[${index}].tool_call_id` },
    );
  throw invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function checkAnswered(open: readonly string[], index: number): void {
  if (open.length === 0) return;
  throw invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param: `messages.[${index}].role` },
  );
}

function checkContent({ content, tool_calls, function_call, refusal, audio }: Fields, index: number): void {
  if ([content, tool_calls, function_call, refusal, audio].some((one) => (one ?? undefined) !== undefined))
    return;
  const param = `messages.[${index}].content`;
  throw invalid(`Invalid value for 'content': expected a string, got null.`, { param });
}
