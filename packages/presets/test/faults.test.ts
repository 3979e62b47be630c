import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ContextManager, CtxError, type Message, summarizerToken } from '@ctx/core';
import { anthropicCompatible, openaiCompatible } from '@ctx/models';
import { eventProblems, hearCompressions } from '@ctx/servers';
import { createSummarizer } from '@ctx/strategy-condense';
import {
  assistant,
  call,
  deepFreeze,
  result,
  sentProblems,
  transcript,
  user,
  VirtualTime,
  words,
} from '@ctx/testing';
import { createContextManager, defaults } from '../src/index.js';

const conversation: readonly Message[] = deepFreeze(
  transcript(
    user('Never touch the public interface of the parser.'),
    ...Array.from({ length: 12 }, (_, index) => [
      call(`c${index}`, 'read', { path: `src/file-${index}.ts` }),
      result(`c${index}`, words(60, `line${index}`)),
      assistant(words(20, `thought${index}`)),
    ]).flat(),
    user('What is next?'),
  ),
);

const head = (response: ServerResponse, type = 'text/event-stream', status = 200, headers = {}) =>
  response.writeHead(status, { 'content-type': type, ...headers });
const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: 'They ' } }] })}\n\n`;
/** Ms, of which none passes unless a server lets it pass. */
const limits = { timeoutMs: 50_000, idleTimeoutMs: 20_000, retryDelayMs: 7, stageMs: 600_000 };
/** Ms: the longest delay before a retry, and a stage that ends before. */
const [longestDelay, shortStage] = [60_000, 30_000];

type Reply = (response: ServerResponse, time: VirtualTime) => void;
const refuse =
  (status: number, headers = {}): Reply =>
  (response) =>
    void head(response, 'application/json', status, headers).end('{"error":{"type":"overloaded_error"}}');

/** What a server may do to a request. Each ends by itself, or by a time limit of the client or of the stage. */
const servers: Readonly<Record<string, Reply>> = {
  'resets the connection at once': (response) => void response.socket?.resetAndDestroy(),
  'resets it in the middle': (response) =>
    void head(response).write(piece, () => response.socket?.resetAndDestroy()),
  'ends in the middle': (response) => void head(response).end(piece),
  'says nothing': (_response, time) => time.pass(limits.idleTimeoutMs),
  'says nothing after the head': async (response, time) => {
    const waits = time.begun(limits.idleTimeoutMs);
    head(response).flushHeaders();
    await waits;
    time.pass(limits.idleTimeoutMs);
  },
  'only says that it is there': async (response, time) => {
    const waits = time.begun(limits.idleTimeoutMs);
    head(response).write(': still here\n\n');
    await waits;
    response.write(': still here\n\n', () => time.pass(limits.idleTimeoutMs));
  },
  drips: async (response, time) => {
    head(response).flushHeaders();
    while (!response.destroyed) {
      const waits = time.begun(limits.idleTimeoutMs);
      response.write(piece);
      await waits;
      time.pass(limits.idleTimeoutMs - 1);
    }
  },
  'never ends': (response) => {
    head(response, 'application/json');
    const more = () => {
      if (!response.destroyed) response.write(' '.repeat(500_000), () => setImmediate(more));
    };
    more();
  },
  'asks to wait': refuse(429, { 'retry-after': '0' }),
  'asks to wait for an hour': refuse(529, { 'retry-after': '3600' }),
  'is overloaded': refuse(529),
  'answers with a page': (response) => void head(response, 'text/html').end('<html>Sign in</html>'),
  'answers with no JSON': (response) => void head(response, 'application/json').end('{"choices": [{'),
  'answers with JSON of another kind': (response) => void head(response, 'application/json').end('[null]'),
  'sends events that are no JSON': (response) => void head(response).end('data: {oh\n\n'),
  'sends it elsewhere': (response) =>
    void head(response, 'text/html', 307, { location: 'http://127.0.0.1:9/v1' }).end(),
  'refuses the key': refuse(401),
};

let answer: (response: ServerResponse) => void = () => {};
let requests = 0;
const sockets = new Set<Socket>();
const server = createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => answer(response));
});
server.on('connection', (socket: Socket) => {
  sockets.add(socket.on('close', () => sockets.delete(socket)));
});
let baseUrl = '';
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
});

const clients = { openaiCompatible, anthropicCompatible };

interface Talk {
  readonly manager: ContextManager;
  readonly controller: AbortController;
  readonly time: VirtualTime;
  said: readonly Message[];
}

/** What a host may do while the model is asked. */
const happenings: Readonly<Record<string, (talk: Talk) => void>> = {
  'nothing else happens': () => {},
  'a message comes': (talk) => {
    const message = user('One thing more.');
    talk.manager.append(message);
    talk.said = [...talk.said, message];
  },
  'the host goes back': (talk) => {
    talk.manager.rewindTo(talk.manager.transcript[3]?.id as string);
    talk.said = talk.said.slice(0, 4);
  },
  'the tools change': ({ manager }) => manager.setTools([{ name: 'read' }]),
  'a message is pinned': ({ manager }) => manager.pin(manager.transcript[3]?.id as string),
  'the caller aborts': ({ controller }) => controller.abort(new Error('the user left')),
};

function talkWith(client: keyof typeof clients, url: string, stageMs: number): Talk {
  const time = new VirtualTime();
  const { timeoutMs, idleTimeoutMs, retryDelayMs } = limits;
  const model = clients[client]({
    model: 'm',
    baseUrl: url,
    apiKey: 'none',
    maxRetries: 1,
    retryDelayMs,
    timeoutMs,
    idleTimeoutMs,
    wait: time.wait,
  });
  const container = defaults();
  container.register(summarizerToken, { useValue: createSummarizer({ model }) });
  const manager = createContextManager({
    container,
    wait: time.wait,
    config: {
      contextWindow: 20_000,
      pipeline: ['condense', 'oldest-removal'],
      trigger: { tokens: 500 },
      target: { tokens: 300 },
      timeoutMs: stageMs,
      throttleMs: 0,
    },
  });
  for (const message of conversation) manager.append(message);
  return { manager, controller: new AbortController(), time, said: conversation };
}

/** Lets the delays before retries pass. A stage that has less time ends in the middle of one. */
function passDelays(time: VirtualTime): void {
  const delays: Readonly<Record<number, number>> = {
    0: 0,
    [limits.retryDelayMs]: limits.retryDelayMs,
    [longestDelay]: shortStage,
  };
  for (const [delay, ms] of Object.entries(delays)) void time.begun(Number(delay)).then(() => time.pass(ms));
}

async function expectSound({ manager, said }: Talk): Promise<void> {
  expect(manager.transcript.map(({ message }) => message)).toEqual(said);
  expect(sentProblems(manager.view(), said)).toEqual([]);
  const copy = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), {
    container: defaults(),
  });
  expect(copy.view()).toEqual(manager.view());
}

async function expectHolds(
  client: keyof typeof clients,
  url: string,
  happens: (talk: Talk) => void,
  { reply, stageMs = limits.stageMs }: { readonly reply?: Reply; readonly stageMs?: number } = {},
) {
  const talk = talkWith(client, url, stageMs);
  const { manager, controller, time } = talk;
  passDelays(time);
  const heard = hearCompressions(manager);
  let isFirst = true;
  answer = (response) => {
    if (isFirst) happens(talk);
    isFirst = false;
    reply?.(response, time);
  };
  const outcome = await manager.checkAndCompress({ signal: controller.signal });
  if (controller.signal.aborted) {
    expect(outcome).toMatchObject({ status: 'failed', reason: 'aborted', error: { code: 'aborted' } });
    expect(manager.view()).toEqual(conversation);
  } else {
    // Nothing is left to do where the host went back to a conversation that is small enough.
    const [condensing] = outcome.record?.stages ?? outcome.stages ?? [];
    if (outcome.status !== 'unchanged')
      expect(condensing).toMatchObject({ strategy: 'condense', status: 'failed' });
    for (const error of heard.flatMap(({ event }) => ('error' in event ? [event.error] : [])))
      expect(String(error)).toMatch(
        /^CtxError: \[ctx\] (.*: )?(Condensing API call failed|Failed to condense|The work took longer)/,
      );
    expect(heard.filter(({ name }) => name === 'compression-fail')).toHaveLength(1);
  }
  await expectSound(talk);
  expect(eventProblems(heard)).toEqual([]);
  for (const { event } of heard) if ('error' in event) expect(CtxError.isInstance(event.error)).toBe(true);
  for (const { id } of [...manager.history].reverse()) manager.undo(id);
  expect(manager.view()).toEqual(talk.said);
  const next = await manager.compress({ strategy: 'oldest-removal', targetTokens: 100 });
  expect(next.status).not.toBe('failed');
  await expectSound(talk);
}

describe.each(Object.keys(clients) as (keyof typeof clients)[])('%s', (client) => {
  test.each(Object.keys(servers))(
    'a server that %s costs only the summary, whatever happens meanwhile',
    async (name) => {
      requests = 0;
      // Nobody waits for an hour: the stage's own time ends it.
      const stageMs = name.endsWith('an hour') ? shortStage : limits.stageMs;
      for (const [what, happens] of Object.entries(happenings)) {
        await expectHolds(client, baseUrl, happens, { reply: servers[name] as Reply, stageMs }).catch(
          (error) => {
            throw new Error(`${name}, ${what}: ${error}`);
          },
        );
      }
      expect(requests).toBeGreaterThan(0);
      expect(unhandled).toEqual([]);
    },
  );

  test('so does one that is not there', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    await expectHolds(client, `http://127.0.0.1:${port}/v1`, () => {});
  });
});

test('no connection is left open that still waits', async () => {
  // The test's own time limit is the only one.
  while (sockets.size > 0) {
    server.closeIdleConnections();
    await new Promise((resolve) => setImmediate(resolve));
  }
});
