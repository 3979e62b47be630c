// What long sessions cost in a window of a million tokens, with ctx and without, for docs/guide/cost.md.
// Start: npx tsx examples/benchmarks/money.ts [path ...] [--record]
// A path leads to sessions of agents. Without one: examples/sessions, and ../shared/data if it is there. A session is replayed call by call and
// followed by the others until there are as many calls as the longest column has. Its cache never expires. System prompt and tools are not
// in the files and not counted. --record keeps the figures in results/money.json, from which `npm run readme` makes the table.

import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchSession, loadCounter, loadSessions, sessionFiles } from '@ctx/bench';
import { createContextManager } from '@ctx/presets';
import { progress, progressDone } from './progress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One of each price of the cache: 0.1, 0.05 and 0.025 of an input token. */
const models = ['claude-opus-5', 'claude-opus-5-5', 'claude-fable-5-1'];
const usualCalls = [50, 200, 800];
/** Tokens: that of these models. */
const contextWindow = 1_000_000;
const callsOf = ({ messages }: BenchSession) => messages.filter(({ role }) => role === 'assistant').length;

interface Spent {
  readonly calls: number;
  readonly dollars: number;
  readonly dollarsWithout: number;
  /** Tokens of the last request. */
  readonly tokens: number;
  readonly compressions: number;
}

/** Replays sessions one after the other as one conversation, and looks at it after each of the numbers of calls. */
async function replayed(
  sessions: readonly BenchSession[],
  { model, calls, count }: { model: string; calls: readonly number[]; count: (text: string) => number },
) {
  const manager = createContextManager({
    provider: 'anthropic',
    model,
    counter: { count },
    config: { contextWindow, prior: { offset: 0, factor: 1, perToolCall: 0 } },
    now: () => 0,
  });
  const seen: Spent[] = [];
  let made = 0;
  for (const message of sessions.flatMap(({ messages }) => messages)) {
    if (message.role === 'assistant') {
      await manager.checkAndCompress({ beforeSend: true });
      manager.request();
      made += 1;
      if (calls.includes(made)) {
        const { spent, currentTokens, compressions } = manager.stats();
        if (spent.unit !== 'dollars') throw new Error(`${model} has no price`);
        const { withCompression: dollars, withoutCompression: dollarsWithout } = spent;
        seen.push({ calls: made, dollars, dollarsWithout, tokens: currentTokens, compressions });
      }
      if (made === Math.max(...calls)) break;
    }
    manager.append(message);
  }
  return seen;
}

/** The figures of each model after each number of calls, over all sessions that are long enough to begin with. */
export async function measure(
  paths: readonly string[],
  { calls = usualCalls, onProgress }: { calls?: readonly number[]; onProgress?: (done: number) => void } = {},
) {
  const { sessions } = await loadSessions(paths.flatMap(sessionFiles));
  const long = sessions.filter((session) => callsOf(session) >= Math.min(...calls));
  const { text } = await loadCounter();
  const known = new Map<string, number>();
  const count = (said: string) => {
    const tokens = known.get(said) ?? text(said);
    known.set(said, tokens);
    return tokens;
  };
  const rows = [];
  for (const model of models) {
    const all: Spent[] = [];
    for (const [at] of long.entries()) {
      onProgress?.((models.indexOf(model) + at / long.length) / models.length);
      all.push(...(await replayed([...long.slice(at), ...long.slice(0, at)], { model, calls, count })));
    }
    for (const made of calls) {
      const of = all.filter((one) => one.calls === made);
      const mean = (pick: (one: Spent) => number) => of.reduce((sum, one) => sum + pick(one), 0) / of.length;
      rows.push({
        model,
        calls: made,
        n: of.length,
        dollars: mean(({ dollars }) => dollars),
        dollarsWithout: mean(({ dollarsWithout }) => dollarsWithout),
        tokens: mean(({ tokens }) => tokens),
        compressions: mean(({ compressions }) => compressions),
      });
    }
  }
  return { sessions: long.length, contextWindow, rows };
}

/** Measures, shows the figures and records them. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { record: { type: 'boolean', default: false } },
  });
  const paths =
    positionals.length > 0
      ? positionals
      : [here('../sessions'), here('../../../shared/data')].filter(existsSync);
  const measured = await measure(paths, { onProgress: (done) => progress('replaying', done) });
  progressDone();
  console.table(measured.rows);
  if (values.record) writeFileSync(here('results/money.json'), `${JSON.stringify(measured)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void main();
