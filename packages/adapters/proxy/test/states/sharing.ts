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
}
