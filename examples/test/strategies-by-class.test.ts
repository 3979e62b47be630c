import { FileFoldingStrategy, fileFolding } from '@ctx/strategy-file-folding';
import { HybridStrategy, hybrid } from '@ctx/strategy-hybrid';
import { ImportanceStrategy, importance } from '@ctx/strategy-importance';
import { MiddleRemovalStrategy, middleRemoval } from '@ctx/strategy-middle-removal';
import { OldestRemovalStrategy, oldestRemoval } from '@ctx/strategy-oldest-removal';
import { main } from '../strategies-by-class.js';

test('each of the five strategies can be made like a class, and makes the session smaller', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const results = await main();
  const names = ['middle-removal', 'oldest-removal', 'hybrid', 'importance', 'file-folding'];
  expect(results.map(({ name }) => name)).toEqual(names);
  for (const { tokensBefore, tokensAfter } of results) expect(tokensAfter).toBeLessThan(tokensBefore);
  for (const { name, tokensAfter } of results)
    if (name !== 'file-folding') expect(tokensAfter).toBeLessThanOrEqual(30_000);
});

test('the name of a class is the same function as the strategy', () => {
  expect(FileFoldingStrategy).toBe(fileFolding);
  expect(MiddleRemovalStrategy).toBe(middleRemoval);
  expect(OldestRemovalStrategy).toBe(oldestRemoval);
  expect(HybridStrategy).toBe(hybrid);
  expect(ImportanceStrategy).toBe(importance);
});

test('with new or without, options are checked, and wrong ones named', () => {
  expect(new MiddleRemovalStrategy({ preserveEnd: 3 }).options).toEqual(
    middleRemoval({ preserveEnd: 3 }).options,
  );
  expect(new FileFoldingStrategy().name).toBe(fileFolding().name);
  expect(() => new MiddleRemovalStrategy({ preserveEnd: 0 })).toThrow(
    expect.objectContaining({ code: 'config-invalid', place: expect.stringContaining('preserveEnd') }),
  );
});
