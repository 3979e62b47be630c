import { isErrorResult, type ToolOutput, type ToolResultPart } from '@ctx/core';
import { equal, type Fields, isFields } from '@ctx/core/codec';
import type { Form } from './form.js';
import { nativeText } from './native-text.js';
import { outputOf } from './output-of.js';

type OutputParts = Extract<ToolOutput, { type: 'content' }>['value'];

/** The output of a result as `{ type, value }`, with the options of the old one. The output of a failed tool stays an error. */
export function nativeOutput(form: Form, part: ToolResultPart, native: unknown): Fields {
  const old = isFields(native) ? native : undefined;
  const before = old === undefined ? undefined : outputOf(old, 'output');
  const { output } = part;
  if (old !== undefined && part.isError === undefined && equal(before, output)) return old;
  const { reason: _reason, value: _value, ...others } = old ?? {};
  if (typeof output === 'string') {
    const isError = part.isError ?? (before !== undefined && isErrorResult({ ...part, output: before }));
    return { ...others, type: isError ? 'error-text' : 'text', value: output };
  }
  const isError = isErrorResult(part);
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...others, type: isError ? 'error-text' : 'text', value: output.value };
    case 'json':
    case 'error-json':
      return { ...others, type: isError ? 'error-json' : 'json', value: output.value ?? null };
    case 'content': {
      const items = nativeItems(form, output.value, old).filter((item) => item !== undefined);
      return { ...others, type: 'content', value: items };
    }
    default:
      return output satisfies never;
  }
}

/** The native form of each part of an output; undefined where the SDK has none. */
export function nativeItems(form: Form, parts: OutputParts, old: Fields | undefined): unknown[] {
  const before = old === undefined ? undefined : outputOf(old, 'output');
  const said = typeof before === 'object' && before.type === 'content' ? before.value : [];
  const natives: unknown[] = old !== undefined && Array.isArray(old.value) ? old.value : [];
  return parts.map((part, index) => {
    const native = natives[index];
    if (native !== undefined && equal(part, said[index])) return native;
    const fields = isFields(native) ? native : undefined;
    if (part.type === 'text') return nativeText(part.text, fields);
    return part.type === 'opaque' ? undefined : form.item(part);
  });
}
