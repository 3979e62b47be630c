/** White space and punctuation may stand between phrases. */
const separators = /[\s\p{P}]+/gu;

/**
 * True if a text consists only of these phrases, in any order, with any white space and punctuation between them.
 * Ignores case. Time grows with the product of text and phrases, whatever the phrases: if phrases begin alike, a
 * regular expression would try every way to split the text.
 */
export function onlySays(text: string, phrases: readonly string[]): boolean {
  const plain = plainOf(text);
  const known = phrases.map(plainOf).filter((phrase) => phrase !== '');
  const reached = new Set(plain === '' ? [] : [0]);
  for (let at = 0; at < plain.length; at += 1) {
    if (!reached.has(at)) continue;
    if (plain[at] === ' ') reached.add(at + 1);
    for (const phrase of known) if (plain.startsWith(phrase, at)) reached.add(at + phrase.length);
  }
  return reached.has(plain.length);
}

const plainOf = (text: string) => text.toLowerCase().replace(separators, ' ').trim();
