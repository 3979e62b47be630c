import type { Node, TreeCursor } from 'web-tree-sitter';
import { type DefinitionKind, detached } from './definition.js';
import type { Rule, Rules } from './rules.js';

/** The type of nodes that tree-sitter could not parse, in every grammar. */
const errorType = 0xffff;
const namesInErrors = /identifier$|^constant$|^name$|^word$/;
const parameters = /^(?:formal_parameters|parameters|method_parameters|parameter_list)$/;

interface Found {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly startLine: number;
  endLine: number;
}

/** Walks through a tree and finds definitions. The only stack that it keeps is that of error nodes. */
export class Walk {
  readonly found: Found[] = [];
  readonly #cursor: TreeCursor;
  readonly #rules: Rules;
  readonly #text: string;
  readonly #errors: { readonly depth: number; readonly endLine: number }[] = [];
  #depth = 0;
  #leaving = false;
  #wrapperDepth = -1;
  #leadLine = 0;
  #leadDepth = -1;
  #leadAttached = false;
  #keyword: { readonly kind: DefinitionKind; readonly line: number } | undefined;
  #nameInError: Node | undefined;
  #overloadDepth = -1;

  constructor(cursor: TreeCursor, rules: Rules, text: string) {
    this.#cursor = cursor;
    this.#rules = rules;
    this.#text = text;
  }

  /** Takes this number of steps, each to a node or back from one. Returns false at the end of the tree. */
  advance(steps: number): boolean {
    for (let left = steps; left > 0; left--) {
      if (!this.#leaving && this.#visit() && this.#cursor.gotoFirstChild()) this.#depth++;
      else {
        this.#leaving = !this.#cursor.gotoNextSibling();
        if (this.#leaving && !this.#leave()) return false;
      }
    }
    return true;
  }

  #leave(): boolean {
    if (!this.#cursor.gotoParent()) return false;
    this.#depth--;
    this.#keyword = undefined;
    this.#nameInError = undefined;
    if (this.#depth === this.#wrapperDepth) this.#wrapperDepth = -1;
    if (this.#errors.at(-1)?.depth === this.#depth) this.#errors.pop();
    if (this.#depth < this.#leadDepth || (this.#depth === this.#leadDepth && !this.#leadAttached))
      this.#leadDepth = -1;
    return true;
  }

  /** Visits the node at the cursor. Returns whether to search its children. */
  #visit(): boolean {
    const type = this.#cursor.nodeTypeId;
    if (type === errorType) {
      this.#errors.push({ depth: this.#depth, endLine: lastLine(this.#cursor.currentNode) });
      return true;
    }
    const rule = this.#rules.byType[type];
    const error = this.#errors.at(-1);
    if (error?.depth === this.#depth - 1) this.#visitInError(type, error.endLine);
    if (rule === undefined) {
      if (this.#leadAttached && this.#leadDepth === this.#depth && this.#endsLead()) this.#leadDepth = -1;
      return false;
    }
    if (rule.attached) {
      this.#lead(true);
      return false;
    }
    if ((rule.kind !== undefined || rule.conditional !== undefined) && this.#define(rule)) {
      this.#leadDepth = -1;
      return this.found.at(-1)?.kind !== 'function' && !rule.conditional?.body;
    }
    if (rule.leading) this.#lead(false);
    else this.#leadDepth = -1;
    if (rule.wrapper) {
      if (this.#wrapperDepth >= 0) return false;
      this.#wrapperDepth = this.#depth;
      return true;
    }
    return rule.through === true || rule.kind === 'class';
  }

  #lead(attached: boolean): void {
    if (this.#leadDepth >= 0) return;
    this.#leadDepth = this.#depth;
    this.#leadAttached = attached;
    this.#leadLine = this.#cursor.startPosition.row + 1;
  }

  #endsLead(): boolean {
    return this.#cursor.nodeIsNamed && !this.#cursor.nodeType.includes('comment');
  }

  #define(rule: Rule): boolean {
    const node = this.#cursor.currentNode;
    let kind = rule.kind;
    let value: Node | null = null;
    if (rule.conditional !== undefined) {
      const { field, kinds, body } = rule.conditional;
      value = unwrapped(node.childForFieldName(field), this.#rules.transparent);
      if (value !== null) kind = kinds[value.type];
      if (body && value !== null && value.childForFieldName('body') === null) return false;
    }
    if (kind === undefined || (rule.needsBody && node.childForFieldName('body') === null)) return false;
    const name = this.#nameFor(rule.name, node, value);
    if (name === undefined) return false;
    const startLine = this.#leadDepth >= 0 ? this.#leadLine : node.startPosition.row + 1;
    const endLine = lastLine(node);
    const before = this.found.at(-1);
    if (this.#overloadDepth === this.#depth && before?.kind === kind && before.name === name)
      before.endLine = Math.max(before.endLine, endLine);
    else this.found.push({ kind, name, startLine, endLine });
    this.#overloadDepth = rule.overload ? this.#depth : -1;
    return true;
  }

  #nameFor(field: string, node: Node, value: Node | null): string | undefined {
    const given = field.startsWith('"')
      ? field.slice(1, -1)
      : nameOf(node.childForFieldName(field), this.#rules, this.#text);
    if (given !== 'exports' && given !== 'default') return given;
    return nameOf(value?.childForFieldName('name') ?? null, this.#rules, this.#text) ?? given;
  }

  /** Visits a node in an error. There, a keyword, a name, parameters and the body are siblings. */
  #visitInError(type: number, endLine: number): void {
    const keyword = this.#keyword;
    const named = this.#nameInError;
    this.#keyword = undefined;
    this.#nameInError = undefined;
    const kind = this.#rules.keywords[type];
    if (kind !== undefined) {
      this.#keyword = { kind, line: this.#cursor.startPosition.row + 1 };
      return;
    }
    const nodeType = this.#cursor.nodeType;
    if (namesInErrors.test(nodeType)) {
      const node = this.#cursor.currentNode;
      if (keyword === undefined) this.#nameInError = node;
      else this.#addFromError(keyword.kind, node, keyword.line, endLine);
    } else if (nodeType === 'function_declarator') {
      const node = this.#cursor.currentNode;
      this.#addFromError('function', node, node.startPosition.row + 1, endLine);
    } else if (named !== undefined && parameters.test(nodeType))
      this.#addFromError('function', named, named.startPosition.row + 1, endLine);
  }

  #addFromError(kind: DefinitionKind, named: Node, startLine: number, endLine: number): void {
    const name = nameOf(named, this.#rules, this.#text);
    if (name !== undefined) this.found.push({ kind, name, startLine, endLine });
  }
}

function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row : row + 1;
}

/** A function may be inside at most this number of parentheses. */
const deepestWrapping = 50;

/** The node inside parentheses and the like. */
function unwrapped(node: Node | null, transparent: ReadonlySet<string>): Node | null {
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
function nameOf(named: Node | null, rules: Rules, text: string): string | undefined {
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
