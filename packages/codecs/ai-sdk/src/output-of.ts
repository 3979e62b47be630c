import type { ToolOutput } from '@ctx/core';
import { type Fields, fieldsOf, nameAt, nativeInvalid, refuseTooDeep, stringAt } from '@ctx/core/codec';
import { fileOf, imageOf, opaque, partAt } from './content-part.js';

/** What the model reads where the user refused a call without giving a reason. */
const denied = 'Tool execution denied.';

type OutputPart = Extract<ToolOutput, { type: 'content' }>['value'][number];

/** @throws ValidationError if the value is not the output of a tool */
export function outputOf(value: unknown, place: string): ToolOutput {
  const output = fieldsOf(value, place, 'The output of a tool is { type, value }, not a bare string.');
  const type = nameAt(output, 'type', place, 'An output names its type.');
  switch (type) {
    case 'text':
    case 'error-text':
      return { type, value: stringAt(output, 'value', place, `An output is { type: '${type}', value }.`) };
    case 'json':
    case 'error-json':
      refuseTooDeep(output.value, `${place}.value`);
      return { type, value: output.value };
    case 'execution-denied':
      return { type: 'error-text', value: typeof output.reason === 'string' ? output.reason : denied };
    case 'content':
      return {
        type,
        value: itemsOf(output, place).map((item, index) => itemOf(item, `${place}.value[${index}]`)),
      };
    default:
      return { type: 'content', value: [opaque(output)] };
  }
}

function itemsOf({ value }: Fields, place: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw nativeInvalid('A list was expected', `${place}.value`, value, 'Give a list of parts.');
}

/** The core part for a part of an output. */
export function itemOf(value: unknown, place: string): OutputPart {
  const item = partAt(value, place);
  switch (item.type) {
    case 'text':
      return { type: 'text', text: stringAt(item, 'text', place, 'A text part is { type, text }.') };
    case 'image-data':
      return imageOf(item.data, item) ?? opaque(item);
    case 'image-url':
      return imageOf(item.url, item) ?? opaque(item);
    case 'media':
    case 'file':
    case 'file-data':
      return fileOf(item) ?? opaque(item);
    case 'file-url':
      return fileOf({ ...item, data: item.url, mediaType: item.mediaType ?? unknownType }) ?? opaque(item);
    default:
      return opaque(item);
  }
}

/** The media type of a file whose type is unknown. */
const unknownType = 'application/octet-stream';
