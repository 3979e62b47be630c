import { Random } from './random.js';

const textKinds = {
  words: 10,
  question: 2,
  instruction: 3,
  code: 3,
  list: 2,
  json: 2,
  chinese: 1,
  emoji: 1,
  letters: 1,
  error: 1,
  short: 2,
  blank: 1,
  odd: 1,
};
type TextKind = keyof typeof textKinds;

/** A text by its kind, its approximate number of words and a seed. It is short to print and gives the same text each time. */
export type TextSpec = readonly [kind: TextKind, size: number, seed: number];

export function randomText(random: Random, most = 60): TextSpec {
  const size = random.chance(0.03) ? random.int(most, most * 25) : random.int(1, most);
  return [random.weighted(textKinds), size, random.int(0, 9999)];
}

/** A text that every provider accepts. */
export function randomSpeech(random: Random, most = 60): TextSpec {
  const [kind, size, seed] = randomText(random, most);
  return [kind === 'blank' || kind === 'odd' ? 'words' : kind, size, seed];
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
  '﻿',
  '\r\n',
  '[{count} ',
];

export function textOf([kind, size, seed]: TextSpec): string {
  const random = new Random(seed);
  const word = () => random.pick(vocabulary);
  const words = (count: number) => random.list(count, word).join(' ');
  switch (kind) {
    case 'words':
      return words(size);
    case 'question':
      return `${words(size)}${random.pick(['?', '？'])}`;
    case 'instruction':
      return `${random.pick(['Please always', 'You must', 'Never', 'Do not', 'Implement'])} ${words(size)}.`;
    case 'code':
      return `\`\`\`ts\n${random.list(Math.ceil(size / 6), (line) => `export function ${word()}${line}(${word()}) { return ${word()}; }`).join('\n')}\n\`\`\``;
    case 'list':
      return random
        .list(Math.ceil(size / 5), (line) => `${line + 1}. src/${word()}.ts:${line} ${words(3)}`)
        .join('\n');
    case 'json':
      return JSON.stringify(
        Object.fromEntries(random.list(Math.ceil(size / 4), (at) => [`${word()}${at}`, words(2)])),
      );
    case 'chinese':
      return random.list(size, () => random.pick([...'上下文窗口会话压缩记录。'])).join('');
    case 'emoji':
      return random.list(size, () => random.pick(['👩‍💻', '🚀', 'é', '𝔸'])).join(' ');
    case 'letters':
      return 'x'.repeat(size * 5);
    case 'error':
      return `Error: ${words(size)}`;
    case 'short':
      return random.pick(['ok', 'yes', 'why?', 'go on', 'thanks', '好的']);
    case 'blank':
      return random.pick([' ', '\n', '\t \n']);
    case 'odd':
      return random.pick(odd);
    default:
      return kind satisfies never;
  }
}
