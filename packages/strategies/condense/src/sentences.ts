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

function clipped(text: string): string {
  return text.length <= longestSentence ? text : `${text.slice(0, longestSentence)}…`;
}
