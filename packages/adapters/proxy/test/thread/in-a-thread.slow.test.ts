import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualTime } from '@ctx/testing';
import type { ProxyOptions } from '../../src/index.js';
import { joined } from '../../src/read-body.js';
import { ConversationThread } from '../../src/thread/conversation-thread.js';
import { openThread } from '../../src/thread/open-thread.js';
import { answers, closeAll, longHistory, request, setUp, startOne, startUpstream } from '../upstream.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-thread-'));
afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function moduleWith(name: string, text: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `export default ${text};`);
  return file;
}

describe('a thread of conversations', () => {
  test('is given plain options only, and says where others may stand', async () => {
    const onManager = () => {};
    await expect(startOne({ onManager, thread: true })).rejects.toMatchObject({
      code: 'config-invalid',
      place: 'onManager',
      remedy: expect.stringContaining('module'),
    });
    await expect(startOne({ archive: new Map() as never, thread: true })).rejects.toMatchObject({
      place: 'archive',
    });
  });

  test('reads other options from a module; what is given goes before', async () => {
    const conversation = () => 'mine';
    const { url } = await startUpstream(answers);
    const headersWith = async (options: ProxyOptions) => {
      const { post } = await startOne({ upstream: url, ...options });
      const { headers } = await post(request(longHistory(60)));
      return ['x-ctx-conversation', 'x-ctx-compressions'].map((name) => headers.get(name));
    };
    const own = await headersWith({ conversation, thread: false });
    const usual = await headersWith({ thread: true });
    const text = `{ conversation: ${conversation}, dryRun: true, config: { contextWindow: 9e9 } }`;
    const other = await headersWith({ thread: moduleWith('options', text), dryRun: false });
    expect(own[1]).toBe('1');
    expect(other).toEqual(own);
    expect(usual[0]).not.toBe(own[0]);
  });

  test.each([
    { store: 'mongo:somewhere' },
    { store: 'sqlite:/dev/null/states.sqlite' },
    { config: { contextWindow: -1 } },
    { config: { contextWindow: 'large', strategies: 5 } as never },
  ])('ends with the same error as without: %j', async (options) => {
    const errorOf = (thread: boolean) =>
      startOne({ ...options, thread }).then(
        () => 'started',
        ({ name, message, code, place, value, remedy, problems }) => ({
          name,
          message,
          code,
          place,
          value,
          remedy,
          problems,
        }),
      );
    const without = await errorOf(false);
    expect(without).toHaveProperty('code');
    expect(await errorOf(true)).toEqual(without);
  });

  test('that ends, or can not begin, does not end the proxy: requests pass as they came until there is a new one', async () => {
    const options = '{ conversation: ({ body }) => void (body.last && process.exit(3)) }';
    const { proxy, received } = await setUp(answers, { thread: moduleWith('ending', options) });
    const long = request(longHistory(60));
    const compressionsOf = async (body: unknown) =>
      (await proxy.post(body)).headers.get('x-ctx-compressions');
    expect(await compressionsOf(long)).toBe('1');

    moduleWith('ending', '5');
    const last = JSON.stringify({ ...long, last: true });
    expect(await compressionsOf(last)).toBeNull();
    expect(received.at(-1)?.body.toString('utf8')).toBe(last);
    const warnings = () => proxy.status().warnings.map(({ code, message }) => `${code} ${message}`);
    expect(warnings()).toEqual([
      expect.stringContaining('thread-ended The thread that keeps the conversations has ended (3)'),
    ]);

    while (warnings().length < 2) expect(await compressionsOf(long)).toBeNull();
    expect(warnings()[1]).toContain('(config-invalid)');
    moduleWith('ending', options);
    while ((await compressionsOf(long)) === null);
    expect(await compressionsOf(long)).toBe('1');
    expect(warnings()).toHaveLength(2);
  });

  test('that runs in a circle is ended, and its requests go out as they came', async () => {
    const file = moduleWith('circle', '{ conversation: ({ body }) => { while (body.circle); } }');
    const warnings: string[] = [];
    const warned = ({ message }: { readonly message: string }) => void warnings.push(message);
    const time = new VirtualTime();
    const { preparer, close } = await openThread({}, file, warned, time.wait);
    const prepared = (body: unknown) =>
      preparer.prepare({
        input: 'http://127.0.0.1/v1/chat/completions',
        init: { method: 'POST', body: joined([Buffer.from(JSON.stringify(body))]) },
      });
    expect(await prepared(request(longHistory(2)))).toBeDefined();
    let isLeft = false;
    const circling = prepared({ ...request(longHistory(2)), circle: true }).finally(() => {
      isLeft = true;
    });
    while (!isLeft) {
      time.pass(5_000);
      await new Promise(setImmediate);
    }
    expect(await circling).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('(no sign of life)')]);
    await close();
  });

  test('tells what it warns of', async () => {
    const { proxy } = await setUp(answers, { thread: true });
    await proxy.post('{ this is no JSON');
    expect(proxy.status().warnings).toMatchObject([{ code: 'request-unmanaged' }]);
  });

  test('forgets a request whose exchange has ended', async () => {
    const options = { recall: true, config: { contextWindow: 4_000 } };
    const thread = new ConversationThread({ options, file: undefined }, () => {});
    expect(await thread.start()).toBeUndefined();
    const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
    const body = Buffer.from(JSON.stringify({ ...request([{ role: 'user', content: 'Go.' }]), tools }));
    const call = { url: 'http://127.0.0.1/v1/chat/completions', headers: [], body };
    expect(await thread.prepare(1, call)).toMatchObject({ purpose: 'turn', hidden: { name: 'recall' } });
    expect(await thread.run(1, { query: 'anything' })).toEqual(expect.any(String));
    thread.ended(1);
    await expect(thread.run(1, { query: 'anything' })).rejects.toThrow('has ended');
    await expect(thread.recovered(1, {})).rejects.toThrow('has ended');
    await thread.warmUp();
    await thread.close();
  });

  test('begins with the first request, or before it where somebody asks', async () => {
    const { url } = await startUpstream(answers);
    const begunIn = (name: string) => {
      const [file, told] = [join(folder, `${name}.mjs`), join(folder, `${name}.txt`)];
      writeFileSync(told, '');
      writeFileSync(
        file,
        `import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (!isMainThread) appendFileSync(${JSON.stringify(told)}, 'begun ');
export default {};`,
      );
      return { file, begun: () => readFileSync(told, 'utf8') };
    };
    const asked = begunIn('asked');
    const first = await startOne({ upstream: url, thread: asked.file });
    expect(asked.begun()).toBe('');
    await first.begin();
    expect(asked.begun()).toBe('begun ');
    const usual = begunIn('usual');
    const second = await startOne({ upstream: url, thread: usual.file });
    expect(usual.begun()).toBe('');
    const { headers } = await second.post(request(longHistory(2)));
    expect(headers.has('x-ctx-conversation')).toBe(true);
    expect(usual.begun()).toBe('begun ');
  });

  test('is not begun again once the proxy is closed', async () => {
    const { url } = await startUpstream(answers);
    const proxy = await startOne({ upstream: url, thread: true });
    await proxy.close();
    await expect(proxy.post(request(longHistory(2)))).rejects.toThrow();
  });
});
