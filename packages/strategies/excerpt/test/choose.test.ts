import { finish } from '@ctx/core';
import fc from 'fast-check';
import { candidatesOf, type Source } from '../src/candidates.js';
import { type Choice, type Chosen, choose } from '../src/choose.js';
import { MaxHeap } from '../src/max-heap.js';
import type { Section } from '../src/sections.js';
import type { Unit } from '../src/units.js';
import { gapTokens, headingTokens, lineTokens, passageShare, repeatedWeight } from '../src/weights.js';

interface Case {
  readonly sources: readonly Source[];
  readonly weights: Float64Array;
  readonly held: Uint8Array;
  readonly roomTokens: number;
}

/** A token is a character. A unit of `size` characters costs that and what each line costs. */
function unit(fields: Partial<Unit> & { readonly size?: number } = {}): Unit {
  const { size = 5, ...rest } = fields;
  return {
    block: 0,
    start: 0,
    end: size,
    terms: [],
    goesOn: false,
    weight: 1,
    ...rest,
  };
}

function source(
  units: readonly Unit[],
  fields: Partial<Source> & { readonly heading?: string } = {},
): Source {
  const { heading = '', headingTerms = [], weight = 1 } = fields;
  const section: Section = { title: heading, heading, blocks: [], kind: 'assistant', message: 0 };
  return {
    section,
    headingTerms,
    weight,
    units: units.map((one, position) => placed(one, position)),
  };
}

function placed(one: Unit, position: number): Unit {
  return { ...one, start: position * 100, end: position * 100 + one.end - one.start };
}

const terms = 12;
const someTerms = fc.uniqueArray(fc.nat(terms - 1), { maxLength: 4 });
const arbitraryUnit = fc
  .record({
    size: fc.integer({ min: gapTokens, max: 20 }),
    terms: someTerms,
    weight: fc.constantFrom(0.2, 1, 1.5),
    goesOn: fc.boolean(),
  })
  .map((fields) => unit(fields));
const arbitrarySource = fc
  .record({
    units: fc.array(arbitraryUnit, { maxLength: 6 }),
    isUnder: fc.boolean(),
    heading: fc.constantFrom('', 'read a', 'bash npm test'),
    headingTerms: someTerms,
  })
  .map(({ units, isUnder, heading, headingTerms }) =>
    source(
      units.map((one, index) => (isUnder && index > 0 ? { ...one, under: index } : one)),
      { heading, headingTerms },
    ),
  );
const arbitraryCase: fc.Arbitrary<Case> = fc
  .record({
    sources: fc.array(arbitrarySource, { maxLength: 4 }),
    weights: fc.array(fc.double({ min: 0, max: 6, noNaN: true }), { minLength: terms, maxLength: terms }),
    held: fc.array(fc.nat(2), { minLength: terms, maxLength: terms }),
    roomTokens: fc.nat(200),
  })
  .map(({ sources, weights, held, roomTokens }) => ({
    sources,
    weights: Float64Array.from(weights),
    held: Uint8Array.from(held),
    roomTokens,
  }));

function chosen({ sources, ...options }: Case): Chosen {
  const candidates = finish(candidatesOf(sources, 1));
  return finish(choose(candidates, { ...options, held: options.held.slice() }));
}

function chosenIn(given: Case): readonly Choice[] {
  return chosen(given).choices;
}

/** What a set of units is worth, and what it costs: everything measured anew, without the code under test. */
function measured({ sources, weights, held }: Case, chosen: ReadonlySet<number>) {
  const all = sources.flatMap(({ units, headingTerms, section }, own) =>
    [...units].map((one) => ({ one, own, headingTerms, heading: section.heading })),
  );
  const [inLines, inPassages] = [[...held], [...held]];
  let [worth, tokens] = [0, 0];
  const take = (some: readonly number[], times: number[], factor: number) => {
    for (const term of some) {
      worth += factor * (weights[term] as number) * repeatedWeight ** (times[term] as number);
      times[term] = (times[term] as number) + 1;
    }
  };
  const isJoined = (at: number) =>
    (all[at] as (typeof all)[number] | undefined)?.one.goesOn === true && all[at]?.own === all[at - 1]?.own;
  const shown = new Set<number>();
  for (const at of [...chosen].sort((a, b) => a - b)) {
    const { one, own, headingTerms, heading } = all[at] as (typeof all)[number];
    if (!shown.has(own)) {
      shown.add(own);
      tokens += heading.length + headingTokens;
      take(headingTerms, inLines, 1);
    }
    take(one.terms, inLines, one.weight * (1 - passageShare));
    tokens += one.end - one.start + lineTokens + (isJoined(at) && chosen.has(at - 1) ? 0 : gapTokens);
    const isWhole = (!isJoined(at) || chosen.has(at - 1)) && (!isJoined(at + 1) || chosen.has(at + 1));
    if (isWhole) take(one.terms, inPassages, one.weight * passageShare);
  }
  return { worth, tokens };
}

function setOf(choices: readonly Choice[]): Set<number> {
  return new Set(choices.flatMap(({ added }) => added));
}

/** The best set that fits, by trying all. */
function best(one: Case): number {
  const count = one.sources.reduce((sum, { units }) => sum + units.length, 0);
  let most = 0;
  for (let bits = 0; bits < 2 ** count; bits += 1) {
    const chosen = new Set([...Array(count).keys()].filter((at) => (bits & (1 << at)) !== 0));
    const { worth, tokens } = measured(one, chosen);
    if (tokens <= one.roomTokens) most = Math.max(most, worth);
  }
  return most;
}

describe('choosing', () => {
  test('is worth most of what the best of all sets is worth', () => {
    let [reached, possible] = [0, 0];
    const small = arbitraryCase.filter(
      ({ sources }) => sources.reduce((sum, { units }) => sum + units.length, 0) <= 9,
    );
    fc.assert(
      fc.property(small, (one) => {
        reached += measured(one, setOf(chosenIn(one))).worth;
        possible += best(one);
      }),
      { numRuns: 100, seed: 4711 },
    );
    expect(reached).toBeGreaterThan(possible * 0.8);
  });

  test('stays within its tokens, and pays for headings, gaps and units above only once', () => {
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const choices = chosenIn(one);
        const { tokens } = measured(one, setOf(choices));
        const paid = choices.reduce((sum, choice) => sum + choice.tokens, 0);
        expect(paid).toBeCloseTo(tokens, 6);
        expect(paid).toBeLessThanOrEqual(one.roomTokens);
      }),
      { numRuns: 167 },
    );
  });

  test('adds no unit twice, and nothing without worth', () => {
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const choices = chosenIn(one);
        const added = choices.flatMap((choice) => choice.added);
        expect(new Set(added).size).toBe(added.length);
        for (const { gain } of choices) expect(gain).toBeGreaterThan(0);
      }),
    );
  });

  test('chooses the same with more room, unless it says that it lacks room', () => {
    const enough: boolean[] = [];
    fc.assert(
      fc.property(arbitraryCase, fc.integer({ min: 1, max: 2_000 }), (one, more) => {
        const { choices, lacksRoom } = chosen(one);
        enough.push(!lacksRoom);
        if (!lacksRoom) expect(chosenIn({ ...one, roomTokens: one.roomTokens + more })).toEqual(choices);
      }),
    );
    expect(new Set(enough).size).toBe(2);
  });

  const weights = Float64Array.from([10, 10, 1]);
  const held = new Uint8Array(3);
  const room = (roomTokens: number) => ({ roomTokens, weights, held });

  test('adds the neighbours of a line where they cost less than they complete', () => {
    const lines = [
      unit(),
      unit({ terms: [0], goesOn: true }),
      unit({ goesOn: true }),
      unit({ goesOn: true }),
    ];
    expect([...setOf(chosenIn({ sources: [source(lines)], ...room(60) }))].sort()).toEqual([0, 1, 2]);
  });

  test('adds a line alone if there is no room for its neighbours', () => {
    const lines = [unit({ size: 90 }), unit({ terms: [0], goesOn: true }), unit({ size: 90, goesOn: true })];
    expect([...setOf(chosenIn({ sources: [source(lines)], ...room(40) }))]).toEqual([1]);
  });

  test('needs no neighbour beyond a blank line', () => {
    const lines = [unit(), unit({ terms: [0] }), unit()];
    expect([...setOf(chosenIn({ sources: [source(lines)], ...room(60) }))]).toEqual([1]);
  });

  test('takes one of two units with the same terms', () => {
    const lines = [unit({ terms: [0] }), unit({ terms: [0] }), unit({ terms: [2] })];
    const chosen = setOf(chosenIn({ sources: [source(lines)], ...room(38) }));
    expect(chosen).toEqual(new Set([chosen.has(0) ? 0 : 1, 2]));
  });

  test('gives little worth to terms that are already contained in what stays', () => {
    const lines = [unit({ terms: [0] }), unit({ terms: [2] })];
    const one = { sources: [source(lines)], roomTokens: 20, weights, held: Uint8Array.from([2, 0, 0]) };
    expect(chosenIn(one).map((choice) => choice.unit)).toEqual([1]);
  });

  test('takes nothing if there is no room, or nothing to choose from', () => {
    for (const roomTokens of [0, -5, Number.NEGATIVE_INFINITY])
      expect(chosenIn({ sources: [source([unit({ terms: [0] })])], ...room(roomTokens) })).toEqual([]);
    expect(chosenIn({ sources: [], ...room(10) })).toEqual([]);
  });
});

test('puts a unit into its queue about equally often with a thousand units and with sixteen thousand', () => {
  const pushesPerUnit = (count: number): number => {
    const pushes = jest.spyOn(MaxHeap.prototype, 'push');
    const sources = Array.from({ length: Math.ceil(count / 50) }, (_, first) =>
      source(
        Array.from({ length: 50 }, (__, at) => {
          const index = first * 50 + at;
          return unit({ terms: [index % 997, 997 + (index % 31), 1_028 + index], goesOn: at > 0 });
        }),
      ),
    );
    const weights = new Float64Array(1_028 + count + 50).fill(1);
    chosenIn({ sources, roomTokens: count * 3, weights, held: new Uint8Array(weights.length) });
    const times = pushes.mock.calls.length;
    pushes.mockRestore();
    return times / count;
  };
  expect(pushesPerUnit(1_000)).toBeGreaterThan(1);
  expect(pushesPerUnit(16_000)).toBeLessThan(pushesPerUnit(1_000) * 2);
});
