import { matches } from '@ctx/core/kit';
import fc from 'fast-check';

describe('a rule', () => {
  test.each<[string, string, boolean]>([
    ['o1*', 'o1', true],
    ['o1*', 'o1-mini', true],
    ['o1*', 'openai/o1-mini', true],
    ['o1*', 'gpt-4o1', false],
    ['*1.5*', 'gemini-1.5-pro', true],
    ['*1.5*', 'gemini-115-pro', false],
    ['gpt-4', 'gpt-4o', false],
    ['GPT-4', 'gpt-4', true],
    ['*', 'anything', true],
    ['x**', 'anything', false],
    ['a*a', 'a', false],
    ['a*a', 'aba', true],
    ['a+b(c)', 'a+b(c)', true],
    ['a+b(c)', 'aab(c)', false],
    ['vendor/*', 'vendor/model', true],
  ])('for the model %s matches %s: %s', (model, name, expected) => {
    expect(matches({ model }, { model: name })).toBe(expected);
  });

  test('for a provider matches the given provider, otherwise the vendor in the id', () => {
    expect(matches({ provider: 'openai' }, { provider: 'openai' })).toBe(true);
    expect(matches({ provider: 'openai' }, { provider: 'openrouter', model: 'openai/gpt-4' })).toBe(true);
    expect(matches({ provider: 'openai' }, { provider: 'openrouter', model: 'meta/llama' })).toBe(false);
    expect(matches({ provider: 'openai' }, {})).toBe(false);
  });

  test('without conditions matches every model, even an unknown one', () => {
    expect(matches({}, {})).toBe(true);
    expect(matches({ model: '*' }, {})).toBe(true);
  });

  test('matches an exact name, or with stars around it any name that contains it', () => {
    const name = fc.string({ unit: fc.constantFrom(...'abc.+?^$()[]|\\-'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(name, name, name, (before, own, after) => {
        expect(matches({ model: own }, { model: own })).toBe(true);
        expect(matches({ model: `*${own}*` }, { model: before + own + after })).toBe(true);
      }),
    );
  });

  test('with many stars is decided at once', () => {
    expect(matches({ model: `${'*a'.repeat(30)}*b` }, { model: 'a'.repeat(200) })).toBe(false);
  });
});
