import { execFileSync } from 'node:child_process';
import type { Figures } from './figures.js';
import { median, ms } from './timing.js';

/** Median of the ms that a script prints, each run in a new process. */
function inFreshProcess(script: string): number {
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  return median(Array.from({ length: 9 }, run));
}

/** What a program waits for before it can do anything. */
export function startUp(figures: Figures): void {
  const core = import.meta.resolve('@ctx/core');
  const importing = (...urls: string[]) => {
    const imports = urls.map((url) => `await import(${JSON.stringify(url)});`).join('');
    return inFreshProcess(
      `const start = performance.now(); ${imports} console.log(performance.now() - start)`,
    );
  };
  const importMs = importing(core);
  figures.add('import @ctx/core, in a fresh process', `${ms(importMs)} ms`, '< 60 ms', importMs < 60);
  const presetsMs = importing(import.meta.resolve('@ctx/presets'));
  figures.add('import @ctx/presets, in a fresh process', `${ms(presetsMs)} ms`, '< 120 ms', presetsMs < 120);
  const firstCountMs = inFreshProcess(
    `const { bpeCounter } = await import(${JSON.stringify(core)}); const counter = bpeCounter(); const start = performance.now(); await counter.load(); counter.count('hello world'); console.log(performance.now() - start)`,
  );
  figures.add(
    'first count, tokenizer loaded for it',
    `${ms(firstCountMs)} ms`,
    '< 400 ms',
    firstCountMs < 400,
  );
}
