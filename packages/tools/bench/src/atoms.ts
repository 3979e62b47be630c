/** What an agent refers to by name: paths, addresses, identifiers, ids, numbers, hashes and quoted phrases. */
export type Atom = string;

const url = /https?:\/\/[^\s"'`<>()[\]{}|\\]+/g;
const email = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const path = /(?:(?<![\w.@~-])[\w.@~-]+)?(?:\/[\w.@+-]+)+/g;
/** Dotted, with letters on both sides: `process.env`, `app.test.ts`. */
const dotted = /\b[A-Za-z_$][\w$-]{0,99}(?:\.[A-Za-z_$][\w$-]{0,99})+/g;
const word = /[A-Za-z_$][\w$]*/g;
const kebab = /\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b/g;
const number = /\b\d{4,}\b/g;
/** Letters and digits mixed: order ids, hashes. */
const mixed = /\b(?=[\w]*\d)(?=[\w]*[A-Za-z])[A-Za-z0-9]{5,}\b/g;
/** Quotations of any length, so that text between two of them does not count as one. An apostrophe does not open a quotation. */
const quoted = /"([^"\n]*)"|(?<!\w)'([^'\n]*)'(?!\w)|`([^`\n]*)`/g;
/** In characters. A longer quotation is text, not a name. */
const longestPhrase = 60;

/** An everyday word, which is not a name even if it is quoted. */
const plainWord = /^\p{Lu}?\p{Ll}+$/u;

/** In characters. Shorter words occur by chance. */
const leastLength = 5;

/** The atoms of a text, each once. Takes linear time. */
export function atomsOf(text: string): Set<Atom> {
  const atoms = new Set<Atom>();
  for (const line of text.split('\n')) {
    // A line of megabytes is data to which nobody refers.
    if (line.length > longestLine) collect(line.slice(0, longestLine), atoms);
    else collect(line, atoms);
  }
  return atoms;
}

/** In characters: more than any line that a person reads or an agent refers to. */
const longestLine = 20_000;

function collect(line: string, atoms: Set<Atom>): void {
  const add = (atom: string, least = leastLength) => {
    const trimmed = atom.replace(/(?<![.,;:!?'"-])[.,;:!?'"-]+$/, '');
    if (trimmed.length >= least) atoms.add(trimmed);
  };
  for (const phrase of phrasesOf(line)) {
    if (!plainWord.test(phrase) && /[\p{L}\p{N}]/u.test(phrase)) add(phrase, 4);
  }
  // A part of an address or a path is not a separate atom.
  let rest = line;
  for (const pattern of [url, email, path, dotted]) {
    rest = rest.replace(pattern, (found) => {
      if (!/[A-Za-z]/.test(found)) return found;
      add(found);
      return ' ';
    });
  }
  for (const pattern of [kebab, mixed]) for (const [found] of rest.matchAll(pattern)) add(found);
  for (const [found] of rest.matchAll(number)) add(found, 4);
  for (const [found] of rest.matchAll(word)) if (isCompound(found)) add(found);
}

/** Quoted texts, including those inside a quotation that is too long for a phrase. */
function phrasesOf(line: string): string[] {
  return [...line.matchAll(quoted)].flatMap(([, double, single, ticks]) => {
    const phrase = double ?? single ?? ticks ?? '';
    return phrase.length > longestPhrase ? phrasesOf(phrase) : [phrase.trim()];
  });
}

/** camelCase, PascalCase of several words, snake_case, SCREAMING_CASE of several. */
function isCompound(name: string): boolean {
  return /[a-z0-9][A-Z]/.test(name) || /[A-Za-z0-9]_[A-Za-z0-9]/.test(name);
}

/** Names from programming languages and from every project, which say nothing about a session. */
const generalFamilies = /^(?:console|Math|Object|JSON|Map|String|Array|Number|Promise|os\.path|sys|re)\.\w+$/;
const general = new Set(
  `console.log JSON.stringify JSON.parse Object.keys Object.entries Math.max Math.min Math.floor process.env process.exit
node_modules package.json README.md tsconfig.json file_path old_string new_string replace_all tool_use tool_result
toString hasOwnProperty forEach indexOf addEventListener innerHTML className undefined true false null /dev/null
/usr/bin /usr/bin/env __init__ __name__ __main__ self.assertEqual readFileSync writeFileSync setTimeout node:fs node:path
read-only well-known built-in e.g. i.e. etc. utf-8 UTF-8 follow-up up-to-date`.split(/\s+/),
);

export function isGeneral(atom: Atom): boolean {
  return general.has(atom) || generalFamilies.test(atom);
}

/** Positions of an atom in a text, except as part of a longer word. */
export function* positionsOf(atom: Atom, text: string): Generator<number> {
  for (let at = text.indexOf(atom); at >= 0; at = text.indexOf(atom, at + 1)) {
    if (!isInWord(text, at) && !isInWord(text, at + atom.length)) yield at;
  }
}

export function occursIn(atom: Atom, text: string): boolean {
  for (const _ of positionsOf(atom, text)) return true;
  return false;
}

/** True if a word goes on across the position. */
export function isInWord(text: string, at: number): boolean {
  const [before, after] = [text[at - 1], text[at]];
  return before !== undefined && after !== undefined && /\w/.test(before) && /\w/.test(after);
}

/** In characters: a few words, enough to distinguish occurrences. */
const contextLength = 24;

/** The atom with up to 24 characters of its line on either side. */
export function contextOf(text: string, at: number, atom: Atom): string {
  const end = at + atom.length;
  const before = text.slice(Math.max(0, at - contextLength), at);
  const after = text.slice(end, end + contextLength);
  return `${before.slice(before.lastIndexOf('\n') + 1)}${atom}${after.split('\n', 1)[0]}`;
}
