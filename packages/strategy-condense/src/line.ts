import { searchable } from './search.js';
import { termsOf } from './sentences.js';

/** Words that express a decision, a finding or a conclusion, in several languages. */
const decides =
  /\b(decid|because|instead|must|should|root cause|fixed|found|turns out|works|fails|next|todo|entschied|weil|donc|porque)\w*/i;
/** Line breaks other than line feeds. They become spaces, because the text after one could look like a separate line. */
const otherBreaks = /[\r\u2028\u2029]/g;
/** The number at the start of a line of an extracted summary. */
const numbered = /^\(#\d+\)/;

/** A line that may be part of a summary, without the number of its message. */
export interface Line {
  /** The line without the number that it may have had in an earlier summary. */
  readonly bare: ReturnType<typeof searchable>;
  readonly terms: ReadonlySet<string>;
  readonly isDecision: boolean;
  /** The line as it is quoted, without and with a line break at its end. A line of an earlier summary keeps its number. */
  quotedBy(number: number): { readonly text: string; readonly withBreak: string };
}

/** Everything about a line that does not depend on other lines. */
export function lineOf(original: string, isOfSummary = false): Line {
  const sentence = original.replace(otherBreaks, ' ');
  const own = isOfSummary ? numbered.exec(sentence)?.[0] : undefined;
  const bare = own === undefined ? sentence : sentence.slice(own.length).trim();
  let quoted: { readonly number: number; readonly text: string; readonly withBreak: string } | undefined;
  return {
    bare: searchable(bare),
    terms: termsOf(bare),
    isDecision: decides.test(bare),
    quotedBy(number) {
      if (quoted?.number === number) return quoted;
      const text = `- ${own ?? `(#${number})`} ${bare}`;
      quoted = { number, text, withBreak: `${text}\n` };
      return quoted;
    },
  };
}
