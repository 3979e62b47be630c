import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean } from './run-ctx.js';

/** The peers' packages are installed here, so their candidates are given what they do without them. One other is enough to be measured. */
jest.mock('@ctx/bench', () => {
  const bench = jest.requireActual<typeof import('@ctx/bench')>('@ctx/bench');
  const { packageMissing } = jest.requireActual<typeof import('@ctx/core')>('@ctx/core');
  const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const load = () => Promise.reject(cause).catch(packageMissing('the comparison with others', ['ai@6']));
  const few = bench.candidates.filter(({ kind, name }) => kind === 'peer' || name === 'keep-last');
  const candidates = few.map((one) => (one.kind === 'peer' ? { ...one, load } : one));
  return { ...bench, candidates };
});

const install = 'npm install ai@6';

test('without the peers a benchmark leaves them out, and says which packages they need', async () => {
  const { status, stdout, stderr } = await ctx(['bench', didYouMean, '--static']);
  expect(status).toBe(exitCodes.done);
  expect(stdout).toContain('keep-last');
  expect(stdout).not.toContain('pruneMessages');
  const names = 'LangChain trimMessages, LangChain ClearToolUsesEdit, AI SDK pruneMessages';
  expect(stderr).toContain(`Left out: ${names}. ctx: package-missing: `);
  expect(stderr.trim().endsWith(install)).toBe(true);
});

test('a peer that is named can’t be left out', async () => {
  const { status, stdout, stderr } = await ctx(['bench', didYouMean, '--only', 'AI SDK pruneMessages']);
  expect(status).toBe(exitCodes.usage);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^ctx: package-missing: /);
  expect(stderr.trim().endsWith(install)).toBe(true);
});
