import { withoutNumber } from './bulk.js';
import { argumentsOf } from './call-title.js';
import { perSection, type Section } from './sections.js';
import { mostly, sizes } from './weights.js';

/**
 * Whether a result says what to do or what was found, as an issue, a plan, a specification, rules, a report of a sub-agent do: most of its
 * text is sentences, lists of them and headings.
 */
export function isBrief(section: Section): boolean {
  return section.kind === 'call' && saysWhat(section);
}

const saysWhat = perSection(({ blocks, call }) => {
  const result = blocks.findLast(({ voice }) => voice === 'tool') ?? blocks[0];
  if (result === undefined) return false;
  const text = blocks.reduce((longest, one) => (one.text.length > longest.length ? one.text : longest), '');
  if (text.length < sizes.line) return false;
  // A program that speaks of its own commands says how to use it, and not what to do.
  const program = /^[\w.-]+/.exec((call && argumentsOf(call).main) ?? '')?.[0] ?? '';
  let [prose, all, lines, structured, used] = [0, 0, 0, 0, 0];
  // A warning that stands there for each file is said once.
  for (const line of new Set(text.slice(0, sizes.document).split('\n'))) {
    const said = withoutNumber(line).trim();
    if (said === '') continue;
    if (program !== '' && (said.startsWith(`${program} `) || said.includes(`\`${program} `))) used += 1;
    all += said.length;
    if (!isProse(said)) continue;
    prose += said.length;
    lines += 1;
    if (structure.test(said) || /[.!?:。！？]["'”’*`)]*$/u.test(said)) structured += 1;
  }
  return all > 0 && prose / all >= mostly && structured / lines >= mostly && used < lines / 4;
});

/** A heading or an item of a list, behind the number of a line. */
const structure = /^(?:[-*+•>] |#{1,6} |\d{1,3}[.)] |\[[ xX]\] |\|)/;
/** An item of a list that begins with code or an address, as a document lists its files and sources. */
const linkItem = /^[-*+•] (?:\[[ xX]\] )?(?:`[^`]+`|https?:\/\/\S+)/;
const plainWord = /^[("'“‘*_`[]*\p{L}+(?:['’-]\p{L}+)*[)"'”’*_`\],.;:!?—]*$/u;
/** The place before what a search or a compiler found there. */
const isHit = /^\S+?(?::\d+[:-]|\(\d+,\d+\):)/;
/** A field of JSON: data, whatever sentences are in it. */
const isField = /"[\w.-]+" ?:|[}\]],?$/;
const noSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{8}/u;

/** Whether a line is a sentence or a part of one, an item of a list, or a heading. */
export function isProse(line: string): boolean {
  const said = withoutNumber(line).trim();
  if (/^#{1,6} \S/.test(said)) return true;
  if (/^(?:\/\/|\/\*|\* @)/.test(said) || isHit.test(said) || isField.test(said)) return false;
  if (linkItem.test(said)) return true;
  const words = said.replace(/^(?:[-*+•>|]|\d{1,3}[.)]|\[[ xX]\]|\s)+/, '').split(/\s+/);
  if (noSpaces.test(said)) return true;
  if (words.length < 4) return false;
  const share = words.filter((word) => plainWord.test(word)).length / words.length;
  return share >= (structure.test(said) ? 0.5 : 0.7);
}

/** Words of an order, in a few languages. */
const ordering =
  /\b(?:always|never|must|should|do not|don['’]t|only|required?|mandatory|no-gos?|acceptance|immer|niemals|muss|siempre|nunca|toujours|jamais)\b|必须|务必|不要/i;

const ban = /^(?:[-*+•] |\d{1,3}[.)] )?no /i;
const open = /^(?:[-*+•] |\d{1,3}[.)] )\[ \] /;

export function isOrder(line: string): boolean {
  const said = withoutNumber(line).trim();
  return ordering.test(said) || ban.test(said) || open.test(said);
}
