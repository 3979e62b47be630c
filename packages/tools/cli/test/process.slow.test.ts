import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { didYouMean, lateCheck, temporaryFolder } from './run-ctx.js';

const bin = join(__dirname, '../dist/bin.js');
const env = { PATH: process.env.PATH, HOME: temporaryFolder() };

test('a reader that has enough ends it quietly', async () => {
  const args = [bin, 'compress', lateCheck, '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exitCodes.done);
  expect(stderr).toBe('');
});

test('the exit code reaches the shell, and NO_COLOR and FORCE_COLOR are heard', () => {
  const run = (own: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [bin, ...args], { env: { ...env, ...own }, encoding: 'utf8' });
  expect(run({}, 'context', 'nowhere.jsonl').status).toBe(exitCodes.input);
  expect(run({ FORCE_COLOR: '1' }, 'context', didYouMean, '--quick').stdout).toContain('\u001b[');
  const plain = run({ FORCE_COLOR: '1', NO_COLOR: '1' }, 'context', didYouMean, '--quick');
  expect(plain.stdout).not.toContain('\u001b');
});

/** Says which modules of the network are loaded by what imports it first, and refuses to fetch. */
const spy = `
import { createRequire, register } from 'node:module';
const network = /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|dns\\/promises|undici)$/;
const said = (name) => process.stderr.write('NETWORK ' + name + '\\n');
const Module = createRequire(import.meta.url)('node:module');
const load = Module._load;
Module._load = (request, ...rest) => { if (network.test(request)) said(request); return load.call(Module, request, ...rest); };
register('data:text/javascript,' + encodeURIComponent(
  'export async function resolve(name, context, next) { if (' + network + '.test(name)) process._rawDebug("NETWORK " + name); return next(name, context); }'
));
globalThis.fetch = () => { said('fetch'); throw new Error('no network'); };
`;

test('nothing that could reach another machine is loaded', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'spy.mjs'), spy);
  const commands = [
    ['context', didYouMean],
    ['compress', didYouMean, '--out', join(folder, 'small')],
    ['replay', didYouMean, '--window', '8k', '--only', 'relevance'],
    ['demo', didYouMean],
  ];
  writeFileSync(
    join(folder, 'all.mjs'),
    `import { run, processIo } from ${JSON.stringify(join(__dirname, '../dist/index.js'))};
const io = { ...processIo(new AbortController().signal), out: () => {} };
for (const args of ${JSON.stringify(commands)}) console.log(args[0], await run(args, io));`,
  );
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', join(folder, 'spy.mjs'), join(folder, 'all.mjs'), ...args], {
      env,
      encoding: 'utf8',
    });
  const { stdout, stderr } = run();
  expect(stdout.trim().split('\n')).toEqual(commands.map(([name]) => `${name} 0`));
  expect(stderr).not.toContain('NETWORK');
  // The check itself would notice.
  writeFileSync(
    join(folder, 'all.mjs'),
    `import 'node:https'; import { createRequire } from 'node:module'; createRequire(import.meta.url)('net');`,
  );
  expect(run().stderr.match(/NETWORK \S+/g)).toEqual(['NETWORK node:https', 'NETWORK net']);
});
