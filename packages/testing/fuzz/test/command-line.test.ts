import { parseCommandLine } from '../src/command-line.js';

describe('the command line of the fuzzer', () => {
  test('takes what is given, and says the rest itself', () => {
    expect(parseCommandLine(['--histories', '5', '--seed', '7', '--only', 'requests'])).toEqual({
      fuzzers: ['requests'],
      seed: 7,
      histories: 5,
      minutes: Number.POSITIVE_INFINITY,
      workers: 2,
    });
    expect(parseCommandLine([])).toMatchObject({ minutes: 30, histories: Number.POSITIVE_INFINITY });
  });

  test.each([
    [['--unknown-option'], 'arguments'],
    [['--seed'], 'arguments'],
    [['more'], 'arguments'],
    [['--minutes', 'many'], '--minutes'],
    [['--workers', '-1'], 'arguments'],
    [['--workers=-1'], '--workers'],
    [['--only', 'dreams'], '--only'],
  ])('refuses %j and says what to use', (args, place) => {
    const expected = { code: 'option-invalid', place, remedy: expect.stringContaining('--histories N') };
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining(expected));
  });
});
