import { outputText, type ToolOutput } from '@ctx/core';
import {
  equal,
  type Fields,
  fieldsOf,
  isFields,
  jsonOf,
  type NativeLoss,
  nativeInvalid,
} from '@ctx/core/codec';
import { lostMediaType } from '../media.js';
import { blankScreenshot, textOfBlank } from './blank-screenshot.js';
import { type ContentPart, contentItem, contentList, contentPart } from './content.js';

/** The output of a result, and the parts for which an item has no form. */
interface Written {
  readonly fields: Fields;
  readonly lost: readonly Pick<NativeLoss, 'place' | 'what'>[];
}

/** How the items of one kind of output say what a tool returned. */
export interface OutputForm {
  /** The fields that may hold the id of the call; the first one that is there does. */
  readonly ids: readonly string[];
  /** @throws ValidationError `native-invalid` */
  read(item: Fields, place: string): ToolOutput;
  /** The fields for an output. `before` is the old item's value. */
  write(output: ToolOutput, old: Fields | undefined, before: ToolOutput | undefined): Written;
  /** The fields of an output that is made new and failed, or did not. */
  made?(failed: boolean): Fields;
  /** True if the item reports that the tool failed. */
  failed?(item: Fields): boolean;
}

const anyOutput: OutputForm = {
  ids: ['call_id'],
  read: ({ output }, place) => {
    if (output === undefined || output === null) return '';
    if (typeof output === 'string') return output;
    const at = `${place}.output`;
    const value = contentList(output, at).map((item, index) => contentPart(item, `${at}[${index}]`));
    return { type: 'content', value };
  },
  write: (output, old, before) => {
    if (typeof output === 'string' || output.type !== 'content') {
      return { fields: { output: textOf(output) }, lost: [] };
    }
    const sent = sentParts(output.value, old, before);
    const items = sent.flatMap(({ item }) => (item === undefined ? [] : [item]));
    return {
      fields: { output: items.length === 0 && sent.length > 0 ? '' : items },
      lost: sent.flatMap(({ lost }) => lost),
    };
  },
};

/** The item for each part, the old one if it is equal, and what it cannot hold. */
function sentParts(
  parts: readonly ContentPart[],
  old: Fields | undefined,
  before: ToolOutput | undefined,
): { readonly item: unknown; readonly lost: Written['lost'] }[] {
  const natives: unknown[] = Array.isArray(old?.output) ? old.output : [];
  const said = typeof before === 'object' && before.type === 'content' ? before.value : [];
  return parts.map((part, index) => {
    const native = natives[index];
    if (native !== undefined && equal(part, said[index])) return { item: native, lost: [] };
    const item = contentItem(part, 'tool', native);
    if (item === undefined) return { item, lost: [{ place: `output.value[${index}]`, what: part.type }] };
    return { item, lost: mediaTypeLost(part, index) };
  });
}

function mediaTypeLost(part: ContentPart, index: number): Written['lost'] {
  return lostMediaType(part).map(({ place, what }) => ({ place: `output.value[${index}].${place}`, what }));
}

/** What was returned as one text; of a structure its JSON. */
function textOf(output: ToolOutput): string {
  if (typeof output === 'object' && (output.type === 'json' || output.type === 'error-json'))
    return jsonOf(output.value, 'output');
  return outputText(output);
}

/** A field that holds one text. */
function textIn(field: string, ids: readonly string[], rest: Partial<OutputForm> = {}): OutputForm {
  return {
    ids,
    read: (item, place) => {
      const text = item[field] ?? '';
      if (typeof text === 'string') return text;
      throw nativeInvalid('A string was expected', `${place}.${field}`, text, 'This output is a string.');
    },
    write: (output) => ({ fields: { [field]: textOf(output) }, lost: lostBeside(output) }),
    ...rest,
  };
}

/** Parts of a list that are no text, where only text has a form. */
function lostBeside(output: ToolOutput): Written['lost'] {
  if (typeof output === 'string' || output.type !== 'content') return [];
  return output.value.flatMap(({ type }, index) =>
    type === 'text' ? [] : [{ place: `output.value[${index}]`, what: type }],
  );
}

const screenshot: OutputForm = {
  ids: ['call_id'],
  read: ({ output }, place) => {
    if (output === undefined || output === null) return '';
    const shown = fieldsOf(
      output,
      `${place}.output`,
      'The output of a computer call is a computer_screenshot.',
    );
    const url = shown.image_url;
    if (typeof url !== 'string' || url === '')
      return { type: 'content', value: [{ type: 'opaque', value: output }] };
    const text = textOfBlank(url);
    const part: ContentPart = text === undefined ? { type: 'image', image: url } : { type: 'text', text };
    return { type: 'content', value: [part] };
  },
  write: (output, old) => {
    const parts = typeof output === 'object' && output.type === 'content' ? output.value : [];
    const image = parts.findIndex(({ type }) => type === 'image');
    const shown = image < 0 ? undefined : contentItem(parts[image] as ContentPart, 'tool');
    const image_url = shown?.image_url ?? blankScreenshot(textOf(output));
    const { file_id: _replaced, ...before } = isFields(old?.output) ? old.output : {};
    return {
      fields: { output: { ...before, type: 'computer_screenshot', image_url } },
      lost: parts.flatMap((part, index) => {
        if (index === image) return mediaTypeLost(part, index);
        return image < 0 && part.type === 'text'
          ? []
          : [{ place: `output.value[${index}]`, what: part.type }];
      }),
    };
  },
};

const chunks: OutputForm = {
  ids: ['call_id'],
  read: ({ output }, place) => {
    if (output === undefined || output === null) return '';
    const value = contentList(output, `${place}.output`).flatMap((chunk, index) => {
      const { stdout, stderr } = fieldsOf(
        chunk,
        `${place}.output[${index}]`,
        'The output of a shell call is a list of { stdout, stderr, outcome }.',
      );
      return [stdout, stderr].flatMap((text) =>
        typeof text === 'string' && text !== '' ? [{ type: 'text' as const, text }] : [],
      );
    });
    return { type: 'content', value };
  },
  write: (output, old) => {
    const before: unknown = Array.isArray(old?.output) ? old.output.at(-1) : undefined;
    const chunk = isFields(before) ? before : { outcome: { type: 'exit', exit_code: 0 } };
    return {
      fields: { output: [{ ...chunk, stdout: textOf(output), stderr: '' }] },
      lost: lostBeside(output),
    };
  },
};

const patched = textIn('output', ['call_id'], {
  made: (failed) => ({ status: failed ? 'failed' : 'completed' }),
  failed: ({ status }) => status === 'failed',
});
const approved = textIn('reason', ['approval_request_id'], {
  made: (failed) => ({ approve: !failed }),
  failed: ({ approve }) => approve === false,
});

export const outputForms: Readonly<Record<string, OutputForm>> = {
  function_call_output: anyOutput,
  custom_tool_call_output: anyOutput,
  computer_call_output: screenshot,
  local_shell_call_output: textIn('output', ['call_id', 'id']),
  shell_call_output: chunks,
  apply_patch_call_output: patched,
  mcp_approval_response: approved,
};

/** Undefined for what is no output, and for one that answers no call. */
export function outputForm(item: Fields): OutputForm | undefined {
  const { type } = item;
  const form = typeof type === 'string' && Object.hasOwn(outputForms, type) ? outputForms[type] : undefined;
  return form === anyOutput && answersNone(item) ? undefined : form;
}

/** The API takes the output of a tool that the model did not call. */
export function answersNone({ type, call_id: id }: Fields): boolean {
  return type === 'function_call_output' && (id === undefined || id === null);
}

/** The field of an output that names its call. */
export function callField(item: Fields, { ids }: OutputForm): string {
  return ids.find((id) => typeof item[id] === 'string') ?? (ids[0] as string);
}
