/**
 * Checks that no test depends on how fast anything is, and prints file:line for each that waits in real time, measures it, or sets a limit
 * that a slow machine reaches. Time in a test is virtual: `VirtualTime` of @ctx/testing, or the fake timers of Jest.
 * Usage: node scripts/real-time.mjs [root]
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions } from './real-time-exceptions.mjs';
import { conclude, packages, parse, placeOf, root, sourcesIn, visit } from './sources.mjs';

/** Ms. No step of a test takes as long on the slowest machine that runs them. */
const longEnough = 10_000;
const timers = ['setTimeout', 'setInterval'];
/** Options that limit how long something may take. */
const limits = ['timeoutMs', 'idleTimeoutMs', 'timeout', 'deadlineMs'];
/** Names that a file uses whose limits do not end by themselves. */
const virtual = ['VirtualTime', 'useFakeTimers', './held-time.js', '../compress/held-time.js'];

const nameOf = (node) =>
  node.type === 'MemberExpression' ? `${nameOf(node.object)}.${node.property.value}` : (node.value ?? '');

/** What is wrong with a node; undefined if nothing is. */
function problemOf(node, isVirtual) {
  if (node.type === 'CallExpression') {
    const name = nameOf(node.callee);
    const isZero = node.arguments[1]?.expression.value === 0;
    if (timers.includes(name) && !isZero && !isVirtual) return `waits in real time: ${name}`;
    if (name === 'AbortSignal.timeout') return 'ends in real time: AbortSignal.timeout';
    if (name === 'performance.now') return 'measures real time: performance.now';
  }
  if (node.type === 'ImportDeclaration' && /(?:^|:)timers\/promises$/.test(node.source.value)) {
    const waits = node.specifiers.filter(
      ({ local, imported }) => (imported ?? local).value !== 'setImmediate',
    );
    if (waits.length > 0) return 'waits in real time: timers/promises';
  }
  if (node.type === 'KeyValueProperty') {
    const { value: key } = node.key;
    const { type, value } = node.value;
    if (key === 'advanceTimers' && value === true) return 'mixes real time into fake timers: advanceTimers';
    if (limits.includes(key) && type === 'NumericLiteral' && value < longEnough && !isVirtual)
      return `a slow machine reaches this limit: ${key}: ${value}`;
  }
  return undefined;
}

function usesIn(file) {
  const { body, lineAt } = parse(file);
  let isVirtual = false;
  visit(body, ({ value }) => {
    isVirtual ||= virtual.includes(value);
  });
  const uses = [];
  visit(body, (node) => {
    const message = problemOf(node, isVirtual);
    if (message !== undefined)
      uses.push({ file: placeOf(file), line: lineAt((node.span ?? node.key.span).start), message });
  });
  return uses;
}

const folders = [...packages.map(({ folder }) => `${folder}/test`), 'examples/test', 'scripts/test'];
const offences = [];
const files = folders.flatMap((folder) => sourcesIn(join(root, folder)));
for (const file of files) {
  const uses = usesIn(file);
  const excuse = exceptions.find((one) => one.file === placeOf(file));
  if (excuse?.uses !== uses.length) offences.push(...uses);
}
for (const { file, uses } of exceptions)
  if (existsSync(join(root, file)) && usesIn(join(root, file)).length < uses)
    offences.push({ file, line: 1, message: `is excused for ${uses} uses of real time, and has fewer` });
conclude(offences, 'No test depends on how fast anything is.');
