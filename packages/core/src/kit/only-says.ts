/** White space and punctuation, which may stand between phrases. */
const separators = /[\s\p{P}]+/gu;

/**
 * Tells whether a text consists of these phrases and of nothing else, in any order, with or without white space and punctuation
 * between them. Upper and lower case are the same. Time grows with the product of text and phrases, whatever the phrases are:
 * a regular expression would try every way to divide the text where one phrase begins like another.
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
