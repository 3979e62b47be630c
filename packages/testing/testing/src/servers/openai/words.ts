import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../refusal.js';
import type { Misfit, Shape, Step } from '../shape.js';

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

/** OpenAI's error for a value that its shape does not allow. */
export function unfitting({ path, value, problem }: Misfit): Refusal {
  const param = placeOf(path);
  switch (problem.kind) {
    case 'missing':
      return invalid(`Missing required parameter: '${param}'.`, {
        param,
        code: 'missing_required_parameter',
      });
    case 'unknown':
      return invalid(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
    case 'empty':
      return invalid(
        `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        { param, code: 'empty_array' },
      );
    case 'type': {
      const expected = problem.expected.map(nameOf);
      const one = expected.length > 1 ? `one of ${expected.join(' or ')}` : expected.join('');
      return invalid(
        `Invalid type for '${param}': expected ${one}, but got ${typeName(value)}${value === null ? '' : ' instead'}.`,
        { param, code: 'invalid_type' },
      );
    }
    default:
      return invalid(`Invalid value: '${String(value)}'. Supported values are: ${quoted(problem.allowed)}.`, {
        param,
        code: 'invalid_value',
      });
  }
}

/** A place as OpenAI writes it: `messages[0].content`. */
function placeOf(path: readonly Step[]): string {
  return path
    .filter((step) => typeof step !== 'object')
    .reduce<string>((place, step) => {
      if (typeof step === 'number') return `${place}[${step}]`;
      return place === '' ? String(step) : `${place}.${step}`;
    }, '');
}

function quoted(names: readonly string[]): string {
  const all = names.map((name) => `'${name}'`);
  if (all.length < 2) return all.join('');
  return `${all.slice(0, -1).join(', ')}${all.length > 2 ? ',' : ''} and ${all.at(-1)}`;
}

function nameOf(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
    case 'enum':
      return 'a string';
    case 'number':
      return 'an integer';
    case 'boolean':
      return 'a boolean';
    case 'array':
      return ['object', 'tagged'].includes(shape.of.kind) ? 'an array of objects' : 'an array';
    case 'nullable':
      return nameOf(shape.shape);
    default:
      return 'an object';
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return `a ${typeof value}`;
}
