/** The end of a sentence: a mark before white space and a capital, or a Chinese or Japanese mark. */
const sentenceEnd = /(?<=[.!?…]["')\]]?)\s+(?=["'([]?[\p{Lu}\p{Lo}\d])|(?<=[。！？])/u;
/** In characters. A longer sentence is not prose, and would crowd out everything else. */
const longestSentence = 400;
/** In characters: a longer message is read only at its start and its end, up to this length in all. */
const longestText = 40_000;

/**
 * The sentences of a text, line by line, without code blocks. A sentence that is too long is clipped and gets a mark. Takes linear time,
 * up to a fixed maximum.
 */
export function sentencesOf(text: string): string[] {
  const looked =
    text.length <= longestText ? text : `${text.slice(0, longestText / 2)}\n${text.slice(-longestText / 2)}`;
  const sentences: string[] = [];
  let isCode = false;
  for (const line of looked.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && line.trim() !== '') {
      const short = line.length > 4 * longestSentence ? clipped(line) : line;
      for (const sentence of short.split(sentenceEnd)) {
        const trimmed = sentence.replace(/^\s*(?:[-*>#]+|\d+[.)])\s+/, '').trim();
        if (trimmed.length > 2) sentences.push(clipped(trimmed));
      }
    }
  }
  return sentences;
}

export function clipped(text: string): string {
  return text.length <= longestSentence ? text : `${text.slice(0, longestSentence)}…`;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const term = /[\p{L}_$][\p{L}\p{N}_$./-]{2,}|\d{2,}(?:\.\d+)?/gu;

/** The words that distinguish a sentence from others, in lower case. A segmenter finds the words of scripts without spaces. */
export function termsOf(sentence: string): Set<string> {
  const terms = new Set<string>();
  for (const [found] of sentence.matchAll(term)) {
    if (!spaceless.test(found)) terms.add(found.toLowerCase().replace(/(?<![./-])[./-]+$/, ''));
  }
  if (spaceless.test(sentence)) {
    for (const { segment, isWordLike } of segmenter.segment(sentence))
      if (isWordLike === true && spaceless.test(segment)) terms.add(segment);
  }
  return terms;
}
