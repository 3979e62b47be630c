import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../refusal.js';
import type { Misfit, Shape, Step } from '../shape.js';

export function errorBody(type: string, message: string): Fields {
  return { type: 'error', error: { type, message }, request_id: 'req_test' };
}

/** Anthropic's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, errorBody('invalid_request_error', message));
}

/** Anthropic's error for a value that its shape does not allow. */
export function unfitting({ path, value, problem }: Misfit): Refusal {
  if (problem.kind === 'tag') {
    const place = placeOf(path.slice(0, -1));
    // Of the two fields that choose a shape, the role is told as a plain value.
    if (problem.by === 'role') return invalid(`${placeOf(path)}: Input should be ${either(problem.allowed)}`);
    return invalid(
      `${place}: Input tag '${String(value)}' found using '${problem.by}' does not match any of the expected tags: ${problem.allowed.map((tag) => `'${tag}'`).join(', ')}`,
    );
  }
  return invalid(`${placeOf(path)}: ${wordsOf(problem)}`);
}

function wordsOf(problem: Misfit['problem']): string {
  switch (problem.kind) {
    case 'missing':
      return 'Field required';
    case 'unknown':
      return 'Extra inputs are not permitted';
    case 'empty':
      return 'List should have at least 1 item after validation, not 0';
    case 'value':
    case 'tag':
      return `Input should be ${either(problem.allowed)}`;
    default:
      // Of several types, the last is the one with the most to say.
      return nameOf(problem.expected.at(-1));
  }
}

/** A place as Anthropic writes it: `messages.0.content.1.tool_use.id`, but without the tag of a role. */
function placeOf(path: readonly Step[]): string {
  const roles = ['user', 'assistant', 'system'];
  return path
    .map((step) => (typeof step === 'object' ? step.tag : String(step)))
    .filter((step, at) => typeof path[at] !== 'object' || !roles.includes(step))
    .join('.');
}

function either(names: readonly string[]): string {
  const all = names.map((name) => `'${name}'`);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

function nameOf(shape: Shape | undefined): string {
  switch (shape?.kind) {
    case 'string':
    case 'enum':
      return 'Input should be a valid string';
    case 'number':
      return 'Input should be a valid integer';
    case 'boolean':
      return 'Input should be a valid boolean';
    case 'array':
      return 'Input should be a valid list';
    case 'nullable':
      return nameOf(shape.shape);
    case 'record':
      return 'Input should be a valid dictionary';
    default:
      return 'Input should be an object';
  }
}
