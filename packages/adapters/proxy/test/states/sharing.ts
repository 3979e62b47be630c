import { openStates } from '../../src/states/open-states.js';
import { answers, longHistory, request, startOne, startUpstream } from '../upstream.js';
import type { Engine } from './servers.js';

/** What proxies that share a store keep to. */
export function testSharing({ name, testHere, address }: Engine): void {
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
}
