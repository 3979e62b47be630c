import { memoryArchive } from '@ctx/archive';
import type { Archive } from '@ctx/core';
import { answers, longHistory, request, setUp, startOne, startUpstream } from './upstream.js';

test('the proxy ends when what has left a view is in the archive', async () => {
  const { url } = await startUpstream(answers);
  const archive = memoryArchive();
  const kept = archive.keep.bind(archive);
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  let entries = 0;
  const keep: Archive['keep'] = async (conversation, messages) => {
    await held;
    entries += messages.length;
    await kept(conversation, messages);
  };
  const proxy = await startOne({ upstream: url, archive: Object.assign(archive, { keep }) });
  const response = await proxy.post(request(longHistory(60)));
  expect(response.headers.get('x-ctx-compressions')).toBe('1');
  await response.arrayBuffer();
  const closed = proxy.close().then(() => entries);
  // As long as nothing is there it is still open, however often the event loop turns.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  free();
  expect(await closed).toBeGreaterThan(30);
});

describe('a proxy that is asked to end', () => {
  /** A stream that has begun, and the function that ends it. */
  const streaming = async () => {
    let end = () => {};
    const { proxy } = await setUp((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"one":1}\n\n');
      end = () => response.end('data: [DONE]\n\n');
    });
    const response = await proxy.post(request([{ role: 'user', content: 'Go on.' }]));
    return { proxy, response, end: () => end() };
  };

  test('lets streams come to their end, and takes nothing new', async () => {
    const { proxy, response, end } = await streaming();
    const closed = proxy.close(60_000);
    await expect(fetch(`${proxy.url}/v1/models`)).rejects.toThrow('fetch failed');
    end();
    expect(await response.text()).toBe('data: {"one":1}\n\ndata: [DONE]\n\n');
    await closed;
  });

  test('does not wait longer than it is told to', async () => {
    const { proxy, response } = await streaming();
    await proxy.close(1);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('ends at once if nothing is under way', async () => {
    const { proxy } = await setUp(answers);
    await (await proxy.post(request([{ role: 'user', content: 'Go on.' }]))).text();
    await proxy.close(60_000);
  });
});
