/** Finds the regular expressions of a source file, also those that `RegExp` makes of constant texts. */
import { parseSync } from '@swc/core';

/**
 * @typedef {object} Expression
 * @property {number} line counted from 1
 * @property {string} pattern of one that can't be told before it runs: `new RegExp(…)` as it stands in the source, white space as one space
 * @property {string} flags
 * @property {boolean} isKnown false for one that can't be told before it runs
 */

/** Methods of strings that make a regular expression of a text. */
const expressionMethods = new Set(['match', 'matchAll', 'search']);
const wrappers = new Set([
  'ParenthesisExpression',
  'TsAsExpression',
  'TsConstAssertion',
  'TsSatisfiesExpression',
]);

/**
 * @param {string} text of a TypeScript or JavaScript file
 * @returns {Expression[]}
 */
export function expressionsIn(text) {
  // A program's span begins at its first statement, whatever comments stand before it: this one stands before them.
  const code = `;${text.replace(/^#!.*/, '')}`;
  const bytes = Buffer.from(code);
  const ast = parseSync(code, { syntax: 'typescript', decorators: true });
  const constants = constantsOf(ast);
  const { start } = ast.span;
  const slice = (from, to) => bytes.subarray(from - start, to - start).toString();
  const lineAt = (offset) => slice(start, offset).split('\n').length;
  const found = [];
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'RegExpLiteral')
      found.push({ line: lineAt(node.span.start), pattern: node.pattern, flags: node.flags, isKnown: true });
    const made = madeBy(node, constants);
    if (made !== undefined) {
      const isKnown = typeof made.pattern === 'string' && typeof made.flags === 'string';
      const source = slice(node.span.start, node.span.end).replaceAll(/\s+/g, ' ');
      const line = lineAt(node.span.start);
      found.push(isKnown ? { line, ...made, isKnown } : { line, pattern: source, flags: '', isKnown });
    }
    Object.values(node).forEach(visit);
  };
  visit(ast.body);
  return found;
}

/** The pattern and the flags that a call gives to `RegExp`; undefined for what makes none, or only copies one. */
function madeBy(node, constants) {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const [first, second] = (node.arguments ?? []).map(({ expression }) => expression);
  if (first === undefined) return undefined;
  const { callee } = node;
  if (callee.type === 'Identifier' && callee.value === 'RegExp') {
    const pattern = constantOf(first, constants);
    if (pattern?.source !== undefined && second === undefined) return undefined;
    return {
      pattern: pattern?.source ?? pattern,
      flags: second === undefined ? '' : constantOf(second, constants),
    };
  }
  if (callee.type !== 'MemberExpression' || !expressionMethods.has(callee.property.value)) return undefined;
  const pattern = constantOf(first, constants);
  if (typeof pattern !== 'string') return undefined;
  return { pattern, flags: callee.property.value === 'matchAll' ? 'g' : '' };
}

/** What the constants at the top of a file are set to, by their names. */
function constantsOf(ast) {
  const constants = new Map();
  for (const item of ast.body) {
    const declared = item.type === 'ExportDeclaration' ? item.declaration : item;
    if (declared.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init) constants.set(id.value, init);
  }
  return constants;
}

/** The value of an expression of constants: a text, a list, a regular expression; undefined where it is known only later. */
function constantOf(node, constants) {
  if (wrappers.has(node.type)) return constantOf(node.expression, constants);
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
      return node.value;
    case 'RegExpLiteral':
      return { source: node.pattern };
    case 'Identifier': {
      const init = constants.get(node.value);
      // Without it a constant that names itself would never end.
      const rest = new Map(constants);
      rest.delete(node.value);
      return init === undefined ? undefined : constantOf(init, rest);
    }
    case 'ArrayExpression':
      return allOf(
        node.elements.map((one) => (one && !one.spread ? one.expression : undefined)),
        constants,
      );
    case 'TemplateLiteral':
      return textOf(
        node.quasis.map(({ cooked }) => cooked),
        node.expressions,
        constants,
      );
    case 'TaggedTemplateExpression': {
      const { tag, template } = node;
      const isRaw =
        tag.type === 'MemberExpression' && tag.object.value === 'String' && tag.property.value === 'raw';
      return isRaw
        ? textOf(
            template.quasis.map(({ raw }) => raw),
            template.expressions,
            constants,
          )
        : undefined;
    }
    case 'BinaryExpression': {
      const sides = node.operator === '+' ? allOf([node.left, node.right], constants) : undefined;
      return sides?.some((side) => typeof side === 'object') ? undefined : sides && sides[0] + sides[1];
    }
    case 'MemberExpression': {
      const value = node.property.value === 'source' ? constantOf(node.object, constants) : undefined;
      return value?.source;
    }
    case 'CallExpression':
      return joined(node, constants);
    default:
      return undefined;
  }
}

function joined({ callee, arguments: given }, constants) {
  if (callee.type !== 'MemberExpression' || callee.property.value !== 'join') return undefined;
  const list = constantOf(callee.object, constants);
  const by = given[0] === undefined ? ',' : constantOf(given[0].expression, constants);
  return Array.isArray(list) && typeof by === 'string' ? list.join(by) : undefined;
}

function textOf(pieces, expressions, constants) {
  const values = allOf(expressions, constants);
  if (values === undefined || values.some((value) => typeof value === 'object')) return undefined;
  return pieces.map((piece, at) => piece + (values[at] ?? '')).join('');
}

function allOf(nodes, constants) {
  const values = nodes.map((node) => (node === undefined ? undefined : constantOf(node, constants)));
  return values.includes(undefined) ? undefined : values;
}
