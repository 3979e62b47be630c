import type { Node } from 'web-tree-sitter';
import { detached } from './definition.js';
import type { Rules } from './rules.js';

/** A function may be inside at most this number of parentheses. */
const deepestWrapping = 50;

/** The node inside parentheses and the like. */
export function unwrapped(node: Node | null, transparent: ReadonlySet<string>): Node | null {
  let inner = node;
  for (let left = deepestWrapping; left > 0 && inner !== null && transparent.has(inner.type); left--)
    inner = inner.childForFieldName('declarator') ?? inner.firstNamedChild;
  return inner;
}

/** The field with the name, for nodes that contain more than a name. */
const namePart: Readonly<Record<string, string | undefined>> = {
  function_declarator: 'declarator',
  init_declarator: 'declarator',
  member_expression: 'property',
  template_type: 'name',
  template_function: 'name',
  generic_type: 'type',
  reference_type: 'type',
};

/** Targets of an assignment that have no name. */
const nameless = new Set([
  'parenthesized_declarator',
  'subscript_expression',
  'subscript',
  'pattern_list',
  'attribute',
]);

/** In characters. A longer text is an expression, whose beginning identifies it. */
const longestName = 200;

/** The name that a node gives; undefined if it gives none. */
export function nameOf(named: Node | null, rules: Rules, text: string): string | undefined {
  let node = unwrapped(named, rules.transparent);
  for (let part = node && namePart[node.type]; node !== null && part; part = node && namePart[node.type])
    node = unwrapped(node.childForFieldName(part), rules.transparent);
  if (node === null || nameless.has(node.type)) return;
  const start = node.startIndex;
  const whole = text.slice(start, Math.min(node.endIndex, start + longestName));
  const name = node.type === 'operator_cast' ? whole.replace(/\(.*/s, '') : whole;
  const unquoted = node.type === 'string' ? name.replace(/^(["'])(.*)\1$/s, '$2') : name;
  const plain = detached(unquoted.replace(/\s+/g, ' ').trim());
  return plain === '' ? undefined : plain;
}
