// The agents: each replays sessions, reads streamed answers to their end, and pauses between its requests. Some read slowly, some break off.

import { Agent as Connections, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { now, sleep } from './process.js';
import { type Replay, replays } from './sessions.js';

/** A request that was answered. */
export interface Sample {
  /** Ms from sending it until the upstream had it, and until the first byte of the answer came. */
  readonly reached: number;
  readonly firstByte: number;
  readonly kind: 'beside' | 'first' | 'compressed' | 'later';
  readonly bytes: number;
}

export interface AgentsReport {
  readonly samples: readonly Sample[];
  /** How often something came back: an answer, an error of the upstream, a stream that broke off, nothing in time, what the agent itself broke off. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Requests in which the upstream saw the name of another agent, or none. */
  readonly mixed: number;
  /** Conversations that were begun. */
  readonly conversations: number;
}

const [base = '', upstream = '', count = '', minutes = '', pause = ''] = process.argv.slice(2);
/** Of so many requests one is also sent beside the proxy, one is read slowly, and one is broken off. */
const [besideEvery, slowEvery, brokenEvery] = [10, 10, 30];
/** Ms between two pieces of an answer for a slow reader, and until an agent gives up. */
const [slowMs, longestWait] = [300, 8_000];
/** Agents that have the same credentials. */
const agentsOfKey = 4;

const samples: Sample[] = [];
const outcomes: Record<string, number> = {};
let [mixed, conversations, number] = [0, 0, 0];
const noted = (outcome: string) => {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
};

interface Answer {
  readonly status: number;
  readonly reached: number;
  readonly firstByte: number;
  readonly compressions: number;
}

async function send(
  url: string,
  body: string,
  agent: Agent,
  more: Record<string, string> = {},
): Promise<Answer> {
  const isBeside = more['x-beside'] !== undefined;
  number += isBeside ? 0 : 1;
  const isEvery = (every: number) => !isBeside && number % every === 0;
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), isEvery(brokenEvery) ? 400 * Math.random() : longestWait);
  const isSlow = isEvery(slowEvery);
  const headers = { 'content-type': 'application/json', authorization: agent.key, ...more };
  const sent = now();
  try {
    const response = await posted(url, body, { headers, agent: connections, signal: gone.signal });
    let firstByte = 0;
    for await (const _ of response) {
      firstByte ||= now() - sent;
      if (isSlow) await sleep(slowMs);
    }
    const header = (name: string) => response.headers[name] as string | undefined;
    // Where a compression leaves no text, no name is left either; the newest is always there.
    if (header('x-names') !== agent.name) mixed += 1;
    return {
      status: response.statusCode ?? 0,
      reached: Number(header('x-came')) - sent,
      firstByte,
      compressions: Number(header('x-ctx-compressions') ?? 0),
    };
  } catch (error) {
    if (gone.signal.aborted) throw new GaveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class GaveUp extends Error {}

/** Not `fetch`: that of Node 20 now and then leaves a promise that never settles when a request is broken off. */
const posted = (url: string, body: string, options: RequestOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, method: 'POST' }, resolve)
      .on('error', reject)
      .end(body);
  });
const connections = new Connections({ keepAlive: true });

interface Agent {
  readonly name: string;
  readonly key: string;
}

/** Sends a request until it is answered, as agents do. */
async function answered(url: string, body: string, agent: Agent): Promise<Answer> {
  for (;;) {
    try {
      const answer = await send(url, body, agent);
      noted(String(answer.status));
      if (answer.status === 200) return answer;
    } catch (error) {
      noted(error instanceof GaveUp ? 'given up' : 'broke off');
    }
    await sleep(500 + 1_000 * Math.random());
  }
}

async function session(
  agent: Agent,
  { path, ends, body }: Replay,
  from: number,
  until: number,
): Promise<void> {
  conversations += 1;
  let compressions = 0;
  for (const [turn, end] of ends.slice(from).entries()) {
    if (now() > until) return;
    const text = body(end, agent.name);
    const { length: bytes } = text;
    if (number % besideEvery === 0) {
      const { reached, firstByte } = await send(upstream + path, text, agent, { 'x-beside': '1' });
      samples.push({ reached, firstByte, kind: 'beside', bytes });
    }
    const { compressions: done, ...times } = await answered(base + path, text, agent);
    const kind = done !== compressions ? 'compressed' : turn === 0 ? 'first' : 'later';
    samples.push({ reached: times.reached, firstByte: times.firstByte, kind, bytes });
    compressions = done;
    await sleep(Number(pause) * 2_000 * Math.random());
  }
}

const all = await replays();
const until = now() + Number(minutes) * 60_000;
await Promise.all(
  Array.from({ length: Number(count) }, async (_, at) => {
    await sleep(Number(pause) * 1_000 * Math.random());
    for (let turn = 0; now() < until; turn += 1) {
      // A name of its own for each conversation.
      const agent = {
        name: `agent${at + turn * Number(count)}x`,
        key: `key ${Math.floor(at / agentsOfKey)}`,
      };
      const one = all[(at * 7 + turn * 31) % all.length] as Replay;
      // At first some are in the middle of their work, so that the load is the same from the beginning.
      await session(agent, one, turn === 0 ? Math.floor(one.ends.length * Math.random()) : 0, until);
    }
  }),
);
// A long report needs time: without the callback, the end of the process would cut it off.
const report = { samples, outcomes, mixed, conversations } satisfies AgentsReport;
process.send?.(report, () => process.disconnect?.());
