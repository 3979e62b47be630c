/**
 * What a definition is, reduced to four kinds. Structs, enums, modules, namespaces, records and Rust's `impl`
 * blocks count as classes, traits and aliases of object types as interfaces, methods and constructors as
 * functions.
 */
export type DefinitionKind = 'class' | 'interface' | 'function' | 'heading';

/** Something a file defines: its name, without its signature, and the lines it takes. */
export interface Definition {
  readonly kind: DefinitionKind;
  /** The plain name: a method's is not preceded by that of its class. */
  readonly name: string;
  /** The first line, counted from 1; decorators and attributes belong to the definition. */
  readonly startLine: number;
  /** The last line, counted from 1. */
  readonly endLine: number;
}

/** In the order of the text, and a definition before those within it. */
export function inTextOrder(definitions: readonly Definition[]): Definition[] {
  return [...definitions].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

/** A copy that doesn't keep the text alive which the name was cut from, as V8's slices do. */
export function detached(name: string): string {
  return [...name].join('');
}
