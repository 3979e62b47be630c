import { apiOf } from '../src/api-of.js';
import { pathAt, upstreamsOf } from '../src/upstreams.js';
import { answers, setUp, startOne } from './upstream.js';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test.each<[string, Record<string, string>, string | undefined]>([
  ['/v1/models/gemini-2.5-pro:generateContent?key=k', {}, 'google'],
  ['/v1beta/models', {}, 'google'],
  ['/upload/v1beta/files', {}, 'google'],
  ['/v1/models', { 'x-goog-api-key': 'k' }, 'google'],
  ['/v1/files', bearer('AIzaX'), 'google'],
  ['/v1beta/openai/chat/completions', bearer('AIzaX'), 'google'],
  ['/v1/messages?beta=true', {}, 'anthropic'],
  ['/v1/models', { 'x-api-key': 'k' }, 'anthropic'],
  ['/v1/files', { 'x-api-key': 'sk-ant-api03-x' }, 'anthropic'],
  ['/v1/files', { 'anthropic-beta': 'files-api' }, 'anthropic'],
  ['/v1/models', bearer('sk-ant-oat01-x'), 'anthropic'],
  ['/v1/chat/completions', bearer('sk-ant-api03-x'), 'anthropic'],
  ['/v1/chat/completions', { 'x-api-key': 'k' }, 'anthropic'],
  ['/api/hello', {}, 'anthropic'],
  ['/api/chat', {}, 'ollama'],
  ['/v1/chat/completions', bearer('k'), 'openai'],
  ['/v1/models', bearer('sk-1'), 'openai'],
  ['/v1/files', { ...bearer('k'), 'openai-organization': 'o' }, 'openai'],
  ['/v1/messages', bearer('sk-1'), 'anthropic'],
  ['/v1/responses', { ...bearer('e30.e30.x'), 'chatgpt-account-id': 'a' }, 'chatgpt'],
  ['/v1/chat/completions', bearer('sk-or-v1-x'), 'openrouter'],
  ['/v1/messages', { 'x-api-key': 'sk-or-v1-x' }, 'openrouter'],
  ['/v1/chat/completions', bearer('gsk_x'), 'groq'],
  ['/v1/chat/completions', bearer('hf_x'), 'huggingface'],
  ['/v1/models', bearer('k'), undefined],
  ['/v1/files', {}, undefined],
  ['/v1/models', { 'x-api-key': 'k', 'x-goog-api-key': 'k' }, undefined],
  ['/v1/chat/completions?key=AIzaX', bearer('sk-proj-1'), undefined],
])('%s with %j is for %s', (path, headers, api) => {
  expect(apiOf(path, headers)).toBe(api);
});

test('a key of another provider goes to that, unless an address is named for the API that it speaks', () => {
  const path = '/v1/chat/completions';
  const hostFor = (key: string, upstream?: Parameters<typeof upstreamsOf>[0]) => {
    const to = upstreamsOf(upstream)(path, bearer(key));
    return to && pathAt(to.upstream, `//${to.upstream.host}${to.path}`);
  };
  expect(hostFor('sk-or-v1-x')).toBe('/api//openrouter.ai/v1/chat/completions');
  expect(hostFor('gsk_x')).toBe('/openai//api.groq.com/v1/chat/completions');
  const gateway = { openai: 'http://gateway.example' };
  expect(hostFor('sk-or-v1-x', gateway)).toBe('//gateway.example/v1/chat/completions');
  expect(hostFor('gsk_x', { ...gateway, groq: 'http://own.example' })).toBe(
    '//own.example/v1/chat/completions',
  );
  expect(hostFor('sk-ant-x', gateway)).toBe('//api.anthropic.com/v1/chat/completions');
});

test('what nothing tells apart is refused, and says what to set', async () => {
  const { proxy, received, url } = await setUp(answers);
  const one = await startOne({ upstream: { openai: url, anthropic: url, google: url } });
  const refused = await fetch(`${one.url}/v1/models`, { headers: bearer('k') });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { code: 'upstream_unknown', message: expect.stringContaining('--upstream') },
  });
  expect(received).toHaveLength(0);
  expect((await fetch(`${proxy.url}/v1/models`, { headers: bearer('k') })).status).toBe(200);
});
