import { seededRandom } from '@ctx/core';
import fc from 'fast-check';
import { int, often } from './choices.js';

/** Makes what a text consists of. */
interface Maker {
  words(count: number): string;
  pick(values: readonly string[]): string;
  list(length: number, make: (index: number) => string): string[];
}

/** How often each kind of text comes, and how it is made in about so many words. */
const kinds = {
  words: [10, (size, { words }) => words(size)],
  question: [2, (size, { words, pick }) => `${words(size)}${pick(['?', '？'])}`],
  instruction: [
    3,
    (size, { words, pick }) =>
      `${pick(['Please always', 'You must', 'Never', 'Do not', 'Implement'])} ${words(size)}.`,
  ],
  code: [
    3,
    (size, { words, list }) => {
      const line = (at: number) => `export function ${words(1)}${at}(${words(1)}) { return ${words(1)}; }`;
      return `\`\`\`ts\n${list(size / 6, line).join('\n')}\n\`\`\``;
    },
  ],
  list: [
    2,
    (size, { words, list }) =>
      list(size / 5, (at) => `${at + 1}. src/${words(1)}.ts:${at} ${words(3)}`).join('\n'),
  ],
  json: [
    2,
    (size, { words, list }) => `{${list(size / 4, (at) => `"${words(1)}${at}":"${words(2)}"`).join()}}`,
  ],
  chinese: [1, (size, { pick, list }) => list(size, () => pick([...'上下文窗口会话压缩记录。'])).join('')],
  emoji: [1, (size, { pick, list }) => list(size, () => pick(['👩‍💻', '🚀', 'é', '𝔸'])).join(' ')],
  letters: [1, (size) => 'x'.repeat(size * 5)],
  error: [1, (size, { words }) => `Error: ${words(size)}`],
  short: [2, (_, { pick }) => pick(['ok', 'yes', 'why?', 'go on', 'thanks', '好的'])],
  blank: [1, (_, { pick }) => pick([' ', '\n', '\t \n'])],
  odd: [1, (_, { pick }) => pick(odd)],
} satisfies Record<string, readonly [weight: number, make: (size: number, maker: Maker) => string]>;
type TextKind = keyof typeof kinds;

/** A text by its kind, its size in percent of what is usual, and a seed. It is short to print and gives the same text each time. */
export type TextSpec = readonly [kind: TextKind, size: number, seed: number];

const anyKind = often(
  ...Object.entries(kinds).map(([kind, [weight]]) => [weight, fc.constant(kind as TextKind)] as const),
);
export const anyText: fc.Arbitrary<TextSpec> = fc.tuple(
  anyKind,
  often([97, int(1, 100)], [3, int(100, 2500)]),
  int(0, 9999),
);

/** What a manager's conversation is like: the words of a usual text at most, and whether it has only what every provider accepts. */
export interface Style {
  readonly most: number;
  readonly plain: boolean;
}

const vocabulary =
  'the session keeps a cache of tokens while parser and budget wait for results from server build tests fail again because path is missing in config module index export function class value error retry window'.split(
    ' ',
  );
const odd = [
  '',
  '',
  '\u0000',
  '\ud83d',
  '<|endoftext|>',
  '\u202e',
  '{count}',
  '__proto__',
  '\ufeff',
  '\r\n',
  '[{count} ',
];

export function textOf([kind, size, seed]: TextSpec, { most, plain }: Style): string {
  const random = seededRandom(seed);
  const pick: Maker['pick'] = (values) => values[Math.floor(random() * values.length)] ?? '';
  const list: Maker['list'] = (length, make) =>
    Array.from({ length: Math.ceil(length) }, (_, at) => make(at));
  const words: Maker['words'] = (count) => list(count, () => pick(vocabulary)).join(' ');
  const [, make] = kinds[plain && (kind === 'blank' || kind === 'odd') ? 'words' : kind];
  return make(Math.ceil((size * most) / 100), { words, pick, list });
}
