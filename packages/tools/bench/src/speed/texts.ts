import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFile } from '@ctx/file-reading';
import { createContextManager } from '@ctx/presets';
import { extractDefinitions } from '@ctx/strategy-file-folding';
import type { Figures } from './figures.js';
import { counter } from './subjects.js';
import { timed, timedWithPause } from './timing.js';

/** The source of the zod that core has: TypeScript declarations and JavaScript. */
function sources(): { readonly path: string; readonly text: string }[] {
  const folder = dirname(createRequire(import.meta.resolve('@ctx/core')).resolve('zod'));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .map((name) => ({ path: name, text: readFileSync(join(folder, name), 'utf8') }));
}

export async function folding(figures: Figures): Promise<void> {
  const files = sources();
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const fold = async () => {
    for (const { path, text } of files) await extractDefinitions(text, { path });
  };
  await fold();
  const timing = await timed(() => {}, fold, { budgetMs: 4_000 });
  figures.step('folding');
  const speed = bytes / 1e6 / (timing.ms / 1000);
  figures.add(
    `fold ${files.length} source files of ${(bytes / 1e6).toFixed(1)} MB, grammars loaded`,
    `${speed.toFixed(1)} MB/s`,
    '≥ 2 MB/s',
    speed >= 2,
  );
}

export async function sizeChecks(figures: Figures): Promise<void> {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@ctx/core')));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .slice(0, 50)
    .map((name) => join(folder, name));
  const timing = await timed(
    () => {},
    async () => {
      for (const file of files) await checkFile(file);
    },
  );
  figures.below(`check the size of ${files.length} files`, timing.ms, 100);
}

export async function unbrokenText(figures: Figures): Promise<void> {
  const texts = {
    'one letter': 'a'.repeat(1_000_000),
    'random Latin letters': letters(1_000_000, 97, 26),
    'random Chinese characters': letters(1_000_000, 0x4e00, 6_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    const start = performance.now();
    const tokens = counter.count(text);
    const seconds = (performance.now() - start) / 1000;
    figures.step(name);
    figures.add(
      `count a million characters without a space, ${name}`,
      `${seconds.toFixed(2)} s, ${tokens} tokens`,
      '< 10 s',
      seconds < 10,
    );
  }
}

/** Results of tools that are much larger than the window: both are added, counted, and cut to it. */
export async function giantTexts(figures: Figures): Promise<void> {
  const rows = Array.from({ length: 70_000 }, (_, id) => ({ id, name: `row ${id}`, value: Math.sin(id) }));
  const words = sources()
    .map(({ text }) => text)
    .join('\n');
  const texts = {
    '8 MB of source': words.repeat(Math.ceil(8_000_000 / words.length)).slice(0, 8_000_000),
    '4 MB of JSON': JSON.stringify(rows).slice(0, 4_000_000),
  };
  for (const [name, output] of Object.entries(texts)) {
    const manager = createContextManager({ counter, config: { contextWindow: 32_000 } });
    const call = { toolCallId: 'giant', toolName: 'read' };
    const { ms: taken, pauseMs } = await timedWithPause(async () => {
      await manager.add({ role: 'user', content: 'What is in it?' });
      await manager.add({ role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] });
      await manager.add({ role: 'tool', content: [{ type: 'tool-result', ...call, output }] });
    });
    figures.step(name);
    figures.below(`a result of ${name}, cut to a window of 32,000 tokens`, taken, 1_000);
    figures.below(`longest pause of the event loop meanwhile, ${name}`, pauseMs, 20);
  }
}

function letters(length: number, first: number, range: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(first + (state % range));
  }).join('');
}
