import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, lateCheck, temporaryFolder } from './run-ctx.js';

const oneLine = (text: string) => expect(text.trimEnd().split('\n')).toHaveLength(1);

test.each<[string, string[], string]>([
  ['an unknown command', ['contxt'], 'Did you mean context?'],
  ['an unknown option', ['context', '--jsn'], 'Did you mean --json?'],
  ['an unknown strategy', ['compress', lateCheck, '--strategy', 'relevence'], 'Did you mean relevance?'],
  ['an unknown format', ['context', lateCheck, '--from-format', 'opencod'], 'Did you mean opencode?'],
  ['a window that is no number', ['context', lateCheck, '--window', 'large'], '200000, 200k or 1m'],
  ['a share of nothing', ['compress', lateCheck, '--to', '0%'], 'from 1% to 100%'],
  ['a target that is none', ['compress', lateCheck, '--to', 'half'], '25%, 30000 or 30k'],
  ['a place before the first message', ['context', lateCheck, '--at', '0'], 'a whole number from 1'],
  ['a place behind the last message', ['context', lateCheck, '--at', '999'], 'from 1 to 104'],
  ['an unknown strategy in a list', ['replay', lateCheck, '--only', 'relevanc'], 'Did you mean "relevance"?'],
  ['a window that the session fits', ['replay', lateCheck, '--window', '1m'], 'Give a smaller one'],
])('%s is an error in one line that says what to do', async (_what, args, said) => {
  const { status, stdout, stderr } = await ctx(args);
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/^ctx: [a-z-]+: /);
  oneLine(stderr);
  expect(stdout).toBe('');
  expect([exitCodes.usage, exitCodes.input]).toContain(status);
});

test('help and version go to the standard output and are no failure', async () => {
  for (const args of [[], ['--help'], ['help', 'replay'], ['context', '--help'], ['--version']]) {
    const { status, stdout, stderr } = await ctx(args);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
    expect(stdout).not.toBe('');
  }
});

test('every command has examples in its help, and no line is wider than the terminal', async () => {
  const { stdout: all } = await ctx(['--help'], { columns: 80 });
  const names = [...all.matchAll(/^ {2}([a-z]+) .*\[/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(['context', 'compress', 'replay', 'proxy']));
  for (const name of names.filter((one) => one !== 'help' && one !== 'proxy')) {
    const { stdout } = await ctx([name as string, '--help'], { columns: 80 });
    expect({ name, hasExamples: stdout.includes('Examples:') }).toEqual({ name, hasExamples: true });
    const [usage = ''] = stdout.split('\nExamples:');
    expect(Math.max(...usage.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  }
});

test.each([['--help'], ['run', '-h']])('ctx proxy %s is the help of the proxy', async (...args) => {
  const { stdout, status } = await ctx(['proxy', ...args]);
  expect([status, stdout]).toEqual([
    exitCodes.done,
    expect.stringContaining('ctx proxy run [OPTIONS] -- AGENT'),
  ]);
});

test('an error of ours is told apart from one of the user, and shows no stack', async () => {
  const out = () => {
    throw new TypeError('broken\nterminal');
  };
  const { status, stderr } = await ctx(['context', didYouMean, '--quick'], { out });
  expect(status).toBe(exitCodes.failed);
  oneLine(stderr);
  expect(stderr).toContain('TypeError: broken terminal');
  const shown = await ctx(['context', didYouMean, '--quick'], { out, env: { CTX_DEBUG: '1' } });
  expect(shown.stderr).toMatch(/^\s+at /m);
});

test('a session is never written over, and a file that can not be written is an error of its own', async () => {
  const over = await ctx(['compress', didYouMean, '--out', didYouMean]);
  expect(over.status).toBe(exitCodes.usage);
  const nowhere = await ctx(['compress', didYouMean, '--out', `${temporaryFolder()}/no/such/folder`]);
  expect(nowhere.status).toBe(exitCodes.output);
  expect(nowhere.stderr).toContain('output-failed');
});

test('a device or a folder is not replaced by what is written', async () => {
  const socket = join(temporaryFolder(), 'socket');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  for (const out of [socket, temporaryFolder()]) {
    const { status, stderr } = await ctx(['compress', didYouMean, '--out', out]);
    expect(status).toBe(exitCodes.output);
    expect(stderr).toContain('not a regular file');
  }
  expect(statSync(socket).isSocket()).toBe(true);
  server.close();
});
