import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proxyCommand } from '../src/index.js';
import { hostIn } from './host.js';
import { killAll, startProgram } from './program.js';
import { answers, longHistory, request, startUpstream } from './upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-'));
const host = (environment?: Record<string, string>) => hostIn(folder, environment);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    /^ctx: option-invalid: no-such-agent: The agent cannot be started \(got "ENOENT"\)\. [^\n]+\n/,
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
  expect(asking.written.out).toMatch(/1 requests, 0 of them sent unchanged[\s\S]*gpt-5 +1 /);
  own.end();
  expect(await running).toBe(0);
  expect(await proxyCommand(['status', '--port', new URL(address).port], asking)).toBe(3);
  expect(asking.written.err).toMatch(
    /^ctx: proxy-unreachable: http:[^ ]+ No proxy answers at this address\. [^\n]+\n$/,
  );
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
    /^ctx: config-invalid: port: The proxy cannot listen there \(EADDRINUSE\) [^\n]+\n$/,
  );
});
