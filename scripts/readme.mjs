/**
 * Writes what the README generates between its markers: `<!-- name:start -->` … `<!-- name:end -->`.
 * Usage: node scripts/readme.mjs [path of a real session for the demo]; without one the demo's block stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { root } from './tools.mjs';

const file = join(root, 'README.md');

function run(script, args = [], cwd = root) {
  return execFileSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, script), ...args],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    },
  ).trim();
}

const read = (path) => readFileSync(join(root, path), 'utf8').trim();
const fenced = (text, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;

const speed = () => JSON.parse(read('examples/benchmarks/results/speed.json'));

const blocks = {
  measured() {
    const { peers } = speed();
    const [messages, middle, , counted, , , , trim] = peers.find(([size]) => size === 1000);
    const times = (slow, fast) => Math.round(Number(slow) / Number(fast)).toLocaleString('en-US');
    return `Bringing a conversation of ${Number(messages).toLocaleString('en-US')} messages to half of its tokens takes ${middle} ms, ${counted} ms with counting each of them; LangChain's \`trimMessages\` with the same tokenizer takes ${Number(trim).toLocaleString('en-US')} ms, ${times(trim, counted)} times as long.`;
  },
  example: () =>
    `${fenced(read('examples/readme.ts'), 'ts')}\n\nprints\n\n${fenced(run('examples/readme.ts'))}`,
  demo() {
    const [path] = process.argv.slice(2);
    if (path === undefined || !existsSync(path)) return undefined;
    const cwd = dirname(resolve(path));
    return `\`npm run demo -- ${basename(path)}\` prints\n\n${fenced(run('examples/demo.ts', [basename(path)], cwd))}`;
  },
  speed: () => read('examples/benchmarks/results/speed.md'),
};

let text = readFileSync(file, 'utf8');
for (const [name, write] of Object.entries(blocks)) {
  const block = new RegExp(`(<!-- ${name}:start -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  if (!block.test(text)) throw new Error(`README.md has no block "${name}"`);
  const content = write();
  if (content !== undefined) text = text.replace(block, (_, start, end) => `${start}${content}\n${end}`);
}
writeFileSync(file, text);
console.log(`${basename(file)} is up to date.`);
