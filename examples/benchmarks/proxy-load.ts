// Many agents at once through the proxy: what it adds until the first byte of an answer, how long its event loop pauses, what memory it takes
// over time, whether conversations are mixed, and what is left open. The agents replay recorded sessions; some read slowly, some break off,
// and the upstream now and then hangs, cuts a stream, or answers 429 or 529. Upstream, proxy and agents are processes of their own, and so
// is one that does nothing, whose pauses are the machine's. Upstream and agents give way to the proxy, as elsewhere they have machines of
// their own.
// Start: npx tsx examples/benchmarks/proxy-load.ts [--agents 200] [--minutes 3] [--pause 10] [--window 200000] [--store sqlite:FILE]
// Build first. An agent pauses for so many seconds on the average.

import { parseArgs } from 'node:util';
import type { AgentsReport, Sample } from './load/agents.js';
import type { IdleReport } from './load/idle.js';
import { percentile, sleep, started, told } from './load/process.js';
import type { Interval, ProxyReport } from './load/proxy.js';

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '3' },
    pause: { type: 'string', default: '10' },
    window: { type: 'string', default: '200000' },
    store: { type: 'string', default: '' },
  },
});
/** Ms after the last answer in which idle connections close: those to the upstream after five seconds. */
const closingMs = 10_000;
const intervalsOfMinute = 6;

const ms = (value: number) => value.toFixed(1);
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

function timesOf(samples: readonly Sample[]) {
  const column = (key: 'reached' | 'firstByte') => {
    const all = samples.map((one) => one[key]);
    return [0.5, 0.9, 0.99].map((part) => ms(percentile(all, part))).join(' / ');
  };
  return {
    requests: samples.length,
    'kB, mean': (mean(samples.map(({ bytes }) => bytes)) / 1_000).toFixed(0),
    'ms until the upstream has it, 50 / 90 / 99 %': column('reached'),
    'ms until the first byte, 50 / 90 / 99 %': column('firstByte'),
  };
}

function memoryOf(name: string, intervals: readonly Interval[]) {
  return {
    when: name,
    'rss, MB': megabytes(mean(intervals.map(({ rss }) => rss))),
    'heap, MB': megabytes(mean(intervals.map(({ heap }) => heap))),
    'longest pause, ms': ms(Math.max(...intervals.map(({ pause }) => pause))),
  };
}

/** Of processes that give way. */
const niceness = 10;
const [upstream, port] = await started('upstream', [], niceness);
const address = `http://127.0.0.1:${port}`;
const [proxy, url] = await started('proxy', [address, values.window, values.store]);
const [idle] = await started('idle');
proxy.send('begin');
const before = (await asked(proxy)) as ProxyReport;
idle.send('begin');
proxy.send('begin');
const args = [String(url), address, values.agents, values.minutes, values.pause];
const [, report] = await started('agents', args, niceness);
const { samples, outcomes, mixed, conversations } = report as AgentsReport;
const during = (await asked(proxy)) as ProxyReport;
const machine = (await asked(idle)) as IdleReport;
await sleep(closingMs);
const after = (await asked(proxy)) as ProxyReport;

async function asked(child: Parameters<typeof told>[0]): Promise<unknown> {
  const answer = told(child);
  child.send('report');
  return answer;
}

const kinds = ['beside', 'later', 'first', 'compressed'] as const;
console.log('Times; "beside" went straight to the upstream, a tenth of the same requests');
console.table(
  Object.fromEntries(kinds.map((kind) => [kind, timesOf(samples.filter((one) => one.kind === kind))])),
);
const { intervals } = during;
const step = Math.max(1, Math.floor(intervals.length / 10));
console.log('Memory and pauses of the proxy over time');
console.table([
  memoryOf('first minute', intervals.slice(0, intervalsOfMinute)),
  ...intervals.flatMap((_, at) =>
    at % step === 0
      ? [memoryOf(`from ${(at / intervalsOfMinute).toFixed(1)} min`, intervals.slice(at, at + step))]
      : [],
  ),
  memoryOf('last minute', intervals.slice(-intervalsOfMinute)),
]);
console.log({
  conversations,
  outcomes,
  mixed,
  compressions: during.compressions,
  'pauses of the event loop, ms (50, 99, 99.9, 100 %)': during.pauses.map(ms).join(' / '),
  'the same of an idle process': machine.pauses.map(ms).join(' / '),
  'pauses over 20 ms of an idle process': machine.over20,
  'pauses over 20 ms': during.over20,
  'ms of CPU for each request': ms(during.cpuMs / samples.length),
  'open before, at the end, and later': [before.open, during.open, after.open],
  warnings: during.warnings,
});
for (const child of [upstream, proxy, idle]) child.disconnect();
