import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ctx } from './run-ctx.js';

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');

test('the README shows the help as it is; npm run generate writes it', async () => {
  const blocks = [...readme.matchAll(/<!-- help ?(\w*):start -->\n```\n([\s\S]*?)\n```\n<!-- help/g)];
  const { stdout: all } = await ctx(['--help'], { columns: 100 });
  const commands = [...all.matchAll(/^ {2}([a-z]+) [[<]/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
  expect(blocks.map(([, name]) => name)).toEqual(['', ...commands]);
  for (const [, name = '', text] of blocks) {
    const { stdout } = await ctx([...(name === '' ? [] : [name]), '--help'], { columns: 100 });
    expect(text).toBe(stdout.trim());
  }
});
