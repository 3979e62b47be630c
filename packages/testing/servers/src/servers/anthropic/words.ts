import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../dialect.js';

export function errorBody(type: string, message: string): Fields {
  return { type: 'error', error: { type, message }, request_id: 'req_test' };
}

/** Anthropic's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, errorBody('invalid_request_error', message));
}
