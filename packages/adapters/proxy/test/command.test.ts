import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentStart, upstreamIn } from '../src/agents.js';
import { parseCommandLine } from '../src/command-line.js';
import { proxyCommand } from '../src/index.js';
import { hostIn } from './host.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-'));
const host = () => hostIn(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the command line', () => {
  test('says where, how and for whom', () => {
    const args = 'run --port 0 --upstream openai=http://a --upstream google=http://b --dry-run'.split(' ');
    expect(parseCommandLine([...args, '--window', '9000', '--', 'claude', '--port', '1'])).toEqual({
      task: 'run',
      config: undefined,
      agent: ['claude', '--port', '1'],
      options: {
        port: 0,
        upstream: { openai: 'http://a', google: 'http://b' },
        dryRun: true,
        config: { contextWindow: 9_000 },
      },
    });
    expect(parseCommandLine(['--upstream', 'http://a/?b=c'], 'secret').options).toEqual({
      upstream: 'http://a/?b=c',
      token: 'secret',
    });
  });

  test.each([
    ['true', true],
    ['gpt-5-mini', 'gpt-5-mini'],
  ])('--summarize %s', (given, summarize) => {
    expect(parseCommandLine(['--summarize', given]).options).toEqual({ summarize });
  });

  test.each([[['--prot', '1']], [['fly']], [['run']], [['--port', 'x']], [['status', 'more']]])(
    '%j is refused, with what to do',
    async (args) => {
      const own = host();
      expect(await proxyCommand(args, own)).toBe(2);
      expect(own.written.err).toMatch(
        /^ctx: config-invalid: [^\n]+(See --help|Use run|two dashes|whole number)[^\n]*\n$/,
      );
    },
  );

  test.each([['--help'], ['run --help'], ['run -h'], ['status --help'], ['help']])('%s', async (args) => {
    const own = host();
    expect(await proxyCommand(args.split(' '), own)).toBe(0);
    expect(own.written.out).toContain('--dry-run');
  });

  test('an agent without two dashes is told how', async () => {
    const own = host();
    expect(await proxyCommand(['run', 'claude'], own)).toBe(2);
    expect(own.written.err).toContain('run -- claude');
  });
});

describe('each agent is told where to send its requests', () => {
  const base = 'http://127.0.0.1:9';
  test.each([
    ['claude', {}, ['claude', 'x'], { ANTHROPIC_BASE_URL: base }],
    ['/usr/bin/codex', {}, ['/usr/bin/codex', '-c', `openai_base_url="${base}/v1"`, 'x'], {}],
    ['gemini', {}, ['gemini', 'x'], { GOOGLE_GEMINI_BASE_URL: base }],
    ['aider', {}, ['aider', 'x'], { OPENAI_API_BASE: `${base}/v1` }],
    ['copilot', {}, ['copilot', 'x'], { COPILOT_PROVIDER_BASE_URL: `${base}/v1` }],
    [
      'copilot',
      { COPILOT_PROVIDER_TYPE: 'anthropic' },
      ['copilot', 'x'],
      { COPILOT_PROVIDER_BASE_URL: base },
    ],
  ])('%s', (program, environment, command, told) => {
    const start = agentStart([program, 'x'], base, environment);
    expect(start.command).toEqual(command);
    expect(start.environment).toMatchObject(told);
  });

  test('and where it would have sent them is where the proxy does', () => {
    const environment = {
      OPENAI_BASE_URL: 'http://a/v1/',
      ANTHROPIC_BASE_URL: 'http://b',
      OPENAI_API_BASE: '',
    };
    expect(upstreamIn(environment)).toEqual({ openai: 'http://a', anthropic: 'http://b' });
  });
});

test('what is no error of ours is a fault of the command, and says nothing of what it is about', async () => {
  const own = host();
  const file = join(folder, 'fault.mjs');
  writeFileSync(file, 'export default { get port() { throw new Error("said in private") } };');
  expect(await proxyCommand(['--store', 'memory', '--config', file], own)).toBe(1);
  expect(own.written.err).toMatch(/^ctx: failed: [^\n]+\n$/);
  expect(own.written.err).not.toContain('private');
});

test.each(['none.json', 'bad.json', 'list.json'])('the file %s is refused', async (name) => {
  const file = join(folder, name);
  if (name !== 'none.json') writeFileSync(file, name === 'bad.json' ? '{' : '[]');
  const own = host();
  expect(await proxyCommand(['--config', file], own)).toBe(2);
  expect(own.written.err).toMatch(/^ctx: config-invalid: config: The file (cannot be read|holds no options)/);
});
