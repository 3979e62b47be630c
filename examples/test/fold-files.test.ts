import { join } from 'node:path';
import { main } from '../fold-files.js';

test('the source of core folds to its names, within the tokens that were asked for', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const folded = await main();
  expect(folded.tokensAfter).toBeLessThanOrEqual(1_500);
  expect(folded.tokensBefore).toBeGreaterThan(20_000);
  expect(folded.content).toMatch(/## File Context: \w/);
  expect(folded.skipped).toContainEqual({ path: join('view', 'invariants.ts'), reason: 'nothing-defined' });
});
