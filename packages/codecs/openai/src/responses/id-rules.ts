import type { Fields, Finding, Rules } from '@ctx/core/codec';
import { roleOf, typeOf } from './item-kind.js';
import { each } from './rule.js';

/** What the ids of items have to be like. */
export const idRules: Rules<readonly Fields[]> = {
  /** "Duplicate item found with id rs_…. Remove duplicate items from your input and try again." */
  'item-id-unique': (items) => {
    const seen = new Set<unknown>();
    return each(items, (item) => {
      const { id } = item;
      if (typeof id !== 'string' || item.type === 'local_shell_call_output') return undefined;
      const again = seen.has(id);
      seen.add(id);
      return again ? `An item before it has the id "${id}".` : undefined;
    });
  },

  /** "Invalid 'input[1].id': 'x'. Expected an ID that begins with 'msg'." */
  'item-id-prefix': (items) =>
    each(items, (item) => {
      const type = String(typeOf(item));
      const prefix = Object.hasOwn(prefixes, type) ? prefixes[type] : undefined;
      return prefix === undefined || typeof item.id !== 'string' || item.id.startsWith(prefix)
        ? undefined
        : `The id "${item.id}" does not begin with "${prefix}".`;
    }),
};

const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc' };

/**
 * "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'." Which reasoning an item needs is
 * known by its id, and here from the requests in which it stood behind it.
 */
export function missingReasoning(
  items: readonly Fields[],
  before: readonly (readonly Fields[])[],
): Finding[] {
  const needs = new Map<unknown, unknown>();
  for (const earlier of before) for (const [id, reasoning] of ledBy(earlier)) needs.set(id, reasoning);
  const given = new Set(items.map(({ id }) => id));
  return each(items, (item) => {
    const needed = typeof item.id === 'string' ? needs.get(item.id) : undefined;
    return needed === undefined || given.has(needed)
      ? undefined
      : `The item "${item.id}" stood behind the reasoning "${String(needed)}", which is gone.`;
  });
}

/** The ids of items with the id of the reasoning right before them, other items of the assistant between. */
function ledBy(items: readonly Fields[]): [id: unknown, reasoning: unknown][] {
  let reasoning: unknown;
  return items.flatMap((item) => {
    if (roleOf(item, '') !== 'assistant') reasoning = undefined;
    else if (item.type === 'reasoning') reasoning = item.id;
    else if (typeof item.id === 'string' && typeof reasoning === 'string')
      return [[item.id, reasoning] as [unknown, unknown]];
    return [];
  });
}
