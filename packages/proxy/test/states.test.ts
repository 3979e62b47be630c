import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStates } from '../src/states/open-states.js';
import { describeEngines } from './state-servers.js';
import { answers, closeAll, longHistory, request, startOne, startUpstream } from './upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-states-'));
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.sqlite`);
};
afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeEngines('%s', ({ name, testHere, address }) => {
  testHere('of many who put at once, one does', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => openStates(address())));
    for (let version = 1; version <= 5; version += 1) {
      const done = await Promise.all(all.map((one, at) => one.put('key', `${version}-${at}`, version)));
      expect(done.filter((one) => one)).toHaveLength(1);
      expect(await all[0]?.get('key')).toEqual({ version, value: `${version}-${done.indexOf(true)}` });
    }
    expect(await all[1]?.put('key', 'old', 3)).toBe(false);
    expect(await all[1]?.get('another')).toBeUndefined();
    for (const one of all) await one.close();
  });

  testHere(
    'two proxies that get the requests of a conversation in turn have one view, also if one of them ends',
    async () => {
      const upstream = await startUpstream(answers);
      const options = { upstream: upstream.url, store: address() };
      const both = [await startOne(options), await startOne(options)];
      const history = longHistory(60, name);
      for (let length = 40; length <= history.length; length += 2) {
        for (const one of both) await (await one.post(request(history.slice(0, length)))).arrayBuffer();
        if (length === 80) {
          await both[0]?.close();
          both[0] = await startOne(options);
        }
      }
      const sent = upstream.received.map(({ body }) => String(body));
      const pairs = sent.flatMap((one, at) => (at % 2 === 0 ? [one === sent[at + 1]] : []));
      expect(pairs.length).toBeGreaterThan(20);
      expect(pairs).not.toContain(false);
      expect(sent.at(-1)?.length).toBeLessThan(JSON.stringify(history).length / 2);
    },
  );

  testHere(
    'a fork that goes from one proxy to another has one view, beside the line that it departs from',
    async () => {
      const upstream = await startUpstream(answers);
      const options = { upstream: upstream.url, store: address() };
      const both = [await startOne(options), await startOne(options)] as const;
      const main = longHistory(50, `${name}main`);
      const fork = [...main.slice(0, 41), ...longHistory(40, `${name}fork`).slice(2)];
      const send = async (history: readonly unknown[], at: number) => {
        const response = await both[(at % 2) as 0 | 1].post(request(history));
        await response.arrayBuffer();
        return String(upstream.received.at(-1)?.body).replace(/\]\}$/, '');
      };
      // What each line has sent extends what it has sent before, but for its compressions.
      const breaks = [0, 0];
      const before = ['', ''];
      let requests = 0;
      for (let length = 44; length <= 100; length += 2)
        for (const [line, history] of [main, fork].entries()) {
          requests += 1;
          const sent = await send(history.slice(0, length), Math.floor(requests / 3));
          if (!sent.startsWith(before[line] as string)) (breaks[line] as number) += 1;
          before[line] = sent;
        }
      const alone = await startOne({ upstream: upstream.url });
      const expected = [];
      for (const history of [main, fork]) {
        let [last, count] = ['', 0];
        for (let length = 44; length <= 100; length += 2) {
          await (await alone.post(request(history.slice(0, length)))).arrayBuffer();
          const sent = String(upstream.received.at(-1)?.body).replace(/\]\}$/, '');
          if (!sent.startsWith(last)) count += 1;
          last = sent;
        }
        expected.push(count);
      }
      expect(expected[1]).toBeGreaterThan(0);
      expect(breaks).toEqual(expected);
    },
  );
});

test('the file is its owner’s, and nothing that was said can be read in it', async () => {
  const upstream = await startUpstream(answers);
  const file = newFile();
  const proxy = await startOne({ upstream: upstream.url, store: `sqlite:${file}` });
  await (await proxy.post(request(longHistory(60, 'private')))).arrayBuffer();
  expect(proxy.status().conversations[0]?.compressions).toBe(1);
  const bytes = ['', '-wal'].map((end) => readFileSync(`${file}${end}`, 'latin1')).join('');
  expect(bytes).toContain('states');
  expect(bytes).not.toMatch(/private|key-of-ann|Be brief/);
  expect(['', '-wal', '-shm'].map((end) => statSync(`${file}${end}`).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ]);
});

test('a store that is gone loses no request', async () => {
  const upstream = await startUpstream(answers);
  const warnings: string[] = [];
  const onWarning = ({ code }: { readonly code: string }) => warnings.push(code);
  const states = await openStates(`sqlite:${newFile()}`);
  await states.close();
  await expect(states.get('key')).rejects.toThrow();
  const address = `sqlite:${newFile()}`;
  const proxy = await startOne({ upstream: upstream.url, store: address, onWarning });
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(address.slice('sqlite:'.length));
  database.exec('drop table states');
  database.close();
  const response = await proxy.post(request(longHistory(60)));
  expect([response.status, response.headers.get('x-ctx-compressions')]).toEqual([200, '1']);
  expect(warnings).toEqual(['store-failed']);
});

test.each(['postgres://nobody:secret@127.0.0.1:1/x', 'redis://:secret@127.0.0.1:1', `sqlite:${folder}`])(
  'the address %s, where there is no store, is refused, and its password is not said',
  async (address) => {
    const refused = openStates(address);
    await expect(refused).rejects.toMatchObject({ code: 'config-invalid', place: 'store' });
    await expect(refused).rejects.not.toThrow(/secret/);
  },
);
