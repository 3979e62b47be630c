import { type Fields, isFields, listIn } from '../fields.js';

const roles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

/**
 * The role and the fields of a message that LangChain stored: `{ type, data }`, `{ lc, id: […, 'AIMessage'], kwargs }` as `JSON.stringify`
 * writes it, or its fields beside their `type`. Undefined for what is none.
 */
export function storedIn(message: Fields): { readonly role: string; readonly fields: Fields } | undefined {
  const { lc, id, kwargs, type, data } = message;
  if ('role' in message) return undefined;
  const isObject = typeof lc === 'number' && Array.isArray(id);
  const name = String(isObject ? id.at(-1) : type);
  const kind = name.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  const isFlat = kind === 'human' || kind === 'ai' || 'additional_kwargs' in message;
  const fields = isObject ? kwargs : isFields(data) ? data : isFlat ? message : undefined;
  if (!isFields(fields) || !('content' in fields)) return undefined;
  if (kind === 'chat' || kind === 'generic') return { role: roles[String(fields.role)] ?? 'user', fields };
  const role = Object.hasOwn(roles, kind) ? roles[kind] : undefined;
  return role === undefined ? undefined : { role, fields };
}

/** It as a `ModelMessage` of the AI SDK, whose codec reads it. */
export function fromLangChain(message: Fields): Fields[] {
  const stored = storedIn(message);
  if (stored === undefined) return [message];
  const { role, fields } = stored;
  if (role === 'tool') return [{ role, content: [resultIn(fields)] }];
  const blocks = blocksIn(fields.content);
  if (role === 'system') return [{ role, content: blocks.map(({ text }) => text ?? '').join('\n') }];
  const said = blocks.flatMap(partsOf);
  return [{ role, content: role === 'assistant' ? [...said, ...callsIn(fields, blocks)] : said }];
}

function blocksIn(content: unknown): Fields[] {
  if (typeof content !== 'string') return listIn(content);
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function partsOf(block: Fields): Fields[] {
  const { type, text, reasoning, thinking, url, data, image_url: image, source } = block;
  if (type === 'tool_use' || type === 'tool_call' || (type === 'text' && text === '')) return [];
  if (type === 'reasoning' || type === 'thinking')
    return [{ type: 'reasoning', text: thinking ?? reasoning ?? '' }];
  if (type !== 'image' && type !== 'image_url') return [block];
  const from = isFields(image) ? image : isFields(source) ? source : { url: image ?? url, data };
  const mediaType = from.media_type ?? block.mimeType ?? block.mime_type;
  return [{ type: 'image', image: from.url ?? from.data, ...(mediaType !== undefined && { mediaType }) }];
}

/** Each call once, though providers' own forms say it again. */
function callsIn(
  { tool_calls: calls, additional_kwargs: more }: Fields,
  blocks: readonly Fields[],
): Fields[] {
  const raw = listIn(isFields(more) ? more.tool_calls : undefined).map(({ id, function: called }) => ({
    id,
    ...(isFields(called) && { name: called.name, args: called.arguments }),
  }));
  const used = blocks.filter(({ type }) => type === 'tool_use' || type === 'tool_call');
  const byId = new Map<unknown, Fields>();
  for (const call of [...listIn(calls), ...raw, ...used]) if (!byId.has(call.id)) byId.set(call.id, call);
  return [...byId.values()].map(({ id, name, args, input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: args ?? input ?? {},
  }));
}

function resultIn({ tool_call_id: toolCallId, name, content, status }: Fields): Fields {
  const toolName = typeof name === 'string' && name !== '' ? name : 'unknown';
  const value = typeof content === 'string' || !Array.isArray(content) ? String(content ?? '') : undefined;
  const output =
    value === undefined
      ? { type: 'content', value: content }
      : { type: status === 'error' ? 'error-text' : 'text', value };
  return { type: 'tool-result', toolCallId, toolName, output };
}
