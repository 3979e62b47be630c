/**
 * Checks that no source file and no function is too long, and prints file:line for each that is and is not excused in
 * length-exceptions.mjs, and for each excuse that nothing needs any more.
 * Usage: node scripts/lengths.mjs [root]
 */
import { join } from 'node:path';
import { fileExceptions, functionExceptions } from './length-exceptions.mjs';
import { conclude, packageSources, parse, placeOf, root, sourcesIn, visit } from './sources.mjs';

/** Lines, comments and empty ones among them: what a reader sees on a few screens. */
const longestFile = 250;
/** Lines, from its name to its closing brace: about one screen. */
const longestFunction = 60;

const functions =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|PrivateMethod|MethodProperty|Constructor)$/;

function nameOf(node, ancestors) {
  const key = node.identifier ?? node.key;
  if (key) return key.value ?? key.id?.value ?? 'constructor';
  const named = ancestors.findLast(
    ({ type }) => type === 'VariableDeclarator' || type === 'KeyValueProperty',
  );
  return named?.id?.value ?? named?.key?.value ?? 'a function';
}

const isTest = (file) => /^(examples|scripts)\/test\//.test(placeOf(file));
const files = [
  ...packageSources(),
  ...sourcesIn(join(root, 'examples')).filter((file) => !isTest(file)),
  ...sourcesIn(join(root, 'scripts')).filter((file) => !isTest(file)),
];
const offences = [];
const needed = new Set();

for (const file of files) {
  const place = placeOf(file);
  const { lines, body, lineAt } = parse(file);
  const length = lines.length - (lines.at(-1) === '' ? 1 : 0);
  if (length > longestFile) {
    needed.add(place);
    if (!Object.hasOwn(fileExceptions, place))
      offences.push({ file: place, line: 1, message: `has ${length} lines, more than ${longestFile}` });
  }
  visit(body, (node, ancestors) => {
    if (!functions.test(node.type)) return;
    const line = lineAt(node.span.start);
    const span = lineAt(node.span.end) - line + 1;
    if (span <= longestFunction) return;
    const name = nameOf(node, ancestors);
    const excuse = `${place} ${name}`;
    needed.add(excuse);
    if (!Object.hasOwn(functionExceptions, excuse))
      offences.push({
        file: place,
        line,
        message: `${name} has ${span} lines, more than ${longestFunction}`,
      });
  });
}
for (const excuse of [...Object.keys(fileExceptions), ...Object.keys(functionExceptions)]) {
  if (!needed.has(excuse) && root === join(import.meta.dirname, '..'))
    offences.push({ file: excuse.split(' ')[0], line: 1, message: `is excused but short enough: ${excuse}` });
}
conclude(offences, 'No file and no function is too long.');
