// Many conversations at once through the proxy: what it adds until a request reaches the upstream, how long its event loop pauses, and
// what memory it takes. The upstream, the proxy and the agents are processes of their own.
// Start: npx tsx examples/benchmarks/proxy-load.ts [--conversations 200] [--minutes 3] [--pause 10] [--window 200000]
// Build first. Each agent sends its whole history, reads a streamed answer to its end, and pauses for so many seconds on the average.

import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProxy } from '@ctx/proxy';

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '3' },
    pause: { type: 'string', default: '10' },
    window: { type: 'string', default: '200000' },
    role: { type: 'string' },
    upstream: { type: 'string' },
  },
});
const file = fileURLToPath(import.meta.url);
/** Ms since epoch, with parts of a ms: the same for all processes of a machine. */
const now = () => performance.timeOrigin + performance.now();
const tell = (value: unknown) => process.send?.(value);
/** Events of an answer, and ms between them. */
const [events, everyMs] = [20, 25];
/** Characters that a turn adds to a history: a question, a call and its result, as in recorded sessions. */
const charactersOfTurn = 4_000;

/** Answers at once with when the request came, and with the name of the conversation that it saw. */
function upstream(): void {
  const server = createServer((request, response) => {
    const came = now();
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const names = new Set(
        Buffer.concat(pieces)
          .toString('latin1')
          .match(/agent\d+x/g),
      );
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'x-came': String(came),
        'x-names': [...names].join(),
      });
      let left = events;
      const next = () => {
        left -= 1;
        response.write(`data: {"choices":[{"delta":{"content":"word ${left}"}}]}\n\n`);
        if (left > 0) setTimeout(next, everyMs);
        else response.end('data: [DONE]\n\n');
      };
      next();
    });
  });
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port));
}

async function proxy(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let begun = process.cpuUsage();
  const running = await startProxy({
    upstream: values.upstream as string,
    port: 0,
    config: { contextWindow: Number(values.window) },
    onWarning: ({ code }) => console.error(code),
  });
  process.on('message', (message) => {
    if (message === 'begin') {
      delay.reset();
      begun = process.cpuUsage();
    }
    const pauses = [50, 99, 99.9, 100].map(
      (part) => (part === 100 ? delay.max : delay.percentile(part)) / 1e6,
    );
    if (message === 'report')
      tell({
        pauses,
        memory: process.memoryUsage().rss,
        cpuMs: (process.cpuUsage(begun).user + process.cpuUsage(begun).system) / 1_000,
        compressions: running.status().conversations.reduce((sum, one) => sum + one.compressions, 0),
      });
  });
  delay.enable();
  tell(Number(new URL(running.url).port));
}

interface Sample {
  readonly delay: number;
  readonly compressed: boolean;
}

async function agent(base: string, at: number, until: number, samples: Sample[]): Promise<number> {
  const name = `agent${at}x`;
  const messages: { role: string; content: string }[] = [];
  let mixed = 0;
  let compressions = '0';
  for (let turn = 0; now() < until; turn += 1) {
    const text = `${name} ${turn} ${'some words of a file, '.repeat(charactersOfTurn / 22)}`;
    messages.push({ role: 'user', content: text });
    const body = JSON.stringify({ model: 'gpt-5', stream: true, messages });
    const sent = now();
    const response = await fetch(`${base}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { authorization: name },
    });
    const came = Number(response.headers.get('x-came'));
    if (response.headers.get('x-names') !== name) mixed += 1;
    const counted = response.headers.get('x-ctx-compressions') ?? '0';
    samples.push({ delay: came - sent, compressed: counted !== compressions });
    compressions = counted;
    messages.push({ role: 'assistant', content: `done ${turn}: ${(await response.text()).length}` });
    await new Promise((resolve) => setTimeout(resolve, Number(values.pause) * 2_000 * Math.random()));
  }
  return mixed;
}

const started = (role: string, more: readonly string[] = []): Promise<readonly [ChildProcess, number]> =>
  new Promise((resolve) => {
    const child = fork(file, ['--role', role, '--window', values.window, ...more]);
    child.once('message', (port) => resolve([child, Number(port)]));
  });

const percentile = (all: readonly number[], part: number) =>
  ([...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0).toFixed(1);

async function measure(base: string, minutes: number) {
  const samples: Sample[] = [];
  const until = now() + minutes * 60_000;
  const agents = Array.from({ length: Number(values.conversations) }, async (_, at) => {
    await new Promise((resolve) => setTimeout(resolve, Number(values.pause) * 1_000 * Math.random()));
    return agent(base, at, until, samples);
  });
  const mixed = (await Promise.all(agents)).reduce((sum, one) => sum + one, 0);
  const delays = samples.filter(({ compressed }) => !compressed).map(({ delay }) => delay);
  return {
    requests: samples.length,
    mixed,
    p50: percentile(delays, 0.5),
    p90: percentile(delays, 0.9),
    p99: percentile(delays, 0.99),
  };
}

if (values.role === 'upstream') upstream();
else if (values.role === 'proxy') await proxy();
else {
  const [server, port] = await started('upstream');
  const [running, proxyPort] = await started('proxy', ['--upstream', `http://127.0.0.1:${port}`]);
  const minutes = Number(values.minutes);
  console.log(
    'ms until a request reaches the upstream, without',
    await measure(`http://127.0.0.1:${port}`, Math.min(1, minutes)),
  );
  running.send('begin');
  console.log(
    'and with the proxy, compressions apart',
    await measure(`http://127.0.0.1:${proxyPort}`, minutes),
  );
  running.once('message', (report) => {
    console.log(
      'the proxy: pauses of the event loop in ms (50, 99, 99.9, 100 %), bytes of memory, ms of CPU, compressions',
      report,
    );
    running.kill();
    server.kill();
  });
  running.send('report');
}
