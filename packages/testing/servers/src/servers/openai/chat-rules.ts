import type { Fields } from '@ctx/core/codec';
import { misfitOf, type Shape } from '../shape.js';
import { invalid, unfitting } from './words.js';

/** Refuses what OpenAI refuses in a request for a chat completion. */
export function checkChat(request: Fields, shape: Shape): void {
  const misfit = misfitOf(shape, request);
  if (misfit !== undefined) throw unfitting(misfit);
  const messages = request.messages as Fields[];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') open = answered(open, messages, index);
    else if (open.length > 0) throw unanswered(open, `messages.[${index}].role`);
    if (message.role === 'assistant') {
      checkContent(message, index);
      open = callIds(message);
    }
  }
  if (open.length > 0) throw unanswered(open, `messages.[${messages.length}].role`);
}

const callIds = ({ tool_calls = [] }: Fields) => (tool_calls as Fields[]).map(({ id }) => String(id));

function answered(open: readonly string[], messages: readonly Fields[], index: number): string[] {
  const id = String(messages[index]?.tool_call_id);
  if (open.includes(id)) return open.filter((one) => one !== id);
  const before = messages[index - 1];
  if (before?.role === 'tool' || before?.tool_calls !== undefined) {
    throw invalid(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      { param: `messages.[${index}].tool_call_id` },
    );
  }
  throw invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function unanswered(open: readonly string[], param: string) {
  return invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param },
  );
}

function checkContent({ content, tool_calls, function_call, refusal, audio }: Fields, index: number): void {
  const others = [tool_calls, function_call, refusal, audio];
  if ((content ?? undefined) !== undefined || others.some((one) => (one ?? undefined) !== undefined)) return;
  throw invalid(`Invalid value for 'content': expected a string, got null.`, {
    param: `messages.[${index}].content`,
  });
}
