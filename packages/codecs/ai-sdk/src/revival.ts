import { type Fields, isFields } from '@ctx/core/codec';
import type { Form } from './form.js';
import { isUrl, urlOf } from './media.js';

/** A message of a snapshot, in which URL objects have become texts, as the SDK takes it; any other message is the same object. */
export function revived(form: Form, message: Fields): Fields {
  const content = revivedList(form, message.content);
  return content === message.content ? message : { ...message, content };
}

function revivedList(form: Form, list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const items = list.map((item) => (isFields(item) ? revivedPart(form, item) : item));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function revivedPart(form: Form, part: Fields): Fields {
  if (part.type === 'tool-result') {
    const { output } = part;
    if (!isFields(output)) return part;
    const value = revivedList(form, output.value);
    return value === output.value ? part : { ...part, output: { ...output, value } };
  }
  const data = revivedData(form, part.data);
  return data === part.data ? part : { ...part, data };
}

function revivedData(form: Form, data: unknown): unknown {
  if (typeof data === 'string') return form.isUrlObject && isUrl(data) ? (urlOf(data) ?? data) : data;
  if (!isFields(data) || data.type !== 'url' || typeof data.url !== 'string') return data;
  return { ...data, url: urlOf(data.url) ?? data.url };
}
