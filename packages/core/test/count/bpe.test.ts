import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bpeCounter, MessageCounter, seededRandom } from '@ctx/core';
import { user, words } from '@ctx/testing';
import fc from 'fast-check';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

const plain = { disallowedSpecial: new Set<string>() };
const exactly = (text: string) => o200k.countTokens(text, plain);

describe('counting with BPE', () => {
  const counter = bpeCounter();
  beforeAll(() => counter.load?.());

  test('takes special tokens as plain text', () => {
    for (const special of ['<|endoftext|>', '<|im_start|>system', '<|endofprompt|>', '<|fim_prefix|>']) {
      expect(counter.count(special)).toBeGreaterThan(1);
      expect(counter.count(special)).toBe(exactly(special));
    }
  });

  test('returns a whole number for any UTF-16 string and never throws', () => {
    const codeUnits = fc
      .array(fc.nat(0xffff), { maxLength: 600 })
      .map((units) => String.fromCharCode(...units));
    const runs = fc
      .tuple(fc.constantFrom('\ud800', '\udc00', '👩‍👩‍👧‍👦', '\0', 'é', '한', '\t', '=', 'x'), fc.nat(900))
      .map(([unit, times]) => unit.repeat(times));
    fc.assert(
      fc.property(fc.array(fc.oneof(codeUnits, runs), { maxLength: 3 }), (texts) => {
        const tokens = counter.count(texts.join(''));
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
      }),
      { numRuns: 34 },
    );
  });

  // One letter of each class that the patterns of both encodings distinguish, and the characters between them.
  const classes = fc.constantFrom(
    ...['a', 'Z', 'ß', 'ǅ', 'ʰ', 'א', '的', 'か', '\u0301', '\u0903', '\u{1f3fd}', '\u{20000}'],
    ...['7', '٣', 'Ⅷ', ' ', '\t', '\r', '\n', '\u00a0', '\u2028', '\u3000', '\ufeff', '\u200b'],
    ...['/', "'", "'s", "'LL", '!', '。', '👍', '€', '\0', '\ud800', '\udc00'],
  );
  const runs = (longest: number) =>
    fc
      .array(
        fc
          .tuple(fc.array(classes, { minLength: 1, maxLength: 3 }), fc.nat(longest))
          .map(([units, length]) => units.join('').repeat(Math.ceil(length / units.join('').length))),
        { maxLength: 8 },
      )
      .map((texts) => texts.join(''));

  test.each([
    ['o200k_base', o200k, O200K_TOKEN_SPLIT_REGEX] as const,
    ['cl100k_base', cl100k, CL100K_TOKEN_SPLIT_REGEX] as const,
  ])('is exact for %s if no piece of its pattern is giant', async (encoding, tokenizer, pattern) => {
    const counter = bpeCounter(encoding);
    await counter.load?.();
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(runs(40), runs(600)), (text) => {
        if ([...text.matchAll(pattern)].some(([piece]) => piece.length > 512)) return;
        compared += 1;
        expect(counter.count(text)).toBe(tokenizer.countTokens(text, plain));
      }),
      { numRuns: 134 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test.each([
    ['o200k_base', O200K_TOKEN_SPLIT_REGEX] as const,
    ['cl100k_base', CL100K_TOKEN_SPLIT_REGEX] as const,
  ])('is exact for %s on the text around giant pieces', async (encoding, pattern) => {
    const counter = bpeCounter(encoding);
    await counter.load?.();
    const giants = fc.constantFrom('x', '=', '\u3000', '/\n', '的').map((unit) => unit.repeat(600));
    fc.assert(
      fc.property(fc.array(fc.oneof(runs(12), giants), { maxLength: 7 }), (texts) => {
        const text = texts.join('');
        const pieces = [...text.matchAll(pattern)].map(([piece]) => counter.count(piece));
        expect(counter.count(text)).toBe(pieces.reduce((sum, tokens) => sum + tokens, 0));
      }),
      { numRuns: 67 },
    );
  });

  test('is exact on nearly a million characters that look like one piece but are not', () => {
    const text = '这是一个句子。'.repeat(140_000);
    expect(counter.count(text)).toBe(exactly(text));
  });

  test('stays within 2 % of the exact count on more than a million characters of several kinds', () => {
    const kinds = [words(9_000), '这是一个句子。'.repeat(2_000), '{"id":17,"at":[0.125,9e-7]},'.repeat(900)];
    const random = seededRandom(3);
    for (const share of [0.2, 0.5, 0.9]) {
      const drawn = Array.from({ length: 90 }, () => (random() < share ? 0 : 1 + Math.floor(random() * 2)));
      const text = drawn.map((kind) => kinds[kind]).join('\n');
      expect(text.length).toBeGreaterThan(1_200_000);
      expect(Math.abs(counter.count(text) / exactly(text) - 1)).toBeLessThan(0.02);
    }
  });

  // Each is one piece or a few. The tokenizer alone takes minutes for one of them.
  test.each<[string, string]>([
    ['lines of slashes', '/\n'],
    ['punctuation and carriage returns', '=/\r\n'],
    ['ideographic spaces', '\u3000'],
    ['spaces of several kinds', '\u3000\u2003\u2028'],
    ['letters with combining marks', 'A\u0301'],
    ['marks alone', '\u0301\u0302'],
    ['Devanagari without a space', 'क्षत्रिय'],
    ['zero-width spaces', '\u200b'],
    ['lone surrogates', '\ud800!'],
    ['symbols beyond the first plane', '🚀⚡'],
  ])('takes linear time on 2 MB of %s', (_, unit) => {
    const tokens = counter.count(unit.repeat(2_000_000 / unit.length));
    const share = exactly(unit.repeat(2_520 / unit.length)) / 2_520;
    expect(tokens / 2_000_000 / share).toBeGreaterThan(0.9);
    expect(tokens / 2_000_000 / share).toBeLessThan(1.1);
  });

  const random = seededRandom(7);
  const pick = (letters: string, length: number) => {
    const all = [...letters];
    return Array.from({ length }, () => all[Math.floor(random() * all.length)]).join('');
  };
  test.each<[string, string]>([
    ['random letters', pick('abcdefghijklmnopqrstuvwxyzABCDEFGH', 6_000)],
    ['base64', pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 20_000)],
    ['Chinese without a stop', pick('的一是在不了有和人这中大为上个国我以要他', 4_000)],
    ['Thai', pick('กขคงจฉชซญดตถทธนบปพมยรลวสหอ', 4_000)],
    ['punctuation', pick('!?.,;:-_#*+~(){}[]<>=', 4_000)],
    ['emoji', pick('😀😂🎉🚀👍', 2_000)],
    ['one letter', 'a'.repeat(4_000)],
    ['one line of a table', '='.repeat(4_000)],
    ['a run in the midst of prose', `It said ${pick('abcdefghij', 3_000)}, and so on. ${words(300)}`],
  ])('stays within 0.3 % of the exact count on %s', (_title, text) => {
    const exact = exactly(text);
    expect(Math.abs(counter.count(text) - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.003));
  });

  test('stays within 1 % on a run of white space', () => {
    for (const kinds of [' \n\t', '    \n', ' \t', ' ']) {
      const text = pick(kinds, 4_000);
      expect(Math.abs(counter.count(text) / exactly(text) - 1)).toBeLessThanOrEqual(0.01);
    }
  });
});

test('no text is searched with the pattern with which the tokenizer itself searches meanwhile', async () => {
  // A search would have to write where it ended.
  for (const pattern of [O200K_TOKEN_SPLIT_REGEX, CL100K_TOKEN_SPLIT_REGEX]) Object.freeze(pattern);
  const counter = bpeCounter();
  await counter.load?.();
  const text = 'Zyxwv, qponml and kjihg were counted by nobody.';
  expect(counter.count(text)).toBe(exactly(text));
});

test('before the tokenizer is loaded, a figure is marked as an estimate', async () => {
  const counter = new MessageCounter(bpeCounter('o200k_base'));
  const message = user('Four words and more of them, at length');
  expect(counter.message(message).estimated).toBe(true);
  await counter.load();
  expect(counter.message(message)).toEqual({
    tokens: 3 + exactly(message.content as string),
    toolCalls: 0,
    imageTokens: 0,
    estimated: false,
  });
});

test('texts that were counted are let go of, whichever counters counted them', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const counters = Array.from({ length: 20 }, () => bpeCounter());
  for (const counter of counters) await counter.load?.();
  const random = seededRandom(1);
  const letters = () =>
    String.fromCharCode(...Array.from({ length: 20 }, () => 97 + Math.floor(random() * 26)));
  const common = words(10_000);
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  for (const counter of counters) counter.count(`${common} ${letters()}`);
  const before = heap();
  // The tokenizer remembers the word that it does not know, and the text with it.
  for (let at = 0; at < 500; at += 1)
    (counters[at % counters.length] as (typeof counters)[number]).count(`${letters()} ${common}`);
  expect(500 * common.length).toBeGreaterThan(20_000_000);
  expect(heap() - before).toBeLessThan(10_000_000);
}, 60_000);
