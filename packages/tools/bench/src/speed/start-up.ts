import { execFileSync } from 'node:child_process';
import { median } from '../averages.js';
import type { Figures } from './figures.js';

/** Median of the ms that a script prints, each run in a new process. */
function inFreshProcess(script: string): number {
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  return median(Array.from({ length: 9 }, run));
}

/** What a program waits for before it can do anything. */
export function startUp(figures: Figures): void {
  const core = import.meta.resolve('@ctx/core');
  const importing = (url: string) =>
    inFreshProcess(
      `const start = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - start)`,
    );
  figures.below('import @ctx/core, in a fresh process', importing(core), 60);
  const presets = import.meta.resolve('@ctx/presets');
  figures.below('import @ctx/presets, in a fresh process', importing(presets), 120);
  const firstCountMs = inFreshProcess(
    `const { bpeCounter } = await import(${JSON.stringify(core)}); const counter = bpeCounter(); const start = performance.now(); await counter.load(); counter.count('hello world'); console.log(performance.now() - start)`,
  );
  figures.below('first count, tokenizer loaded for it', firstCountMs, 400);
}
