import { type Definition, type DefinitionKind, detached } from './definition.js';
import { forEachLine } from './lines.js';
import type { Slices } from './slices.js';

const modifiers =
  'public|private|protected|internal|export|default|pub|abstract|final|sealed|static|async|override|open|data|inline|partial|virtual|suspend|local|pure|recursive|case|implicit|unsafe|extern|global|Public|Private';

/** Keywords of many languages and what they define. All other keywords define a function. */
const KINDS: Readonly<Record<string, DefinitionKind>> = {
  class: 'class',
  struct: 'class',
  enum: 'class',
  record: 'class',
  object: 'class',
  module: 'class',
  defmodule: 'class',
  namespace: 'class',
  package: 'class',
  table: 'class',
  view: 'class',
  type: 'class',
  interface: 'interface',
  trait: 'interface',
  protocol: 'interface',
};

const definition = new RegExp(
  String.raw`^[ \t]{0,40}(?:(?:${modifiers})[ \t]+){0,6}(class|struct|enum|record|object|module|defmodule|namespace|interface|trait|protocol|def|defp|defn|func|function|fun|fn|sub|proc|procedure|macro|Class|Module|Function|Sub)[ \t]+([\p{L}_$][\p{L}\p{N}_$.:!?-]{0,199})`,
  'u',
);

const sql =
  /^[ \t]{0,40}create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:temp(?:orary)?[ \t]+|materialized[ \t]+|global[ \t]+|unlogged[ \t]+)*(table|view|type|function|procedure|trigger|package)[ \t]+(?:body[ \t]+)?(?:if[ \t]+not[ \t]+exists[ \t]+)?([`"[\]\w.$]{1,200})/i;

/**
 * Finds definitions in texts without a grammar, by the first words of lines: `class`, `struct`, `interface`, `def`, `func`, `fn`,
 * `function`, `sub`, `module`, SQL's `create table` and similar, after modifiers such as `public`. The end of a definition is not known,
 * so it extends to the next definition that is indented as much or less.
 */
export async function fallbackDefinitions(text: string, slices: Slices): Promise<readonly Definition[]> {
  const found: { kind: DefinitionKind; name: string; startLine: number; endLine: number }[] = [];
  const open: { readonly at: number; readonly indent: number }[] = [];
  const close = (indent: number, endLine: number) => {
    for (let top = open.at(-1); top !== undefined && top.indent >= indent; top = open.at(-1)) {
      const definition = found[top.at];
      if (definition !== undefined) definition.endLine = endLine;
      open.pop();
    }
  };
  let lastFilled = 0;
  await forEachLine(text, slices, (line, number) => {
    const match = definition.exec(line) ?? sql.exec(line);
    if (match !== null) {
      const [, keyword = '', name = ''] = match;
      const indent = line.search(/\S/);
      close(indent, lastFilled);
      open.push({ at: found.length, indent });
      const kind = KINDS[keyword.toLowerCase()] ?? 'function';
      const plain = detached(name.replace(/[`"[\]]|(?<![:.!?-])[:.!?-]+$/g, ''));
      found.push({ kind, name: plain, startLine: number, endLine: number });
    }
    if (line !== '') lastFilled = number;
  });
  close(0, lastFilled);
  return found;
}
