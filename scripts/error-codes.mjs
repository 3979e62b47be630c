/**
 * Checks what is said of errors against what is thrown, and prints file:line for each offence: a code in a docstring exists; a code that is thrown
 * is in docs/errors.md; a public function that throws a typed error, or directly calls one that does, says so in @throws.
 * Usage: node scripts/error-codes.mjs [root]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockComments, proseOf } from './comments.mjs';
import { publicFunctions } from './public-functions.mjs';
import { conclude, packageSources, parse, placeOf, root } from './sources.mjs';
import { throwersIn } from './throwers.mjs';

const documented = new Set(
  [...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^### `([a-z-]+)`$/gm)].map(
    ([, code]) => code,
  ),
);
const files = new Map(packageSources().map((file) => [file, parse(file)]));
const thrown = throwersIn(files);
const offences = [];
const report = (file, line, message) => offences.push({ file: placeOf(file), line, message });

/** What stands behind each `@throws` of a docstring. */
const throwsIn = (comment) =>
  proseOf(comment)
    .split('@')
    .filter((said) => said.startsWith('throws '));

/** Codes in backticks: words with a hyphen, and what stands right behind the name of an error of ours. */
function codesIn(said) {
  const quoted = [...said.matchAll(/\b((?:Ctx|Config|Validation)Error )?`([a-z]+(?:-[a-z]+)*)`/g)];
  return quoted
    .filter(([, error, code]) => error !== undefined || code.includes('-'))
    .map(([, , code]) => code);
}

for (const [file, { lines }] of files) {
  const text = lines.join('\n');
  for (const comment of blockComments(text)) {
    const unknown = throwsIn(comment.text)
      .flatMap(codesIn)
      .filter((code) => !documented.has(code));
    const line = text.slice(0, comment.start).split('\n').length;
    for (const code of unknown)
      report(file, line, `@throws names \`${code}\`, which is no code of docs/errors.md`);
  }
}
for (const { file, line, code } of thrown.codes) {
  if (!documented.has(code)) report(file, line, `the code "${code}" has no entry in docs/errors.md`);
}
for (const { file, name, line, doc } of publicFunctions(files)) {
  // What every package calls so passes on what registerStrategy says.
  if (name === 'register') continue;
  const said = throwsIn(doc).join(' ');
  for (const { error, code, via } of thrown.by(file, name)) {
    const isSaid = said.includes(error) || (code !== undefined && said.includes(`\`${code}\``));
    const what = code === undefined ? error : `${error} \`${code}\``;
    const through = via === undefined ? '' : ` (in ${via})`;
    if (!isSaid) report(file, line, `${name} throws ${what}${through} and does not say so in @throws`);
  }
}
conclude(offences, 'What is said of errors is what is thrown.');
