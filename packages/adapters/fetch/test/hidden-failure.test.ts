import { contextFetch } from '../src/index.js';
import { json, startServer } from './server.js';

const hiddenTool = {
  name: 'recall',
  description: 'Finds what was said.',
  parameters: { type: 'object' },
  run: () => Promise.reject(new Error('The archive is gone.')),
};
const call = { index: 0, id: 'c', type: 'function', function: { name: 'recall', arguments: '{}' } };
const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
const body = JSON.stringify({ model: 'gpt-5', tools, messages: [{ role: 'user', content: 'hi' }] });

async function setUp() {
  const server = await startServer((response, { body: asked }) => {
    const message = asked.includes('"recall"') ? { content: null, tool_calls: [call] } : { content: 'done' };
    json(response, { choices: [{ index: 0, message: { role: 'assistant', ...message } }] });
  });
  const send = contextFetch({ hiddenTool, onWarning: () => {} });
  return { server, send, url: `${server.url}/chat/completions` };
}

const streamOf = (text: string) => new Blob([text]).stream();
const headers = { 'content-type': 'application/json' };

test.each<[string, (url: string) => Parameters<typeof fetch>]>([
  ['a Request', (url) => [new Request(url, { method: 'POST', headers, body })]],
  [
    'a Request with a stream',
    (url) => [
      new Request(url, { method: 'POST', headers, body: streamOf(body), duplex: 'half' } as RequestInit),
    ],
  ],
  ['a Request and other headers', (url) => [new Request(url, { method: 'POST', body }), { headers }]],
  ['a Request with another body', (url) => [new Request(url, { method: 'POST', body: '{}' }), { body }]],
  ['a text', (url) => [url, { method: 'POST', headers, body }]],
  [
    'a stream',
    (url) => [url, { method: 'POST', headers, body: streamOf(body), duplex: 'half' } as RequestInit],
  ],
])('where a hidden call fails, %s is sent again as it came', async (_, asked) => {
  const { server, send, url } = await setUp();
  const response = await send(...asked(url));
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'done' } }] });
  expect(server.received.map((one) => one.body === body)).toEqual([false, true]);
});
