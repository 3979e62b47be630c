import { parseCommandLine } from '../src/command-line.js';
import { expectSummary } from './expect-summary.js';
import { closeAll } from './upstream.js';

afterEach(closeAll);

test('the upstream is asked for a summary with the same key, and the client sees only its answer', () =>
  expectSummary(false));

test.each([
  ['true', true],
  ['gpt-5-mini', 'gpt-5-mini'],
])('--summarize %s', (given, summarize) => {
  expect(parseCommandLine(['--summarize', given]).options).toEqual({ summarize });
});
