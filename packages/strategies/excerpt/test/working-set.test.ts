import { finish, type Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { candidatesOf, tokensOfUnit } from '../src/candidates.js';
import { ConversationIndex } from '../src/conversation-index.js';
import { sourcesIn } from '../src/sources-in.js';
import { changedSince, freshFile } from '../src/weights.js';
import { withWorkingSet } from '../src/working-set.js';

/** Lines that differ in more than their numbers. */
const text = (name: string) =>
  [...'abcdefghijkl'].map((one) => `const ${name}_${one} = read${name}(${one});`).join('\n');
let calls = 0;
/** A call with its result. */
function done(toolName: string, input: object, output: string, isError = false): Message[] {
  calls += 1;
  return [call(`c${calls}`, toolName, input), result(`c${calls}`, output, { isError })];
}
const read = (path: string, fields: object = {}) =>
  done('read', { path, ...fields }, text(path.replace('.', '')));
const edit = (path: string) => done('edit', { path, old_string: text('old'), new_string: text('new') }, 'ok');

interface Asked {
  /** The share of all tokens that there is room for. */
  readonly room?: number;
  readonly known?: (count: number) => Float64Array;
}

/** What a token of each call is worth because of its file, by the order of the calls; undefined if nothing is. */
function worthOf(messages: readonly Message[], { room = 0.25, known }: Asked = {}): number[] | undefined {
  const said = transcript(...messages);
  const index = new ConversationIndex();
  finish(index.read(said));
  const sources = finish(sourcesIn(index, () => true));
  const candidates = finish(candidatesOf(sources, 0.25));
  let tokens = 0;
  for (let unit = 0; unit < candidates.count; unit += 1) tokens += tokensOfUnit(candidates, unit);
  const options = {
    weights: finish(index.use.weights(index.terms, index.terms.size)),
    held: new Uint8Array(index.terms.size),
    roomTokens: tokens * room,
  };
  const fixed = finish(withWorkingSet(sources, candidates, options, said.length, known?.(candidates.count)));
  if (fixed === undefined) return undefined;
  return sources.flatMap(({ section }, source) => {
    if (section.call === undefined) return [];
    let [worth, own] = [0, 0];
    for (let unit = 0; unit < candidates.count; unit += 1) {
      if (candidates.source[unit] !== source || (candidates.position[unit] as number) < 0) continue;
      worth += fixed[unit] as number;
      own += tokensOfUnit(candidates, unit);
    }
    return [own === 0 ? 0 : worth / own];
  });
}

const others = [...done('grep', { pattern: 'x' }, text('found')), assistant('I see.')];

describe('a token of a file that may be edited next', () => {
  test('is worth more the later the file was read', () => {
    const [old = 0, , recent = 0] = worthOf([user('go'), ...read('a.ts'), ...others, ...read('b.ts')]) ?? [];
    expect(old).toBeGreaterThan(0);
    expect(recent).toBeGreaterThan(old);
    // The calls are messages 1 and 6 of 8.
    expect(recent / old).toBeCloseTo((1 + 7 / freshFile) / (1 + 2 / freshFile), 5);
  });

  test('is worth the more, the less room there is, and nothing if all fits', () => {
    const messages = [user('go'), ...read('a.ts'), ...others];
    const [wide = 0] = worthOf(messages, { room: 0.5 }) ?? [];
    const [narrow = 0] = worthOf(messages, { room: 0.1 }) ?? [];
    expect(narrow / wide).toBeCloseTo(0.9 / 0.1 / (0.5 / 0.5), 5);
    for (const room of [1, 2, 0, -1]) expect(worthOf(messages, { room })).toBeUndefined();
  });

  test('is worth the same in each line, also in one without a telling term', () => {
    const messages = [
      user('go'),
      ...done('read', { path: 'a.ts' }, `${text('a')}\n}\n}\n${text('b')}`),
      ...others,
    ];
    const [mean = 0, search] = worthOf(messages) ?? [];
    expect(mean).toBeGreaterThan(0);
    expect(search).toBe(0);
  });

  test('is worth nothing in an older state of the file', () => {
    const [old, newest = 0] = worthOf([user('go'), ...read('a.ts'), ...read('a.ts'), ...others]) ?? [];
    expect(old).toBe(0);
    expect(newest).toBeGreaterThan(0);
  });

  test('stays worth something if only a part of the file was read again', () => {
    const [whole = 0, part = 0] =
      worthOf([user('go'), ...read('a.ts'), ...read('a.ts', { offset: 3 }), ...others]) ?? [];
    expect(whole).toBeGreaterThan(0);
    expect(part).toBeGreaterThan(whole);
  });

  test('is worth less if the file has been changed since, and the change itself is worth the most', () => {
    const [stale = 0, change = 0] = worthOf([user('go'), ...read('a.ts'), ...edit('a.ts'), ...others]) ?? [];
    const [fresh = 0] = worthOf([user('go'), ...read('a.ts'), ...edit('b.ts'), ...others]) ?? [];
    expect(stale).toBeGreaterThan(0);
    expect(change).toBeGreaterThan(stale);
    // The file was read 7 messages ago, and changed 5 messages ago.
    expect(stale / change).toBeCloseTo((changedSince * (1 + 5 / freshFile)) / (1 + 7 / freshFile), 5);
    expect(fresh).toBeGreaterThan(stale);
  });

  test('is worth nothing where the call failed', () => {
    const messages = [user('go'), ...done('read', { path: 'a.ts' }, text('a'), true), ...others];
    expect(worthOf(messages)).toBeUndefined();
  });

  test('is worth that besides what is known already', () => {
    const messages = [user('go'), ...read('a.ts'), ...others];
    const before = new Map<number, Float64Array>();
    const known = (count: number) => {
      const some = before.get(count) ?? new Float64Array(count).fill(1_000);
      before.set(count, some);
      return some;
    };
    const [file = 0, search = 0] = worthOf(messages, { known }) ?? [];
    expect(search).toBeGreaterThan(0);
    expect(file).toBeGreaterThan(search);
    for (const some of before.values()) expect(some.every((one) => one === 1_000)).toBe(true);
  });
});

test('where no file was read, what is known stays as it is', () => {
  expect(worthOf([user('go'), ...others])).toBeUndefined();
});
