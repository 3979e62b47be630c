import { isErrorResult, outputText, type ToolResultPart } from '@ctx/core';
import { type Fields, isFields, jsonOf, numberText } from '@ctx/core/codec';

/** A response with one of these keys and no other: what the function returned is its value. */
const wrappers = ['output', 'result', 'error'];

function wrapperOf(response: unknown): string | undefined {
  if (!isFields(response)) return undefined;
  const [key, ...others] = Object.keys(response);
  return key !== undefined && others.length === 0 && wrappers.includes(key) ? key : undefined;
}

/** True for a response with an `error`. */
export function isFailure(response: unknown): boolean {
  if (!isFields(response)) return false;
  const { error } = response;
  const isNothing = error === undefined || error === null || error === false;
  return !isNothing && (error !== '' || wrapperOf(response) === 'error');
}

/** The output of a response: its text, or anything else as JSON. */
export function outputOf(response: unknown): Exclude<ToolResultPart['output'], string> {
  const key = wrapperOf(response);
  const value = key === undefined ? (response ?? '') : (response as Fields)[key];
  // A number that JavaScript would write in another way.
  const number = key === undefined ? undefined : numberText(response as Fields, key);
  if (number !== undefined) return { type: 'text', value: number };
  return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
}

/** The text of a response that has media next to it; undefined for one without text. */
export function responseText(response: unknown): string | undefined {
  const text = outputText(outputOf(response));
  return text === '' || text === '{}' ? undefined : text;
}

/**
 * The response of a result, in the form of the old one: under its key, or as an object of its own. What has no old one goes under `output`
 * or `error`.
 * @throws ValidationError `value-no-json`
 */
export function responseOf(part: ToolResultPart, old?: unknown): Fields {
  const failed = isErrorResult(part);
  const { output } = part;
  if (typeof output === 'string') return wrapped(output, failed, old);
  switch (output.type) {
    case 'text':
    case 'error-text':
      return wrapped(output.value, failed, old);
    case 'json':
    case 'error-json':
      return jsonResponse(output.value, failed, old);
    case 'content': {
      const text = outputText(output);
      const isSame = isFields(old) && (responseText(old) ?? '') === text && isFailure(old) === failed;
      return isSame ? old : wrapped(text, failed, old);
    }
    default:
      return output satisfies never;
  }
}

/** A text that is JSON is written as JSON, so that it is not read as a plain text. */
function jsonResponse(value: unknown, failed: boolean, old: unknown): Fields {
  const json = jsonOf(value, 'output');
  const isWhole = isFields(old) && wrapperOf(old) === undefined;
  if (isWhole && isFields(value) && wrapperOf(value) === undefined && isFailure(value) === failed)
    return value;
  return wrapped(typeof value === 'string' ? json : (value ?? null), failed, old);
}

function wrapped(value: unknown, failed: boolean, old: unknown): Fields {
  if (failed) return { error: value };
  const key = wrapperOf(old);
  return { [key === undefined || key === 'error' ? 'output' : key]: value };
}
