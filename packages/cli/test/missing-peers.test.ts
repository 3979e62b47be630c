import { exitCodes } from '@ctx/cli';
import { ctx, lateCheck } from './run-ctx.js';

function missing(): never {
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
}
jest.mock('../../bench/src/candidates/ai-sdk.js', missing);
jest.mock('../../bench/src/candidates/langchain.js', missing);

const npx = 'or start it with npx: npx -p @ctx/cli -p ai@6 ctx';

test('without the peers a benchmark leaves them out, and says which packages they need', async () => {
  const { status, stdout, stderr } = await ctx(['bench', lateCheck, '--static']);
  expect(status).toBe(exitCodes.done);
  expect(stdout).toContain('keep-last');
  expect(stdout).not.toContain('pruneMessages');
  expect(stderr).toContain(
    'Left out: LangChain trimMessages, LangChain ClearToolUsesEdit. ctx: package-missing: ',
  );
  expect(stderr).toContain('npm install langchain@1 @langchain/core@1; ');
  expect(stderr).toContain(npx);
});

test('a peer that is named can’t be left out', async () => {
  const { status, stdout, stderr } = await ctx(['bench', lateCheck, '--only', 'AI SDK pruneMessages']);
  expect(status).toBe(exitCodes.usage);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^ctx: package-missing: .*npm install ai@6; /);
  expect(stderr).toContain(npx);
});
