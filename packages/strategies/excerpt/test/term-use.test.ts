import { finish } from '@ctx/core';
import fc from 'fast-check';
import type { Voice } from '../src/sections.js';
import { TermUse } from '../src/term-use.js';
import { TermIndex } from '../src/terms/term-index.js';

interface Added {
  readonly terms: readonly number[];
  readonly message: number;
  readonly voice: Voice;
}

const some = fc.uniqueArray(fc.nat(200), { maxLength: 6 });
const arbitraryUnits: fc.Arbitrary<Added[]> = fc
  .array(
    fc.record({
      terms: some,
      isNext: fc.boolean(),
      voice: fc.constantFrom<Voice>('agent', 'user', 'tool'),
    }),
    { maxLength: 60 },
  )
  .map((units) => {
    let message = 0;
    return units.map(({ isNext, ...unit }) => {
      if (isNext) message += 1;
      return { ...unit, message };
    });
  });

test('a use says in how many messages a term is, and who used it when', () => {
  fc.assert(
    fc.property(arbitraryUnits, (units) => {
      const use = new TermUse();
      for (const { terms, ...said } of units) use.add(terms, said);
      for (let term = 0; term <= 202; term += 1) {
        const having = units.filter(({ terms }) => terms.includes(term));
        const by = (voice: Voice) => having.filter((one) => one.voice === voice);
        expect(use.messagesOf(term)).toBe(new Set(having.map(({ message }) => message)).size);
        expect(use.lastBy('agent', term)).toBe(by('agent').at(-1)?.message ?? -1);
        expect(use.lastBy('user', term)).toBe(by('user').at(-1)?.message ?? -1);
      }
    }),
  );
});

test('a use holds every term of a long conversation', () => {
  const use = new TermUse();
  const terms = Array.from({ length: 20_000 }, (_, term) => term);
  for (const term of terms) use.add([term], { message: term, voice: 'user' });
  expect(terms.filter((term) => use.lastBy('user', term) !== term)).toEqual([]);
});

describe('the worth of a term', () => {
  const terms = new TermIndex();
  const [path = -1] = terms.idsOf('src/app.ts');
  const [id = -1, number = -1] = terms.idsOf('gift_card_6276644');
  const worth = (use: TermUse, term: number) => finish(use.weights(terms, terms.size))[term] as number;
  const used = (...units: readonly Added[]) => {
    const use = new TermUse();
    for (const unit of units) use.add(unit.terms, unit);
    return use;
  };
  const added = (message: number, voice: Voice, said: readonly number[]) => ({ terms: said, message, voice });

  test('is nothing if nobody used it', () => {
    expect(worth(used(), path)).toBe(0);
  });

  test('is more if the agent or the user used it, also in the first message', () => {
    const byTool = worth(used(added(0, 'tool', [path])), path);
    expect(worth(used(added(0, 'agent', [path])), path)).toBeCloseTo(3 * byTool);
    expect(worth(used(added(0, 'user', [path])), path)).toBeCloseTo(2 * byTool);
    expect(worth(used(added(0, 'tool', [path]), added(90, 'tool', [path])), path)).toBeGreaterThan(byTool);
  });

  test('of an id counts who said only its number', () => {
    const unsaid = worth(used(added(0, 'tool', [id])), id);
    expect(worth(used(added(0, 'tool', [id]), added(0, 'user', [number])), id)).toBeCloseTo(2 * unsaid);
  });
});
