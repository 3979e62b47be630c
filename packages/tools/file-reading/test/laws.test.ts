import { contextBudget } from '@ctx/core';
import { readFiles } from '@ctx/file-reading';
import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { memoryFileSystem } from './memory-file-system.js';

const content = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
  fc.constantFrom('x'.repeat(4000), '汉字'.repeat(500), '汉a'.repeat(500)),
);
const file = fc.record(
  { content, size: fc.oneof(fc.nat(1000), fc.nat(100_000_000)) },
  { requiredKeys: ['content'] },
);
const options = fc.record({
  limits: fc.record(
    {
      singleFileMaxTokens: fc.nat(1500),
      batchTotalMaxTokens: fc.nat(3000),
      warningThresholdTokens: fc.nat(500),
      enableStrictMode: fc.constant(true),
    },
    { requiredKeys: ['enableStrictMode'] },
  ),
  used: fc.option(fc.nat(12_000), { nil: undefined }),
});

test('every path has one result, nothing that is refused is opened, and no more is read than was approved', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 6 }),
      fc.array(fc.nat(8), { maxLength: 12 }),
      options,
      async (given, picked, { limits, used }) => {
        const fileSystem = memoryFileSystem(
          Object.fromEntries(given.map((one, index) => [`/${index}`, one])),
        );
        const paths = picked.map((index) => `/${index}`);
        const budget =
          used === undefined
            ? undefined
            : contextBudget({
                contextWindow: 10_000,
                reservedTokens: 1000,
                systemTokens: 500,
                usedTokens: used,
              });
        const manager = budget && { budget: () => budget };
        const report = await readFiles(paths, { fileSystem, limits, ...(manager && { manager }) });

        const { files, totals } = report;
        expect(files.map((one) => one.path)).toEqual([...new Set(paths)]);
        expect(totals.read + totals.blocked + totals.failed).toBe(files.length);

        for (const one of files) {
          const read = fileSystem.bytesRead.get(one.path) ?? 0;
          expect(read).toBeLessThanOrEqual(Math.max(1, one.sizeInBytes));
          if (
            one.status !== 'read' &&
            one.tokens === undefined &&
            /^(file|batch)-|^context$/.test(one.reason)
          ) {
            expect(fileSystem.opened).not.toContain(one.path);
          }
          if (one.status === 'read') {
            expect(one.tokens).toBeLessThanOrEqual(limits.singleFileMaxTokens ?? 50_000);
          }
        }
        if (totals.read > 1) {
          expect(totals.tokens).toBeLessThanOrEqual(limits.batchTotalMaxTokens ?? 100_000);
        }
        if (budget !== undefined) expect(totals.tokens).toBeLessThanOrEqual(budget.remainingTokens);
        expect(report.toXml().match(/<file>/g)?.length ?? 0).toBeGreaterThanOrEqual(files.length);
      },
    ),
  ));
