import type { Parameters } from 'fast-check';

/** How often a property was tried, and with what, under a value of `CTX_RUNS`. */
function tried(factor: string | undefined, parameters?: Parameters<[number]>): readonly number[] {
  const before = process.env.CTX_RUNS;
  if (factor === undefined) delete process.env.CTX_RUNS;
  else process.env.CTX_RUNS = factor;
  const seen: number[] = [];
  try {
    jest.isolateModules(() => {
      const { default: fc } = jest.requireActual<typeof import('fast-check')>('fast-check');
      fc.assert(
        fc.property(fc.nat({ max: 9 }), (number) => void seen.push(number)),
        parameters,
      );
    });
  } finally {
    if (before === undefined) delete process.env.CTX_RUNS;
    else process.env.CTX_RUNS = before;
  }
  return seen;
}

test('CTX_RUNS scales the runs of every property, with and without a number of its own', () => {
  const runs = (factor?: string) => [tried(factor).length, tried(factor, { numRuns: 30 }).length];
  expect(runs()).toEqual([34, 30]);
  expect(runs('2')).toEqual([68, 60]);
  expect(runs('0.01')).toEqual([1, 1]);
});

test('all examples are tried, however few the runs are', () => {
  const examples: [number][] = [[11], [12], [13]];
  expect(tried(undefined, { numRuns: 2, examples })).toEqual([11, 12, 13]);
  expect(tried('0.01', { examples })).toEqual([11, 12, 13]);
});

test.each(['', 'many', '0', '-1'])('CTX_RUNS=%j is refused', (factor) => {
  expect(() => tried(factor)).toThrow('CTX_RUNS has to be a number above 0');
});
