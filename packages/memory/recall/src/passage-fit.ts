import { parseRef, refText } from '@ctx/archive';
import type { ArchivePassage } from '@ctx/core';

/** As much of passages as fits. */
export interface Fitted {
  readonly shown: readonly ArchivePassage[];
  /** Where what is left out begins: a passage, and a line of its message. */
  readonly next: { readonly passage: ArchivePassage; readonly line: number } | undefined;
  /** The handle of a line that is longer than fits; only its beginning is shown. */
  readonly cutLine: string | undefined;
}

type Fits = (shown: readonly ArchivePassage[]) => boolean;

/** Results of a search, the best first: those that fit. If the very best does not, as much of it as does. */
export function bestThatFit(passages: readonly ArchivePassage[], fits: Fits): readonly ArchivePassage[] {
  const shown = [...passages];
  while (shown.length > 0 && !fits(shown)) shown.pop();
  return shown.length > 0 ? shown : fromTheStart(passages.slice(0, 1), fits).shown;
}

/** What was read, in its order, up to the last line that fits. */
export function fromTheStart(passages: readonly ArchivePassage[], fits: Fits): Fitted {
  const whole = most(passages.length, (count) => fits(passages.slice(0, count)));
  const shown = passages.slice(0, whole);
  const passage = passages[whole];
  if (passage === undefined) return { shown, next: undefined, cutLine: undefined };
  const begun = cut(passage, (one) => fits([...shown, one]));
  return { ...begun, shown: [...shown, ...begun.shown] };
}

/** The longest beginning of a passage that fits, in whole lines; of a line that is too long by itself, its beginning. */
function cut(passage: ArchivePassage, fits: (head: ArchivePassage) => boolean): Fitted {
  const { message, lines } = parseRef(passage.ref);
  const first = lines?.first ?? 1;
  const texts = passage.text.split(/(?<=\n)/);
  const upTo = (count: number): ArchivePassage => ({
    ...passage,
    ref: refText({ message, lines: { first, last: first + count - 1 } }),
    text: texts.slice(0, count).join(''),
    tokens: count === texts.length ? passage.tokens : 0, // 0: not known.
  });
  const whole = most(texts.length, (count) => fits(upTo(count)));
  if (whole > 0) return { shown: [upTo(whole)], next: { passage, line: first + whole }, cutLine: undefined };
  const line = texts[0] ?? '';
  const begun = (length: number): ArchivePassage => ({ ...upTo(1), text: cutAt(line, length), tokens: 0 });
  const length = most(line.length, (count) => fits(begun(count)));
  if (length === 0) return { shown: [], next: { passage, line: first }, cutLine: undefined };
  const head = begun(length);
  return { shown: [head], next: { passage, line: first + 1 }, cutLine: head.ref };
}

/** Never inside a pair of surrogates. */
function cutAt(line: string, length: number): string {
  const code = line.charCodeAt(length - 1);
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

/** The largest count that fits. Begins with few, because what is too much may be megabytes. */
function most(all: number, fits: (count: number) => boolean): number {
  let [low, step] = [0, 1];
  while (low + step <= all && fits(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(all, low + step - 1);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
