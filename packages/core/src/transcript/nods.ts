/** Words of a message that says no more than that the work should go on. `registerNods` adds those of other languages. */
const english = new Set(
  `ok okay k kk yes yep yeah yup sure please thanks thank you good great perfect nice cool fine agreed approved correct right exactly absolutely
  definitely then so go on ahead continue keep going proceed carry do it that this try again next resume lgtm looks look sounds sound
  by all means of course i agree confirm confirmed`.split(/\s+/),
);

/**
 * True if a text says no more than that the work should go on: "Yes, go on."
 * @param isNod knows the words of other languages
 */
export function onlyNods(text: string, isNod: (word: string) => boolean): boolean {
  const said = text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return said.every((word) => word === '' || english.has(word) || isNod(word));
}

/** Words of an answer that says nothing without its question. */
const fewWords = 3;

/** True for a few words: "The second one." */
export function saysLittle(text: string): boolean {
  return text.trim().split(/\s+/).length <= fewWords;
}

/** UTF-16 units at the end of a message in which its question stands. */
const lastUnits = 400;

/** True if a text ends with a question or offer. */
export function asks(text: string): boolean {
  return /[?？؟]|\b(?:let me know|tell me)\b/i.test(text.slice(-lastUnits));
}
