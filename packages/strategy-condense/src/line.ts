import { searchable } from './search.js';
import { termsOf } from './sentences.js';

/** Words with which somebody decides, finds out or concludes, in some languages. */
const decides =
  /\b(decid|because|instead|must|should|root cause|fixed|found|turns out|works|fails|next|todo|entschied|weil|donc|porque)\w*/i;
/** A reader may take what stands after one of these for a line of its own; only line feeds are set in. */
const otherBreaks = /[\r\u2028\u2029]/g;
/** The number that a line of an extracted summary begins with. */
const numbered = /^\(#\d+\)/;

/** A line that a summary may hold, without the number of its message. */
export interface Line {
  /** Without the number that it may have had in an earlier summary. */
  readonly bare: ReturnType<typeof searchable>;
  readonly terms: ReadonlySet<string>;
  readonly isDecision: boolean;
  /** How it is quoted, alone and with its line break. A line of an earlier summary keeps its number. */
  quotedBy(number: number): { readonly text: string; readonly withBreak: string };
}

/** Everything about a line that does not depend on what stands beside it. */
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
