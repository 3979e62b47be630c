import type { DefinitionKind } from './definition.js';

/** A node that defines something only if one of its fields has a node of a certain type. */
export interface Conditional {
  readonly field: string;
  /** The kind of definition for each type of the node in `field`. */
  readonly kinds: Readonly<Record<string, DefinitionKind>>;
  /** The field with the name, or a fixed name in quotes. @default `name` */
  readonly name?: string;
  /** Whether the node in `field` must have a field `body`. The body is not searched. */
  readonly body?: true;
}

/**
 * How to find definitions in the syntax tree of a language: node types, separated by white space, by what to do with them. Nodes of other
 * types are not searched.
 */
export interface Grammar {
  /** The module from which the grammar is loaded. */
  readonly wasm: string;
  readonly classes?: string;
  readonly interfaces?: string;
  readonly functions?: string;
  /** Functions without a body. Such overloads form one definition with the functions of the same name that follow. */
  readonly overloads?: string;
  readonly conditional?: Readonly<Record<string, Conditional>>;
  /** The field with the name, for node types whose field is not `name`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Nodes that define something only if they have a field `body`. Otherwise they mention something that is defined elsewhere. */
  readonly needBody?: string;
  /** Nodes to search. */
  readonly through?: string;
  /** Nodes to search whose first line is the first line of the definition in them. */
  readonly leading?: string;
  /** Nodes that belong to the definition after them. */
  readonly attached?: string;
  /** Functions without a name, such as module wrappers and callbacks. They are searched, unless they are inside another one. */
  readonly wrappers?: string;
  /** Nodes that are treated as the first node in them. */
  readonly transparent?: string;
}

function vscode(name: string) {
  return `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`;
}

const functionValues = {
  arrow_function: 'function',
  function_expression: 'function',
  generator_function: 'function',
  class: 'class',
} as const;

const javascript: Grammar = {
  wasm: vscode('javascript'),
  classes: 'class_declaration',
  functions: 'function_declaration generator_function_declaration method_definition',
  conditional: {
    export_statement: { field: 'value', kinds: functionValues, name: '"default"' },
    variable_declarator: { field: 'value', kinds: functionValues },
    assignment_expression: { field: 'right', kinds: functionValues, name: 'left' },
    field_definition: { field: 'value', kinds: functionValues, name: 'property' },
    pair: { field: 'value', kinds: functionValues, name: 'key' },
  },
  through: `
      program class_body class object statement_block if_statement else_clause try_statement
      catch_clause finally_clause expression_statement sequence_expression parenthesized_expression
      unary_expression await_expression call_expression new_expression member_expression arguments`,
  leading: 'export_statement lexical_declaration variable_declaration',
  attached: 'decorator',
  wrappers: 'arrow_function function_expression',
  transparent: 'parenthesized_expression',
};

const typescript: Grammar = {
  ...javascript,
  wasm: vscode('typescript'),
  classes: 'class_declaration abstract_class_declaration enum_declaration internal_module module',
  interfaces: 'interface_declaration',
  overloads: 'function_signature method_signature abstract_method_signature',
  conditional: {
    ...javascript.conditional,
    public_field_definition: { field: 'value', kinds: functionValues },
    type_alias_declaration: { field: 'value', kinds: { object_type: 'interface' } },
  },
  through: `${javascript.through} interface_body object_type as_expression satisfies_expression`,
  leading: `${javascript.leading} ambient_declaration`,
  transparent: 'parenthesized_expression as_expression satisfies_expression non_null_expression',
};

const declaredFunction = { function_declarator: 'function', operator_cast: 'function' } as const;

const c: Grammar = {
  wasm: '#tree-sitter-c.wasm',
  classes: 'struct_specifier union_specifier enum_specifier',
  functions: 'function_definition',
  conditional: {
    declaration: { field: 'declarator', kinds: declaredFunction, name: 'declarator' },
    type_definition: {
      field: 'type',
      kinds: { struct_specifier: 'class', union_specifier: 'class', enum_specifier: 'class' },
      name: 'declarator',
      body: true,
    },
  },
  names: { function_definition: 'declarator' },
  needBody: 'struct_specifier union_specifier enum_specifier',
  through: `
      translation_unit preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification
      declaration_list`,
  transparent: 'pointer_declarator reference_declarator',
};

const cpp: Grammar = {
  ...c,
  wasm: vscode('cpp'),
  classes: `${c.classes} class_specifier namespace_definition`,
  conditional: {
    ...c.conditional,
    field_declaration: { field: 'declarator', kinds: declaredFunction, name: 'declarator' },
  },
  needBody: `${c.needBody} class_specifier`,
  through: `${c.through} field_declaration_list`,
  leading: 'template_declaration',
};

/** How each language's definitions are found. */
export const grammars = {
  typescript,
  tsx: { ...typescript, wasm: vscode('tsx') },
  javascript,
  python: {
    wasm: vscode('python'),
    classes: 'class_definition',
    functions: 'function_definition',
    conditional: { assignment: { field: 'right', kinds: { lambda: 'function' }, name: 'left' } },
    through: `
      module block if_statement elif_clause else_clause try_statement except_clause finally_clause
      with_statement expression_statement`,
    leading: 'decorated_definition',
    transparent: 'parenthesized_expression',
  },
  go: {
    wasm: vscode('go'),
    functions: 'function_declaration method_declaration method_elem',
    conditional: {
      type_spec: { field: 'type', kinds: { struct_type: 'class', interface_type: 'interface' } },
      type_alias: { field: 'type', kinds: { struct_type: 'class', interface_type: 'interface' } },
      var_spec: { field: 'value', kinds: { func_literal: 'function' } },
    },
    through: 'source_file type_declaration interface_type var_declaration var_spec_list',
    transparent: 'expression_list parenthesized_expression',
  },
  rust: {
    wasm: vscode('rust'),
    classes: 'struct_item enum_item union_item impl_item mod_item',
    interfaces: 'trait_item',
    functions: 'function_item function_signature_item macro_definition',
    names: { impl_item: 'type' },
    needBody: 'mod_item',
    through: 'source_file declaration_list foreign_mod_item',
    attached: 'attribute_item',
  },
  java: {
    wasm: vscode('java'),
    classes: 'class_declaration record_declaration enum_declaration',
    interfaces: 'interface_declaration annotation_type_declaration',
    functions: 'method_declaration constructor_declaration compact_constructor_declaration',
    conditional: { variable_declarator: { field: 'value', kinds: { lambda_expression: 'function' } } },
    through: `
      program class_body interface_body annotation_type_body enum_body enum_body_declarations
      field_declaration`,
  },
  c,
  cpp,
  csharp: {
    wasm: vscode('c-sharp'),
    classes: `
      namespace_declaration class_declaration struct_declaration record_declaration enum_declaration`,
    interfaces: 'interface_declaration',
    functions: `
      method_declaration constructor_declaration destructor_declaration local_function_statement`,
    through: `
      compilation_unit file_scoped_namespace_declaration declaration_list global_statement preproc_if
      preproc_else preproc_elif`,
  },
  ruby: {
    wasm: vscode('ruby'),
    classes: 'class module',
    functions: 'method singleton_method',
    through: `
      program body_statement block_body singleton_class call argument_list if unless then else begin
      assignment`,
    wrappers: 'do_block block',
  },
  php: {
    wasm: vscode('php'),
    classes: 'class_declaration trait_declaration enum_declaration namespace_definition',
    interfaces: 'interface_declaration',
    functions: 'function_definition method_declaration',
    conditional: {
      assignment_expression: {
        field: 'right',
        kinds: { anonymous_function: 'function', arrow_function: 'function' },
        name: 'left',
      },
    },
    needBody: 'namespace_definition',
    through: `
      program declaration_list enum_declaration_list compound_statement if_statement else_clause
      expression_statement`,
  },
  bash: {
    wasm: vscode('bash'),
    functions: 'function_definition',
    through: 'program if_statement elif_clause else_clause case_statement case_item list',
  },
} satisfies Readonly<Record<string, Grammar>>;

/** The languages whose definitions can be found. */
type LanguageName = keyof typeof grammars | 'markdown';

const extensions: Readonly<Record<LanguageName, readonly string[]>> = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  python: ['py', 'pyi', 'pyw'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx', 'h++', 'ipp', 'inl', 'tpp'],
  csharp: ['cs', 'csx'],
  ruby: ['rb', 'rake', 'gemspec'],
  php: ['php', 'phtml'],
  bash: ['sh', 'bash', 'zsh', 'ksh'],
  markdown: ['md', 'markdown', 'mdx'],
};

const byExtension = new Map(
  (Object.keys(extensions) as LanguageName[]).flatMap((language) =>
    extensions[language].map((extension) => [extension, language] as const),
  ),
);

const cppLine =
  /^[ \t]*(?:class[ \t]+\w+(?:[ \t]+final)?[ \t]*(?:[{;]|:[^:]|\r?$)|namespace[ \t]+[\w:]+[ \t]*(?:\{|\r?$)|namespace[ \t]*\{|template[ \t]*<|using[ \t]+\w|(?:public|private|protected)[ \t]*:)|^[ \t]*#[ \t]*include[ \t]*<\w+>|\bstd::/;
/** In characters. The rest of a longer line is not searched for signs of C++. */
const longestLine = 500;

function looksLikeCpp(text: string) {
  return text.split('\n').some((line) => cppLine.test(line.slice(0, longestLine)));
}

/** The language of a text by the extension of its path. */
export function languageOf(path: string, text: string): LanguageName | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const dot = file.lastIndexOf('.');
  const language = dot < 1 ? undefined : byExtension.get(file.slice(dot + 1));
  return language === 'c' && file.endsWith('.h') && looksLikeCpp(text) ? 'cpp' : language;
}
