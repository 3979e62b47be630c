import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeServers, describeSqlite, type Engine } from './states/servers.js';
import { json, longHistory, startOne, startUpstream } from './upstream.js';

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

/** What a proxy's archive gives back. */
function testArchive({ name, testHere, address }: Engine): void {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-proxy-archive-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
}

describeSqlite('an archive in %s', testArchive);
describeServers('an archive in %s', testArchive);
