import type { Language } from 'web-tree-sitter';
import type { DefinitionKind } from './definition.js';
import type { Conditional, Grammar } from './languages.js';

/** What a walk does at the nodes of one type. */
export interface Rule {
  readonly name: string;
  readonly kind?: DefinitionKind;
  readonly conditional?: Conditional;
  readonly needsBody: boolean;
  readonly overload?: true;
  readonly through?: true;
  readonly leading?: true;
  readonly attached?: true;
  readonly wrapper?: true;
}

/** The rules of a grammar, indexed by node type id. */
export interface Rules {
  readonly byType: readonly (Rule | undefined)[];
  readonly keywords: readonly (DefinitionKind | undefined)[];
  readonly transparent: ReadonlySet<string>;
}

/** Keywords and what they define, for code that couldn't be parsed, in which no node covers the whole definition. */
const keywords: Readonly<Record<string, DefinitionKind | undefined>> = {
  class: 'class',
  struct: 'class',
  enum: 'class',
  module: 'class',
  impl: 'class',
  namespace: 'class',
  interface: 'interface',
  trait: 'interface',
  function: 'function',
  func: 'function',
  fn: 'function',
  def: 'function',
};

const words = (text = '') => text.split(/\s+/).filter((word) => word !== '');

const compiled = new WeakMap<Language, Rules>();

/** The rules of a grammar, compiled once for each language. */
export function rulesOf(grammar: Grammar, language: Language): Rules {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const byName = new Map<string, Rule>();
  const add = (types: string | undefined, rule: Partial<Rule>) => {
    for (const type of words(types))
      byName.set(type, {
        name: grammar.names?.[type] ?? 'name',
        needsBody: words(grammar.needBody).includes(type),
        ...byName.get(type),
        ...rule,
      });
  };
  add(grammar.through, { through: true });
  add(grammar.leading, { through: true, leading: true });
  add(grammar.attached, { attached: true });
  add(grammar.wrappers, { wrapper: true });
  add(grammar.classes, { kind: 'class' });
  add(grammar.interfaces, { kind: 'interface' });
  add(grammar.functions, { kind: 'function' });
  add(grammar.overloads, { kind: 'function', overload: true });
  for (const [type, conditional] of Object.entries(grammar.conditional ?? {}))
    add(type, { conditional, name: conditional.name ?? 'name', through: true });
  const isNamed = language.types.map((_, id) => language.nodeTypeIsNamed(id));
  const rules: Rules = {
    byType: language.types.map((type, id) => (isNamed[id] ? byName.get(type) : undefined)),
    keywords: language.types.map((type, id) => (isNamed[id] ? undefined : keywords[type])),
    transparent: new Set(words(grammar.transparent)),
  };
  compiled.set(language, rules);
  return rules;
}
