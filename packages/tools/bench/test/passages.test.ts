import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { cutBefore, measure } from './small-cut.js';

const uses = assistant('I change src/sum.ts.');
const read = (text: string) =>
  transcript(call('1', 'read', { path: 'src/total.ts' }), result('1', text)) as [Message, Message];
const source = 'alpha one\nthe total in src/sum.ts is rounded twice\nomega two';
const before = read(source);
const cut = cutBefore(before, [uses]);

/** 100 or 0, because only one atom is needed. */
const left = (text: string, of = cut): number => measure(of, [user(text)]).usablePassage;

describe('a line survives', () => {
  test('with its neighbours if nothing is compressed', () => {
    expect(measure(cut, [user('Go on.'), ...before]).usablePassage).toBe(100);
  });

  test.each<[string, string, number]>([
    ['with both neighbours', source, 100],
    ['without the line before it', 'the total in src/sum.ts is rounded twice\nomega two', 0],
    ['without the line after it', 'alpha one\nthe total in src/sum.ts is rounded twice', 0],
    ['apart from a neighbour', 'alpha one\n…\nthe total in src/sum.ts is rounded twice\nomega two', 0],
    ['without its end', 'alpha one\nthe total in src/sum.ts is rounded\nomega two', 0],
    ['without its beginning', 'alpha one\nin src/sum.ts is rounded twice\nomega two', 0],
    ['as part of longer words', 'xthe total in src/sum.ts is rounded twice', 0],
    ['with a neighbour that has lost its end', `${source.slice(0, -2)}`, 0],
    ['indented', source.replace(/^/gm, '    '), 100],
    ['indented, but for its neighbours', source.replace('the total', '    the total'), 100],
    ['with blank lines around it', source.replaceAll('\n', '\n\n  \n'), 100],
    ['with carriage returns', source.replaceAll('\n', '\r\n'), 100],
    ['after the name of its speaker', `user: ${source}`, 100],
  ])('%s', (_how, text, expected) => {
    expect(left(text)).toBe(expected);
  });

  test('without the blank lines around it', () => {
    const blank = cutBefore(read(source.replaceAll('\n', '\n\n\n')), [uses]);
    expect(left(source, blank)).toBe(100);
  });

  test('with one neighbour at the beginning and at the end of its text', () => {
    const first = cutBefore(read('see src/sum.ts here\nsecond\nthird'), [uses]);
    expect(left('see src/sum.ts here\nsecond', first)).toBe(100);
    expect(left('see src/sum.ts here\nthird', first)).toBe(0);
    const last = cutBefore(read('first\nsecond\nsee src/sum.ts here'), [uses]);
    expect(left('second\nsee src/sum.ts here', last)).toBe(100);
    expect(left('first\nsee src/sum.ts here', last)).toBe(0);
  });

  test('alone if its text has no other line', () => {
    const only = cutBefore([user('only src/sum.ts'), assistant('ok')], [uses]);
    expect(left('only src/sum.ts', only)).toBe(100);
  });

  test('in any of the places where it was said', () => {
    const twice = cutBefore([...before, user('other\nsrc/sum.ts too')], [uses]);
    expect(left('other\nsrc/sum.ts too', twice)).toBe(100);
    expect(left('alpha one\nsrc/sum.ts too', twice)).toBe(0);
  });

  test('or else its atom counts for nothing', () => {
    const two = cutBefore(
      [user('a\nfirst_name of all\nb'), assistant('c\nsecond_name of all\nd')],
      [assistant('first_name second_name')],
    );
    expect(left('a\nfirst_name of all\nb\nsecond_name of', two)).toBe(50);
  });
});

describe('a line over 300 characters survives', () => {
  const filler = (from: number, length: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + from + at)).join('');
  const [head, tail] = [filler(0, 400), filler(400, 400)];
  const long = `${head} src/sum.ts ${tail}`;
  const lengthy = cutBefore(read(`above\n${long}\nbelow`), [uses]);

  test('with 150 characters on either side, which are its passage too', () => {
    expect(left(`${head.slice(-149)} src/sum.ts ${tail.slice(0, 149)}`, lengthy)).toBe(100);
    expect(left(`${head.slice(-148)} src/sum.ts ${tail.slice(0, 149)}`, lengthy)).toBe(0);
    expect(left(`${head.slice(-149)} src/sum.ts ${tail.slice(0, 148)}`, lengthy)).toBe(0);
  });

  test('with the neighbour that is within these characters', () => {
    const early = cutBefore(read(`above\nsrc/sum.ts ${tail}\nbelow`), [uses]);
    const shown = `src/sum.ts ${tail.slice(0, 149)}`;
    expect(left(shown, early)).toBe(0);
    expect(left(`above\n${shown}`, early)).toBe(100);
  });

  test('as a neighbour, with the 150 characters next to the line', () => {
    const beside = cutBefore(read(`${head}\nsee src/sum.ts here\n${tail}`), [uses]);
    const shown = (length: number) => `${head.slice(-length)}\nsee src/sum.ts here\n${tail.slice(0, length)}`;
    expect(left(shown(150), beside)).toBe(100);
    expect(left(shown(149), beside)).toBe(0);
  });

  test('as a whole if it has 300', () => {
    const text = `${filler(0, 289)} src/sum.ts`;
    const short = cutBefore(read(text), [uses]);
    expect(text).toHaveLength(300);
    expect(left(text, short)).toBe(100);
    expect(left(text.slice(1), short)).toBe(0);
  });
});

describe('a line of an argument survives', () => {
  const written = transcript(
    call('1', 'write', { path: 'lib/a.ts', edits: [{ text: 'one\n\tsrc/sum.ts "two"\nthree' }] }),
    result('1', 'done'),
  );
  const writing = cutBefore(written, [uses]);

  test('decoded, between the lines of its own text', () => {
    expect(left('one\nsrc/sum.ts "two"\nthree', writing)).toBe(100);
    expect(left(JSON.stringify({ text: 'one\n\tsrc/sum.ts "two"\nthree' }), writing)).toBe(0);
  });

  test('in the call itself', () => {
    expect(measure(writing, [user('Go on.'), ...written]).usablePassage).toBe(100);
  });

  test('without other arguments, which are no neighbours', () => {
    const two = transcript(call('1', 'move', { from: 'src/sum.ts', to: 'lib/b.ts' }), result('1', 'done'));
    expect(left('src/sum.ts', cutBefore(two, [uses]))).toBe(100);
  });
});

test('a result that is over the budget or not valid has no lines', () => {
  expect(measure(cut, before, 3)).toMatchObject({ ctx: 100, usablePassage: 0 });
  const broken = transcript(before[1]);
  expect(measure(cut, broken)).toMatchObject({ ctx: 100, usablePassage: 0 });
});
