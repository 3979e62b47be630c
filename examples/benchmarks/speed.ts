// Measures how fast ctx is and how its time grows, next to LangChain's trimMessages and the AI SDK's pruneMessages on
// the same messages in the same run. Start: npm run bench:speed [-- --full] [--record]
// --record keeps the figures in results/, from which the README is made.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toAiSdk, toLangChain } from '@ctx/bench';
import { type Cell, markdownTable } from '@ctx/bench/markdown-table';
import { bpeCounter, type ContextManager, createContextManager, type Message } from '@ctx/core';
import { checkFile } from '@ctx/file-reading';
import { extractDefinitions } from '@ctx/strategy-file-folding';
import { middleRemoval } from '@ctx/strategy-middle-removal';
import { oldestRemoval } from '@ctx/strategy-oldest-removal';
import { relevance } from '@ctx/strategy-relevance';
import { toolResults } from '@ctx/strategy-tool-results';
import { conversation } from './conversation.js';
import { approximately, clearToolUses, prune, remembering, trimWith } from './peers.js';
import { progress } from './progress.js';
import { growth, median, ms, timed } from './timing.js';

interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
}

const full = process.argv.includes('--full');
const figures: Figure[] = [];
const strategies = {
  'middle-removal': middleRemoval(),
  'oldest-removal': oldestRemoval(),
  relevance: relevance(),
};
/** Ms for 10,000 messages. */
const goals = { 'middle-removal': 50, 'oldest-removal': 50, relevance: 300 };
const counter = bpeCounter();

function figure(what: string, measured: string, goal: string, reached: boolean): void {
  figures.push({ what, measured, goal, reached });
}

function managerWith(messages: readonly Message[], contextWindow = 1_000_000_000): ContextManager {
  const manager = createContextManager({ counter, config: { contextWindow, throttleMs: 0 } });
  for (const message of messages) manager.append(message);
  return manager;
}

/** Median of the ms that a script prints, each run in a new process. */
function inFreshProcess(script: string): number {
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  return median(Array.from({ length: 9 }, run));
}

function startUp(): void {
  const core = import.meta.resolve('@ctx/core');
  const importing = (...urls: string[]) => {
    const imports = urls.map((url) => `await import(${JSON.stringify(url)});`).join('');
    return inFreshProcess(
      `const start = performance.now(); ${imports} console.log(performance.now() - start)`,
    );
  };
  const dependency = (name: string) => pathToFileURL(createRequire(core).resolve(name)).href;
  const importMs = importing(core);
  const zodMs = importing(new URL('index.js', dependency('zod')).href);
  const diMs = importing(dependency('reflect-metadata'), dependency('tsyringe'));
  figure(
    'import @ctx/core, in a fresh process',
    `${ms(importMs)} ms, of which zod ${ms(zodMs)} and tsyringe ${ms(diMs)}`,
    '< 100 ms',
    importMs < 100,
  );
  const firstCountMs = inFreshProcess(
    `const { bpeCounter } = await import(${JSON.stringify(core)}); const counter = bpeCounter(); const start = performance.now(); await counter.load(); counter.count('hello world'); console.log(performance.now() - start)`,
  );
  figure('first count, tokenizer loaded for it', `${ms(firstCountMs)} ms`, '< 400 ms', firstCountMs < 400);
}

async function appendAndCheck(): Promise<void> {
  const rounds = 500;
  const perMessage = async (size: number) => {
    const messages = conversation(size);
    const added = conversation(size + 3 * rounds).slice(size, size + rounds);
    const timing = await timed(
      () => managerWith(messages),
      async (manager) => {
        for (const message of added) await manager.add({ role: 'user', content: JSON.stringify(message) });
      },
    );
    return timing.ms / rounds;
  };
  await perMessage(10);
  const [few, many] = [await perMessage(10), await perMessage(10_000)];
  const ratio = many / few;
  figure(
    'append + checkAndCompress below the trigger, after 10,000 messages against after 10',
    `${(many * 1000).toFixed(0)} µs against ${(few * 1000).toFixed(0)} µs: ${ratio.toFixed(2)}×`,
    '< 2×',
    ratio < 2,
  );
}

async function planAndApply(): Promise<void> {
  for (const [name, strategy] of Object.entries(strategies)) {
    const goal = goals[name as keyof typeof goals];
    const compress = async (size: number) => {
      const messages = conversation(size);
      managerWith(messages);
      const timing = await timed(
        () => {
          const manager = managerWith(messages);
          return { manager, targetTokens: Math.floor(manager.stats().currentTokens / 2) };
        },
        ({ manager, targetTokens }) => manager.compress({ strategy, targetTokens }),
        { budgetMs: 6_000 },
      );
      progress(`${name} on ${size} messages`);
      return { size, ...timing };
    };
    const points = [];
    for (const size of [1_000, 10_000, 30_000, 100_000]) points.push(await compress(size));
    const [, tenThousand, , hundredThousand] = points;
    if (tenThousand === undefined || hundredThousand === undefined) continue;
    figure(
      `${name}: plan, check and apply, 10,000 messages to half`,
      `${ms(tenThousand.ms)} ms`,
      `< ${goal} ms`,
      tenThousand.ms < goal,
    );
    const power = growth(tenThousand, hundredThousand);
    // n log n between 10,000 and 100,000 grows with the power 1.097; the rest is room for noise and caches.
    figure(
      `${name}: growth from 10,000 to 100,000 messages`,
      `n^${power.toFixed(2)} by the fastest runs (median ${ms(hundredThousand.ms)} ms)`,
      'n log n (≤ n^1.3)',
      power <= 1.3,
    );
  }
}

async function toolResultsOverTenThousand(): Promise<void> {
  const strategy = toolResults({ reads: { keep: 1 } });
  let cleared = 0;
  const timing = await timed(
    () => managerWith(conversation(10_000)),
    async (manager) => {
      const { record } = await manager.compress({ strategy, targetTokens: 0 });
      cleared = record?.edits.length ?? 0;
    },
    { budgetMs: 4_000 },
  );
  progress('tool-results');
  figure(
    'tool-results: plan, check and apply over 10,000 messages',
    `${ms(timing.ms)} ms, ${cleared} results cleared`,
    '< 50 ms',
    timing.ms < 50,
  );
}

/** The source of the installed zod: TypeScript declarations and JavaScript. */
function sources(): { readonly path: string; readonly text: string }[] {
  const folder = dirname(createRequire(import.meta.url).resolve('zod'));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .map((name) => ({ path: name, text: readFileSync(join(folder, name), 'utf8') }));
}

async function folding(): Promise<void> {
  const files = sources();
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const fold = async () => {
    for (const { path, text } of files) await extractDefinitions(text, { path });
  };
  await fold();
  const timing = await timed(() => {}, fold, { budgetMs: 4_000 });
  progress('folding');
  const speed = bytes / 1e6 / (timing.ms / 1000);
  figure(
    `fold ${files.length} source files of ${(bytes / 1e6).toFixed(1)} MB, grammars loaded`,
    `${speed.toFixed(1)} MB/s`,
    '≥ 2 MB/s',
    speed >= 2,
  );
}

async function sizeChecks(): Promise<void> {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@ctx/core')));
  const files = readdirSync(folder)
    .slice(0, 50)
    .map((name) => join(folder, name));
  const timing = await timed(
    () => {},
    async () => {
      for (const file of files) await checkFile(file);
    },
  );
  figure(`check the size of ${files.length} files`, `${ms(timing.ms)} ms`, '< 100 ms', timing.ms < 100);
}

async function unbrokenText(): Promise<void> {
  const texts = {
    'one letter': 'a'.repeat(1_000_000),
    'random Latin letters': letters(1_000_000, 97, 26),
    'random Chinese characters': letters(1_000_000, 0x4e00, 6_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    const start = performance.now();
    const tokens = counter.count(text);
    const seconds = (performance.now() - start) / 1000;
    progress(name);
    figure(
      `count a million characters without a space, ${name}`,
      `${seconds.toFixed(2)} s, ${tokens} tokens`,
      '< 10 s',
      seconds < 10,
    );
  }
}

function letters(length: number, first: number, range: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(first + (state % range));
  }).join('');
}

/**
 * The largest number of messages to measure a peer with, because its time grows with the square: minutes with `--full`, otherwise
 * seconds.
 */
const largest = full
  ? { approximate: 10_000, exact: 3_000, clearing: 3_000 }
  : { approximate: 3_000, exact: 1_000, clearing: 1_000 };

async function besidePeers(): Promise<Cell[][]> {
  const exact = (text: string) => counter.count(text);
  const rows: Cell[][] = [];
  for (const size of [100, 1_000, 3_000, 10_000, 50_000]) {
    const messages = conversation(size);
    const budget = Math.floor(managerWith(messages).stats().countedTokens / 2);
    const chain = toLangChain(messages);
    const counted = remembering(exact);
    for (const { content } of chain) counted(String(content));
    const sdk = toAiSdk(messages);
    const ours = async (strategy: keyof typeof strategies) => {
      const { ms: time } = await timed(
        () => managerWith(messages),
        (manager) => manager.compress({ strategy: strategies[strategy], targetTokens: budget }),
      );
      return ms(time);
    };
    const fromNothing = () =>
      timed(
        () => {},
        () =>
          managerWith(messages.map((message) => ({ ...message }))).compress({
            strategy: strategies['oldest-removal'],
            targetTokens: budget,
          }),
        { budgetMs: 3_000, maxRuns: 5 },
      );
    const peer = async (run: () => unknown, upTo = Number.POSITIVE_INFINITY) =>
      size > upTo ? '–' : ms((await timed(() => {}, run, { budgetMs: 1 })).ms);
    rows.push([
      size,
      await ours('middle-removal'),
      await ours('oldest-removal'),
      ms((await fromNothing()).ms),
      await peer(() => prune(sdk)),
      await peer(() => clearToolUses(chain, budget), largest.clearing),
      await peer(() => trimWith(approximately)(chain, budget), largest.approximate),
      await peer(() => trimWith(counted)(chain, budget), largest.approximate),
      await peer(() => trimWith(remembering(exact))(chain, budget), largest.approximate),
      await peer(() => trimWith(exact)(chain, budget), largest.exact),
    ]);
    progress(`peers on ${size} messages`);
  }
  return rows;
}

startUp();
await counter.load?.();
await appendAndCheck();
await toolResultsOverTenThousand();
await planAndApply();
await folding();
await sizeChecks();
await unbrokenText();
const peers = await besidePeers();

const figureTable = markdownTable(
  ['what', 'measured', 'goal', 'reached'],
  figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'yes' : 'no']),
);
const peerTable = markdownTable(
  [
    'messages',
    'ctx middle-removal',
    'ctx oldest-removal',
    'ctx, counting included',
    'AI SDK pruneMessages',
    'LangChain ClearToolUsesEdit, length / 4',
    'LangChain trimMessages, length / 4',
    'LangChain trimMessages, gpt-tokenizer, counted before',
    'LangChain trimMessages, gpt-tokenizer, each text counted once',
    'LangChain trimMessages, gpt-tokenizer, counted each time it asks',
  ],
  peers,
);
const title = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`;
const report = `${figureTable}\n\nMedian ms to bring a conversation to half of its tokens (pruneMessages has no budget: it removes tool calls before the last ten messages):\n\n${peerTable}\n\n${title}\n`;
if (process.argv.includes('--record')) {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}speed.md`, report);
  writeFileSync(`${folder}speed.json`, `${JSON.stringify({ title, figures, peers }, undefined, 2)}\n`);
}
console.log(`\n${report}`);
