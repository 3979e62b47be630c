import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../refusal.js';
import type { Misfit } from '../shape.js';

export function errorBody(code: number, message: string, status: string): Fields {
  return { error: { code, message, status } };
}

/** Google's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, errorBody(400, message, 'INVALID_ARGUMENT'));
}

export const unfitting = ({ place, problem }: Misfit): Refusal =>
  invalid(`Invalid JSON payload received. ${place} ${problem}.`);
