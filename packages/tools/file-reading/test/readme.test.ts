import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextManager } from '@ctx/core';
import { getFileReadingLimitsForModel, readFiles } from '../src/index.js';
import { defaultFileReadingLimits } from '../src/limits.js';

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');

test('the example of the README prints what the README says', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ctx-readme-'));
  try {
    writeFileSync(join(root, 'notes.md'), '# Notes\n\nThe export runs at night.\n');
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},2024-05-17,19.90`);
    writeFileSync(join(root, 'orders.csv'), `${rows.join('\n')}\n`);
    const manager = new ContextManager({ config: { contextWindow: 128_000 } });
    const report = await readFiles(['notes.md', 'orders.csv', 'none.ts'], { manager, root });
    const printed = [JSON.stringify(report.totals), report.toXml()].join('\n');
    expect(/it prints\n\n```\n([\s\S]*?)\n```/.exec(readme)?.[1]).toBe(printed);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('the limits in its table are those in force', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| ([\d,]+|true) \| (?:(\d+) %)?/gm)];
  expect(
    Object.fromEntries(rows.map(([, name, value]) => [name, JSON.parse(String(value).replace(',', ''))])),
  ).toEqual(defaultFileReadingLimits);
  const limits = getFileReadingLimitsForModel(10_000) as unknown as Record<string, number>;
  const shares = rows.flatMap(([, name = '', , share]) =>
    share === undefined ? [] : [[name, Number(share)] as const],
  );
  expect(shares.map(([name]) => name)).toEqual([
    'singleFileMaxTokens',
    'batchTotalMaxTokens',
    'warningThresholdTokens',
  ]);
  const [file, batch, warning] = shares.map(([, share]) => share / 100) as [number, number, number];
  expect(limits).toMatchObject({
    singleFileMaxTokens: 10_000 * file,
    batchTotalMaxTokens: 10_000 * batch,
    warningThresholdTokens: 10_000 * file * warning,
  });
});
