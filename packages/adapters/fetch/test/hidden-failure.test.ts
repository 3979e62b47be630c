import { contextFetch } from '../src/index.js';
import { hiddenCall, hiddenTool, requestWithTools } from './hidden-tool.js';
import { json, startServer } from './server.js';

const failing = { ...hiddenTool, run: () => Promise.reject(new Error('The archive is gone.')) };
const body = JSON.stringify(requestWithTools);

async function setUp() {
  const server = await startServer((response, { body: asked }) => {
    const message = asked.includes('"recall"') ? hiddenCall : { content: 'done' };
    json(response, { choices: [{ index: 0, message: { role: 'assistant', ...message } }] });
  });
  const send = contextFetch({ hiddenTool: failing, onWarning: () => {} });
  return { server, send, url: `${server.url}/chat/completions` };
}

const headers = { 'content-type': 'application/json' };
const whole = { method: 'POST', headers, body };
/** The same body as a stream. */
const streamed = () => ({ ...whole, body: new Blob([body]).stream(), duplex: 'half' }) as RequestInit;

test.each<[string, (url: string) => Parameters<typeof fetch>]>([
  ['a Request', (url) => [new Request(url, whole)]],
  ['a Request with a stream', (url) => [new Request(url, streamed())]],
  ['a Request and other headers', (url) => [new Request(url, { method: 'POST', body }), { headers }]],
  ['a Request with another body', (url) => [new Request(url, { method: 'POST', body: '{}' }), { body }]],
  ['a text', (url) => [url, whole]],
  ['a stream', (url) => [url, streamed()]],
])('where a hidden call fails, %s is sent again as it came', async (_, asked) => {
  const { server, send, url } = await setUp();
  const response = await send(...asked(url));
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'done' } }] });
  expect(server.received.map((one) => one.body === body)).toEqual([false, true]);
});
