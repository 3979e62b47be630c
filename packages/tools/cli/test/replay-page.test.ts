import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, temporaryFolder } from './run-ctx.js';

test('a page is written beside the table', async () => {
  const folder = temporaryFolder();
  const args = ['replay', didYouMean, '--window', '8k', '--only', 'keep-last', '--html', 'replay.html'];
  const { status, stdout, stderr } = await ctx(args, { cwd: folder });
  expect(status).toBe(exitCodes.done);
  expect(stdout).toContain('keep-last');
  expect(stderr).toContain('The page is in replay.html.');
  const html = readFileSync(join(folder, 'replay.html'), 'utf8');
  expect(html).toContain('sent in requests of at most 8,000');
  expect(html).toContain("default-src 'none'");
});
