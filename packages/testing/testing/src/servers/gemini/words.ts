import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../refusal.js';
import type { Misfit, Shape, Step } from '../shape.js';

export function errorBody(code: number, message: string, status: string): Fields {
  return { error: { code, message, status } };
}

/** Google's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, errorBody(400, message, 'INVALID_ARGUMENT'));
}

/** Google's error for a value that its shape does not allow. */
export function unfitting({ path, value, problem }: Misfit): Refusal {
  const place = placeOf(path);
  switch (problem.kind) {
    case 'missing':
    case 'empty':
      return invalid(`* GenerateContentRequest.${place}: ${place} is not specified\n`);
    case 'unknown': {
      const parent = placeOf(path.slice(0, -1));
      const at = parent === '' ? '' : ` at '${parent}'`;
      return invalid(
        `Invalid JSON payload received. Unknown name "${String(path.at(-1))}"${at}: Cannot find field.`,
      );
    }
    case 'type':
      return invalid(
        `Invalid value at '${place}' (${typeOf(problem.expected[0])}), ${JSON.stringify(value)}`,
      );
    default:
      return invalid('Please use a valid role: user, model.');
  }
}

/** A place as Google writes it: `contents[0].parts[1]`. */
function placeOf(path: readonly Step[]): string {
  return path
    .filter((step) => typeof step !== 'object')
    .reduce<string>((place, step) => {
      if (typeof step === 'number') return `${place}[${step}]`;
      return place === '' ? String(step) : `${place}.${step}`;
    }, '');
}

const typeNames: Partial<Record<Shape['kind'], string>> = {
  string: 'TYPE_STRING',
  enum: 'TYPE_STRING',
  number: 'TYPE_INT32',
  boolean: 'TYPE_BOOL',
  record: 'type.googleapis.com/google.protobuf.Struct',
};

function typeOf(shape: Shape | undefined): string {
  return (shape && typeNames[shape.kind]) ?? 'TYPE_MESSAGE';
}
