import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../dialect.js';
import type { Misfit } from '../shape.js';

interface Details {
  readonly param?: string | null;
  readonly code?: string | null;
}

/** OpenAI's error for a request that breaks a rule. */
export function invalid(message: string, details: Details = {}): Refusal {
  return new Refusal('invalid', 400, message, errorBody(message, 'invalid_request_error', details));
}

export function errorBody(
  message: string,
  type: string,
  { param = null, code = null }: Details = {},
): Fields {
  return { error: { message, type, param, code } };
}

/** The error for a value that its shape does not allow. */
export const unfitting = ({ place, problem }: Misfit): Refusal =>
  invalid(`Invalid value: '${place}' ${problem}.`, { param: place, code: 'invalid_value' });
