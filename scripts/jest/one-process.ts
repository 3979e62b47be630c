import childProcess from 'node:child_process';
import { relative, sep } from 'node:path';
import threads from 'node:worker_threads';

/**
 * What `npm test` runs works in one process. A test that starts another, or a thread, fails, unless its file ends in `.slow.test.ts`:
 * only `npm run test:all` runs that.
 */
const slow = '.slow.test.ts';

/** Programs that any test may start: Node makes no named pipe. */
const programs = ['mkfifo'];

const starters = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];

/** Hands `module` to the test with functions that note what they start; what they do stays the same. */
function watch(module: object, names: readonly string[], started: string[]): () => void {
  const functions = module as Record<string, (...args: unknown[]) => object>;
  const note = ([program]: unknown[]) => {
    if (!programs.includes(String(program))) started.push(String(program));
  };
  const originals = names.map((name) => [name, functions[name] as (...args: unknown[]) => object] as const);
  for (const [name, original] of originals)
    functions[name] = new Proxy(original, {
      apply: (target, self, args) => {
        note(args);
        return Reflect.apply(target, self, args);
      },
      construct: (target, args, self) => {
        note(args);
        return Reflect.construct(target, args, self);
      },
    });
  return () => void Object.assign(module, Object.fromEntries(originals));
}

const root = `${__dirname}/../..`;
const file = relative(root, String(expect.getState().testPath)).replaceAll(sep, '/');

if (!file.endsWith(slow)) {
  const started: string[] = [];
  const restores = [watch(childProcess, starters, started), watch(threads, ['Worker'], started)];
  afterAll(() => {
    for (const restore of restores) restore();
    if (started.length === 0) return;
    const others = started.length === 1 ? '' : `, and ${started.length - 1} more`;
    throw new Error(`${file} starts ${started[0]}${others}. Name it *${slow}, or test it in this process.`);
  });
}
