import { memoryArchive } from '@ctx/archive';
import type { Archive } from '@ctx/core';
import { answers, closeAll, longHistory, request, startOne, startUpstream } from './upstream.js';

afterEach(closeAll);

/** The functions of an archive, which may have private fields. */
const boundOf = (archive: Archive): Archive => ({
  put: (...given) => archive.put(...given),
  keep: (...given) => archive.keep(...given),
  originals: (...given) => archive.originals(...given),
  get: (...given) => archive.get(...given),
  search: (...given) => archive.search(...given),
  forget: (...given) => archive.forget(...given),
  close: () => archive.close(),
});

test('the proxy ends when what has left a view is in the archive', async () => {
  const { url } = await startUpstream(answers);
  const kept = memoryArchive();
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  let entries = 0;
  const keep: Archive['keep'] = async (conversation, messages) => {
    await held;
    entries += messages.length;
    await kept.keep(conversation, messages);
  };
  const archive = { ...boundOf(kept), keep };
  const proxy = await startOne({ upstream: url, archive });
  const response = await proxy.post(request(longHistory(60)));
  expect(response.headers.get('x-ctx-compressions')).toBe('1');
  await response.arrayBuffer();
  const closed = proxy.close().then(() => entries);
  // As long as nothing is there it is still open, however often the event loop turns.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  free();
  expect(await closed).toBeGreaterThan(30);
});
