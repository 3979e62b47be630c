import { withoutBytes } from '@ctx/core';
import { type Fields, isFields } from '@ctx/core/codec';
import { linked, linkOf, withoutLink } from './link.js';

/** A part of a message's or a result's content in the form of the Responses API. What has no form there stays as it is. */
export function contentToResponses(value: unknown): unknown {
  if (!isFields(value)) return value;
  return linked(value, said(value));
}

function said(part: Fields): Fields {
  switch (part.type) {
    case 'input_image': {
      const { image, ...rest } = part;
      if (typeof image === 'string') return { ...rest, image_url: image };
      return isFields(image) ? { ...rest, file_id: image.id } : part;
    }
    case 'input_file': {
      const { file, ...rest } = part;
      if (typeof file === 'string') return { ...rest, [isUrl(file) ? 'file_url' : 'file_data']: file };
      if (!isFields(file)) return part;
      return typeof file.url === 'string' ? { ...rest, file_url: file.url } : { ...rest, file_id: file.id };
    }
    default:
      return withoutBytes(part) as Fields;
  }
}

/** The SDK's part for one of the Responses API: the same if no edit touched it. */
export function contentFromResponses(value: unknown): unknown {
  if (!isFields(value)) return value;
  const link = linkOf(value);
  if (link?.isSame) return link.from;
  const fields = withoutLink(value);
  switch (fields.type) {
    case 'input_image': {
      const { image_url: url, file_id: id, ...rest } = fields;
      return { ...rest, image: url ?? { id } };
    }
    case 'input_file': {
      const { file_url: url, file_data: data, file_id: id, ...rest } = fields;
      return { ...rest, file: data ?? (url === undefined ? { id } : { url }) };
    }
    case 'output_text': {
      const { annotations: _none, ...rest } = fields;
      return rest;
    }
    default:
      return fields;
  }
}

const isUrl = (text: string) => /^https?:/i.test(text.trim());
