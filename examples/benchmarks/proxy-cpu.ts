// What a request costs the proxy that passes as it came: ms of CPU, and the longest pauses of its event loop, by the length of the conversation.
// The upstream, the proxy and the agent are processes of their own, so that only the proxy is measured.
// Start: npx tsx examples/benchmarks/proxy-cpu.ts [--turns 60] [--kilobytes 50,200,500,1000,2000]
// Build first.

import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProxy } from '@ctx/proxy';
import { tell, told } from './load/process.js';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '60' },
    kilobytes: { type: 'string', default: '50,200,500,1000,2000' },
    role: { type: 'string' },
    upstream: { type: 'string' },
  },
});
const file = fileURLToPath(import.meta.url);

function upstream(): void {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"usage":{}}');
    });
  });
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port));
}

async function proxy(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const config = { contextWindow: 100_000_000 };
  const { url } = await startProxy({ upstream: values.upstream as string, port: 0, config });
  let begun = process.cpuUsage();
  process.on('message', (message) => {
    const { user, system } = process.cpuUsage(begun);
    if (message === 'report') tell({ cpuMs: (user + system) / 1_000, pauseMs: delay.max / 1e6 });
    delay.reset();
    begun = process.cpuUsage();
  });
  tell(url);
}

/** A turn of an agent: a call, a result of four kilobytes with words that come again, and a text. */
const turnOf = (at: number) => {
  const id = `call-${at}`;
  const line = (number: number) =>
    `${number}: const value${at * number} = load('src/module-${at}.ts', ${number});\n`;
  return [
    {
      role: 'assistant',
      content: `Step ${at}.`,
      tool_calls: [
        { id, type: 'function', function: { name: 'read', arguments: `{"path":"src/${at}.ts"}` } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: id,
      content: Array.from({ length: 80 }, (_, number) => line(number)).join(''),
    },
  ];
};

async function measure(base: string, child: ChildProcess, kilobytes: number, name = 'Work') {
  const messages: unknown[] = [{ role: 'user', content: `${name} of ${kilobytes} kB.` }];
  let at = 0;
  const grow = () => messages.push(...turnOf(at++));
  while (JSON.stringify(messages).length < kilobytes * 1_000) grow();
  const send = async () => {
    const body = JSON.stringify({ model: 'gpt-5', messages });
    await (await fetch(`${base}/v1/chat/completions`, { method: 'POST', body })).text();
  };
  // The first request of a conversation reads all of it.
  child.send('begin');
  await send();
  child.send('report');
  const first = (await told(child)) as { cpuMs: number; pauseMs: number };
  const turns = Number(values.turns);
  for (let turn = 0; turn < turns; turn += 1) {
    grow();
    await send();
  }
  child.send('report');
  const { cpuMs, pauseMs } = (await told(child)) as { cpuMs: number; pauseMs: number };
  const ms = (value: number) => value.toFixed(1);
  return {
    kilobytes,
    'first, ms': ms(first.cpuMs),
    'its longest pause, ms': ms(first.pauseMs),
    'each later one, ms': ms(cpuMs / turns),
    'their longest pause, ms': ms(pauseMs),
  };
}

if (values.role === 'upstream') upstream();
else if (values.role === 'proxy') await proxy();
else {
  const server = fork(file, ['--role', 'upstream']);
  const port = await told(server);
  const running = fork(file, ['--role', 'proxy', '--upstream', `http://127.0.0.1:${port}`]);
  const base = (await told(running)) as string;
  // Once, so that what is measured is compiled.
  await measure(base, running, 200, 'Warming up');
  const rows = [];
  for (const kilobytes of values.kilobytes.split(','))
    rows.push(await measure(base, running, Number(kilobytes)));
  console.table(rows);
  running.kill();
  server.kill();
}
