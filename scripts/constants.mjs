/**
 * Checks that every named number says why it has its value, in a comment above it or behind it, and prints file:line for each that does not.
 * One comment may stand for the numbers directly below it, and so may the heading of a file that begins with them.
 * Usage: node scripts/constants.mjs [root]
 */
import { join } from 'node:path';
import { conclude, packageSources, parse, placeOf, root, sourcesIn } from './sources.mjs';

/** A number, or a calculation with nothing but numbers. */
function isNumber(node) {
  switch (node?.type) {
    case 'NumericLiteral':
    case 'BigIntLiteral':
      return true;
    case 'UnaryExpression':
      return isNumber(node.argument);
    case 'BinaryExpression':
      return isNumber(node.left) && isNumber(node.right);
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
      return isNumber(node.expression);
    default:
      return false;
  }
}

/** The top-level constants of a tree that are numbers or named in capitals. */
function constantsIn(body) {
  return body
    .map((item) => (item.type === 'ExportDeclaration' ? { ...item.declaration, span: item.span } : item))
    .filter((item) => item.type === 'VariableDeclaration' && item.kind === 'const')
    .flatMap(({ declarations, span }) => declarations.map(({ id, init }) => ({ name: id.value, init, span })))
    .filter(({ name, init }) => name !== undefined && (isNumber(init) || /^[A-Z][A-Z0-9_]+$/.test(name)));
}

const comment = /^\s*(\/\/|\*|\/\*)|\*\/\s*$/;

const offences = [];
for (const file of [...packageSources(), ...sourcesIn(join(root, 'examples'))]) {
  const { lines, body, lineAt } = parse(file);
  const explained = new Set();
  for (const { name, span } of constantsIn(body)) {
    const [first, last] = [lineAt(span.start), lineAt(span.end - 1)];
    const above = lines[first - 2] ?? '';
    const isHeaded =
      above === '' && lines.slice(0, first - 2).every((line) => comment.test(line)) && first > 2;
    if (isHeaded || comment.test(above) || explained.has(first - 1) || /\/\/|\/\*/.test(lines[last - 1]))
      explained.add(last);
    else
      offences.push({ file: placeOf(file), line: first, message: `does not say why ${name} has its value` });
  }
}
conclude(offences, 'Every named number says why.');
