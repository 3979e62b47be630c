import { type Fields, isFields } from '@ctx/core/codec';
import { Refusal } from '../refusal.js';
import { misfitOf } from '../shape.js';
import { chatRequest } from './shape.js';

export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, { error: message });
}

/** Refuses what Ollama can't read, and what its templates would render without saying that it makes no sense. */
export function checkChat(request: Fields): void {
  const misfit = misfitOf(chatRequest, request);
  if (misfit !== undefined) throw invalid(`json: ChatRequest.${misfit.place} ${misfit.problem}`);
  let open: Fields[] = [];
  for (const [index, message] of (request.messages as Fields[]).entries()) {
    checkImages(message);
    if (message.role === 'tool') open = answered(open, message, index);
    else if (open.length > 0) throw invalid(`messages[${index}]: ${open.length} calls have no result`);
    open = message.role === 'assistant' ? callsOf(message) : open;
  }
  if (open.length > 0) throw invalid(`${open.length} calls have no result`);
}

export const callsOf = ({ tool_calls = [] }: Fields) => tool_calls as Fields[];
export const nameOf = (call: Fields) => String(isFields(call.function) ? call.function.name : '');

/** The calls that are still open after a result. */
function answered(open: readonly Fields[], { tool_name, tool_call_id }: Fields, index: number): Fields[] {
  const at = open.findIndex(
    (call) => nameOf(call) === tool_name && (tool_call_id === undefined || call.id === tool_call_id),
  );
  if (at < 0) throw invalid(`messages[${index}]: no call of "${String(tool_name)}" waits for a result`);
  return open.filter((_, other) => other !== at);
}

function checkImages({ images = [] }: Fields): void {
  if ((images as string[]).some((image) => !/^[A-Za-z0-9+/]+={0,2}$/.test(image)))
    throw invalid('illegal base64 data at input byte 0');
}
