import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { checkShape } from './chat-rules.js';
import { responsesRequest } from './responses-shape.js';
import { notFound, type StoredItems } from './stored-items.js';

const outputs: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};
/** As OpenAI writes them in its errors. */
const spoken = (type: string) => type.replaceAll('_', ' ');

/** Refuses what OpenAI refuses in a request for a response. */
export function checkResponses(request: Fields, stored: StoredItems): void {
  checkShape(request, responsesRequest);
  const items = stored.inputOf(request);
  checkRoles(items);
  checkCalls(items);
  checkReasoning(items, stored);
  for (const item of items) if (item.type === 'compaction') checkSeal(item, stored);
  const trigger = items.findIndex(({ type }) => type === 'compaction_trigger');
  if (trigger >= 0 && trigger < items.length - 1)
    throw invalidInput("The 'compaction_trigger' item must be the last item in the input.");
}

const invalidInput = (message: string) => invalid(message, { param: 'input' });

function checkRoles(items: readonly Fields[]): void {
  for (const [index, { type = 'message', role, content }] of items.entries()) {
    if (type !== 'message' || !Array.isArray(content)) continue;
    const allowed =
      role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
    const at = content.findIndex((part: Fields) => !allowed.includes(String(part.type)));
    if (at < 0) continue;
    const names = new Intl.ListFormat('en').format(allowed.map((name) => `'${name}'`));
    throw invalid(`Invalid value: '${String(content[at].type)}'. Supported values are: ${names}.`, {
      param: `input[${index}].content[${at}]`,
      code: 'invalid_value',
    });
  }
}

function checkCalls(items: readonly Fields[]): void {
  const open = new Map<string, string>();
  for (const { type, call_id } of items) {
    const id = String(call_id);
    const output = outputs[String(type)];
    if (output !== undefined) open.set(id, output);
    else if (Object.values(outputs).includes(String(type))) {
      if (open.get(id) !== type)
        throw invalidInput(`No tool call found for ${spoken(String(type))} with call_id ${id}.`);
      open.delete(id);
    }
  }
  for (const [id, output] of open)
    throw invalidInput(`No tool output found for ${spoken(output.replace('_output', ''))} ${id}.`);
}

/** A reasoning item is before the item it led to, and that item after it. */
function checkReasoning(items: readonly Fields[], stored: StoredItems): void {
  const shown = new Set<string>();
  for (const [index, item] of items.entries()) {
    const [id, type] = [String(item.id), String(item.type)];
    const reasoning = stored.reasoningOf(item.id);
    if (type === 'reasoning') {
      checkSeal(item, stored);
      const next = items[index + 1];
      const isLed = outputs[String(next?.type)] !== undefined || next?.type === 'reasoning';
      if (!isLed && next?.role !== 'assistant')
        throw invalidInput(
          `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        );
      shown.add(id);
    } else if (reasoning !== undefined && !shown.has(reasoning))
      throw invalidInput(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
      );
  }
}

function checkSeal({ id, encrypted_content: text }: Fields, stored: StoredItems): void {
  if (typeof text !== 'string') {
    if (!stored.isStored(id)) throw notFound(id);
  } else if (!stored.isSealed(text))
    throw invalid(
      `The encrypted content ${text.slice(0, 4)}...${text.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      { code: 'invalid_encrypted_content' },
    );
}
