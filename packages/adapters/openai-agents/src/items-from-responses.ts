import { type Fields, isFields } from '@ctx/core/codec';
import { contentFromResponses } from './content-forms.js';
import { linkOf, withoutLink } from './link.js';

/** The SDK's items for those of the Responses API: the same where no edit touched them, otherwise copies with what was edited. */
export function fromResponses(items: readonly object[]): Fields[] {
  const names = new Map<unknown, unknown>();
  return (items as readonly Fields[]).map((item) => {
    if (item.type === 'function_call') names.set(item.call_id, item.name);
    const link = linkOf(item);
    if (link?.isSame) return link.from;
    return itemOf(item, link === undefined ? undefined : withoutLostId(link.from, item), names);
  });
}

/** An item without the reasoning that led to it has no id. */
function withoutLostId(before: Fields, { id }: Fields): Fields {
  if (id !== undefined) return before;
  const { id: _lost, ...rest } = before;
  return rest;
}

function itemOf(item: Fields, before: Fields | undefined, names: ReadonlyMap<unknown, unknown>): Fields {
  const callId = item.call_id;
  switch (item.type) {
    case undefined:
    case null:
    case 'message':
      return messageOf(item, before);
    case 'function_call': {
      const { name, arguments: text } = item;
      const made = { type: 'function_call', status: 'completed' };
      return { ...(before ?? made), callId, name, arguments: text };
    }
    case 'function_call_output': {
      const name = names.get(callId) ?? 'unknown';
      const made = { type: 'function_call_result', name, status: 'completed' };
      return { ...(before ?? made), callId, output: outputOf(item.output) };
    }
    case 'computer_call_output': {
      const { image_url: data, ...screenshot } = isFields(item.output) ? item.output : {};
      return { ...(before ?? { type: 'computer_call_result' }), callId, output: { ...screenshot, data } };
    }
    case 'shell_call_output':
      return { ...(before ?? { type: item.type }), callId, output: chunksOf(item.output) };
    default: {
      // Calls and their outputs have the same fields in both forms, but for the id of the call.
      const { call_id: _id, caller: _caller, ...fields } = withoutLink(item);
      return { ...fields, ...(before?.caller !== undefined && { caller: before.caller }), callId };
    }
  }
}

function messageOf({ role, content }: Fields, before: Fields | undefined): Fields {
  const parts = Array.isArray(content) ? content.map(contentFromResponses) : content;
  if (role !== 'assistant') return { ...(before ?? { type: 'message', role }), content: parts };
  const said = typeof parts === 'string' ? [{ type: 'output_text', text: parts }] : parts;
  return { ...(before ?? { type: 'message', role, status: 'completed' }), content: said };
}

function outputOf(output: unknown): unknown {
  return Array.isArray(output) ? output.map(contentFromResponses) : output;
}

function chunksOf(output: unknown): unknown {
  if (!Array.isArray(output)) return output;
  return output.map((chunk: unknown) => {
    if (!isFields(chunk) || !isFields(chunk.outcome)) return chunk;
    const { exit_code: code, ...outcome } = chunk.outcome;
    return code === undefined ? chunk : { ...chunk, outcome: { ...outcome, exitCode: code } };
  });
}
