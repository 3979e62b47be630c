import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentStart, upstreamIn } from '../src/agents.js';
import { parseCommandLine } from '../src/command-line.js';
import { proxyCommand } from '../src/index.js';
import { killAll, startProgram } from './program.js';
import { answers, closeAll, longHistory, request, setUp, startUpstream } from './upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-'));
afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function host(environment: Record<string, string> = {}) {
  const written = { out: '', err: '' };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const all = { PATH: process.env.PATH ?? '', XDG_STATE_HOME: folder, ...environment };
  return {
    written,
    end: () => end(),
    environment: all,
    ended,
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
  };
}

describe('the command line', () => {
  test('says where, how and for whom', () => {
    const args = [
      'run',
      '--port',
      '0',
      '--upstream',
      'openai=http://a',
      '--upstream',
      'google=http://b',
      '--dry-run',
    ];
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

  test('--help', async () => {
    const own = host();
    expect(await proxyCommand(['--help'], own)).toBe(0);
    expect(own.written.out).toContain('--dry-run');
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

const sends = `
  const { ANTHROPIC_BASE_URL: base } = process.env;
  const response = await fetch(base + '/v1/messages', {
    method: 'POST', headers: { 'x-api-key': 'k' }, body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
  });
  process.exit(response.status === 200 ? 7 : 8);
`;

test('an agent runs behind a proxy of its own, and its exit code is that of the command', async () => {
  const { url, received } = await startUpstream(answers);
  const file = join(folder, 'agent.mjs');
  writeFileSync(file, sends);
  const own = host({ ANTHROPIC_BASE_URL: url });
  expect(await proxyCommand(['run', '--', process.execPath, file], own)).toBe(7);
  expect(received.map(({ path }) => path)).toEqual(['/v1/messages']);
  expect(own.written.err).toContain('1 requests');
});

test.each([true, false])(
  'a warning is written while the agent runs, unless the screen is its own: %s',
  async (isOnScreen) => {
    const { url } = await startUpstream(answers);
    const file = join(folder, 'warned.mjs');
    writeFileSync(
      file,
      `await fetch(process.env.OPENAI_BASE_URL + '/responses', { method: 'POST', body: JSON.stringify({ previous_response_id: 'r', input: [{ role: 'user', content: 'hi' }] }) });`,
    );
    const own = { ...host({ OPENAI_BASE_URL: `${url}/v1` }), isOnScreen };
    expect(await proxyCommand(['run', '--store', 'memory', '--', process.execPath, file], own)).toBe(0);
    const [running = '', after = ''] = own.written.err.split('1 requests');
    expect(running).toContain('/__ctx/');
    expect(running.includes('conversation-stored')).toBe(!isOnScreen);
    expect(after).toContain('conversation-stored');
  },
);

test('an agent that is not there is said', async () => {
  const own = host();
  expect(await proxyCommand(['run', '--store', 'memory', '--', 'no-such-agent'], own)).toBe(127);
  expect(own.written.err).toMatch(
    /^ctx: option-invalid: The agent can not be started at no-such-agent \(got "ENOENT"\)\. [^\n]+\n/,
  );
});

test('the command listens until it is ended, with what its file says, and the status is shown', async () => {
  const { url, received } = await startUpstream(answers);
  const config = join(folder, 'ctx.config.json');
  writeFileSync(
    config,
    JSON.stringify({ upstream: url, port: 1, config: { contextWindow: 4_000, trigger: { fraction: 0.5 } } }),
  );
  const own = host();
  const running = proxyCommand(['--config', config, '--port', '0', '--window', '3000'], own);
  const address = await new Promise<string>((resolve) => {
    const out = own.out;
    own.out = (text) => {
      out(text);
      const found = /http:\S+?:\d+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    };
  });
  await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(request(longHistory(60))),
  });
  expect(received).toHaveLength(1);
  const asking = host();
  expect(await proxyCommand(['status', '--port', new URL(address).port], asking)).toBe(0);
  expect(asking.written.out).toMatch(/1 requests, 0 of them passed[\s\S]*gpt-5 +1 /);
  own.end();
  expect(await running).toBe(0);
  expect(await proxyCommand(['status', '--port', new URL(address).port], asking)).toBe(3);
  expect(asking.written.err).toMatch(/^ctx: proxy-unreachable: No proxy answers at http:[^\n]+\n$/);
});

test('its file may be TypeScript, and hold functions', async () => {
  const { url } = await startUpstream(answers);
  const [config, keys] = [join(folder, 'ctx.config.ts'), join(folder, 'keys')];
  writeFileSync(
    config,
    `import { appendFileSync } from 'node:fs';
    interface Options { readonly upstream: string; onManager(manager: unknown, key: string): void }
    export default {
      upstream: '${url}',
      onManager: (_: unknown, key: string): void => appendFileSync('${keys}', key),
      config: { contextWindow: 3_000 },
    } satisfies Options & Record<string, unknown>;`,
  );
  // A program of its own, as jest has its own way to load modules.
  const running = await startProgram('--config', config, '--store', 'memory');
  const body = JSON.stringify(request(longHistory(60)));
  const sent = await fetch(`${running.url}/v1/chat/completions`, { method: 'POST', body });
  expect(sent.headers.get('x-ctx-compressions')).toBe('1');
  expect(readFileSync(keys, 'utf8')).toMatch(/^[0-9a-f]{32}-/);
  await killAll();
});

test('a port that is taken is said', async () => {
  const { url } = await startUpstream(answers);
  const own = host();
  expect(await proxyCommand(['--store', 'memory', '--port', new URL(url).port], own)).toBe(2);
  expect(own.written.err).toMatch(
    /^ctx: config-invalid: It can not listen there \(EADDRINUSE\) at port [^\n]+\n$/,
  );
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
  expect(own.written.err).toMatch(/^ctx: config-invalid: The file (can not be read|holds no options)/);
});

test('the figures of a conversation fit a line', async () => {
  const { proxy } = await setUp(answers);
  await (await proxy.post(request(longHistory(60)))).arrayBuffer();
  const asking = host();
  await proxyCommand(['status', '--port', new URL(proxy.url).port], asking);
  expect(Math.max(...asking.written.out.split('\n').map((line) => line.length))).toBeLessThan(160);
});
