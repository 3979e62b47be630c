import { withoutNumber } from './bulk.js';
import { sizes } from './weights.js';

const modifiers = new Set(
  'export default declare public private protected internal static abstract final async override unsafe pub pub(crate) pub(super)'.split(
    ' ',
  ),
);
const kinds = new Set(
  'function function* class interface type enum struct trait impl def defp defmacro defmodule defprotocol fn func module namespace record protocol'.split(
    ' ',
  ),
);
const constants = new Set(['const', 'let', 'var']);

/** The name of the function, class, type or the like that a line begins; '' if it begins one without a name, undefined if it begins none. */
export function definedBy(line: string): string | undefined {
  const words = withoutNumber(line.slice(0, sizes.line))
    .trimStart()
    .split(/[ \t]+/);
  let at = 0;
  while (modifiers.has(words[at] ?? '')) at += 1;
  const kind = words[at] ?? '';
  // A method of Go names its receiver first.
  const rest = words
    .slice(at + 1)
    .join(' ')
    .replace(/^\([^)]*\) /, '');
  const isConstant = constants.has(kind) && words[0] === 'export';
  return kinds.has(kind) || isConstant ? (/^[\w$.]+/.exec(rest)?.[0] ?? '') : undefined;
}
