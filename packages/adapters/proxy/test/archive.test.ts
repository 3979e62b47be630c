import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModel, testArchive } from './recalled-archive.js';
import { describeSqlite } from './states/servers.js';
import { longHistory, startOne } from './upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeSqlite('an archive in %s', testArchive);

test('all that has left the view is in the archive when the proxy has ended, and in no store of states', async () => {
  const { url, received } = await startModel();
  const [store, archive] = [join(folder, 'states.sqlite'), join(folder, 'texts.sqlite')];
  const proxy = await startOne({ upstream: url, store: `sqlite:${store}`, archive: `sqlite:${archive}` });
  await (await proxy.post({ model: 'gpt-5', messages: longHistory(60, 'private') })).arrayBuffer();
  await proxy.close();
  const bytesOf = (file: string) =>
    ['', '-wal'].map((end) => (existsSync(file + end) ? readFileSync(file + end, 'latin1') : '')).join('');
  const sent = String(received[0]?.body);
  const left = Array.from({ length: 60 }, (_, at) => `private${at} private${at}`).filter(
    (one) => !sent.includes(one),
  );
  expect(left.length).toBeGreaterThan(30);
  expect(left.filter((one) => !bytesOf(archive).includes(one))).toEqual([]);
  expect(bytesOf(store)).not.toContain('private');
});
