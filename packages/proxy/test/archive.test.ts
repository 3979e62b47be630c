import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEngines } from './state-servers.js';
import { closeAll, json, longHistory, startOne, startUpstream } from './upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-archive-'));
afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
/** A word that is said in the third turn only. */
const lost = 'file3';

type Message = Record<string, unknown>;
const messagesOf = ({ body }: { readonly body: Buffer }): Message[] =>
  JSON.parse(body.toString('utf8')).messages;

/** Looks for the lost word where it is asked to. */
const startModel = () =>
  startUpstream((response, received) => {
    const isAsked = messagesOf(received).at(-1)?.content === 'Look it up.';
    const call = { name: 'recall', arguments: JSON.stringify({ query: lost }) };
    const message = isAsked
      ? { role: 'assistant', content: null, tool_calls: [{ id: 'r1', type: 'function', function: call }] }
      : { role: 'assistant', content: 'ok' };
    json(response, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 50 } });
  });

describeEngines('an archive in %s', ({ name, testHere, address }) => {
  testHere(
    'gives back what has left the view, also to another proxy, and only to those it belongs to',
    async () => {
      const { url, received } = await startModel();
      const store = `sqlite:${join(folder, `${name}.sqlite`)}`;
      const options = { upstream: url, store, archive: address(), recall: true };
      const history = longHistory(40);
      const asked = [...history.slice(0, -1), { role: 'user', content: 'Look it up.' }];
      const send = (one: Awaited<ReturnType<typeof startOne>>, messages: readonly unknown[], key = 'ann') =>
        one.post({ model: 'gpt-5', messages, tools }, { headers: { authorization: key } });
      const recalled = () => String(messagesOf(received.at(-1) as { body: Buffer }).at(-1)?.content);

      const first = await startOne(options);
      for (let length = 2; length <= history.length; length += 2) await send(first, history.slice(0, length));
      expect(JSON.stringify(messagesOf(received.at(-1) as { body: Buffer }))).not.toContain(
        `${lost} ${lost}`,
      );
      await send(first, asked);
      expect(recalled()).toContain(`${lost} ${lost}`);
      // Its end waits for what is on its way into the archive.
      await first.close();

      const second = await startOne(options);
      await send(second, asked);
      expect(recalled()).toContain(`${lost} ${lost}`);
      // Somebody else's conversation has nothing of it, whatever is asked.
      for (let length = 2; length <= 4; length += 2) await send(second, history.slice(0, length), 'bob');
      await send(second, [...history.slice(0, 4), { role: 'user', content: 'Look it up.' }], 'bob');
      expect(recalled()).not.toContain(`${lost} ${lost}`);
      await second.close();
    },
  );
});

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
