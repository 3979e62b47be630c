import { type Fields, isFields, otherFields } from '@ctx/core';

const messageFields = ['role', 'content', 'refusal', 'audio', 'tool_calls', 'function_call', 'tool_call_id'];
const itemFields: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  image_url: ['type', 'image_url'],
  file: ['type', 'file'],
};

/** The places of fields that no part holds, such as `content[0].image_url.detail`. Another provider's form loses them. */
export function carriedBy(message: Fields): string[] {
  const { role, content, tool_calls: calls, function_call: call } = message;
  const known = role === 'function' ? [...messageFields, 'name'] : messageFields;
  return [
    ...otherFields(message, known, ''),
    ...each(content, 'content', carriedByItem),
    ...each(calls, 'tool_calls', carriedByCall),
    ...inside(call, ['name', 'arguments'], 'function_call'),
  ];
}

/** Items of other types are opaque parts, which hold all their fields. */
function carriedByItem(item: Fields, place: string): string[] {
  const known = itemFields[String(item.type)];
  if (known === undefined) return [];
  return [
    ...otherFields(item, known, place),
    ...inside(item.image_url, ['url'], `${place}.image_url`),
    ...inside(item.file, ['file_data', 'file_id', 'filename'], `${place}.file`),
  ];
}

function carriedByCall(call: Fields, place: string): string[] {
  return [
    ...otherFields(call, ['id', 'type', 'function', 'custom'], place),
    ...inside(call.function, ['name', 'arguments'], `${place}.function`),
    ...inside(call.custom, ['name', 'input'], `${place}.custom`),
  ];
}

function each(list: unknown, place: string, carried: (item: Fields, place: string) => string[]): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => (isFields(item) ? carried(item, `${place}[${index}]`) : []));
}

function inside(fields: unknown, known: readonly string[], place: string): string[] {
  return isFields(fields) ? otherFields(fields, known, place) : [];
}
