/**
 * The kind of a definition. Structs, enums, modules, namespaces, records and Rust's `impl` blocks count as classes, traits and aliases of
 * object types as interfaces, and methods and constructors as functions.
 */
export type DefinitionKind = 'class' | 'interface' | 'function' | 'heading';

/** Something that a file defines, with its name, without its signature, and its lines. */
export interface Definition {
  readonly kind: DefinitionKind;
  /** The plain name. A method's name does not include the name of its class. */
  readonly name: string;
  /** The first line, counted from 1. Decorators and attributes belong to the definition. */
  readonly startLine: number;
  /** The last line, counted from 1. */
  readonly endLine: number;
}

/** A copy of a name. A slice would keep the whole text in memory, because V8's slices refer to it. */
export function detached(name: string): string {
  return [...name].join('');
}
