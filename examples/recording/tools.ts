import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Call } from './task.js';

export interface Result {
  readonly output: string;
  readonly isError: boolean;
}

const allowed = /^(npx (jest|tsc|biome) |wc |sort |head |tail |cat )/;

type Tools = Record<Call['tool'], (input: Call['input']) => string>;

/** Runs a command that is allowed, and gives what it prints. */
function run(text: string, root: string): string {
  if (!text.split(/ && | \| /).every((one) => allowed.test(one))) {
    throw new Error(`${text.split(' ')[0]} is not available here; use npx jest, npx tsc or npx biome`);
  }
  const { stdout, stderr, status } = spawnSync('sh', ['-c', `(${text.replaceAll('npx ', '')}) 2>&1`], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, CI: 'true', NO_COLOR: '1' },
    maxBuffer: 1e8,
  });
  const output = stdout + stderr;
  if (status !== 0) throw new Error(`${output.trimEnd()}\nexit code ${status}`);
  return output.trimEnd() || '(no output)';
}

/** What each tool does in a folder; it throws what the agent is told. */
function realTools(root: string): Tools {
  const pathOf = (path: unknown) => {
    const full = resolve(root, String(path));
    if (full !== root && !full.startsWith(root + sep))
      throw new Error(`${path} is outside of the repository`);
    return full;
  };
  const linesOf = (file: string) => readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');

  return {
    read: ({ path, offset = 1, limit = 2000 }) => {
      const lines = linesOf(pathOf(path));
      const start = Number(offset) - 1;
      const shown = lines.slice(start, start + Number(limit));
      const rest = lines.length - start - shown.length;
      const numbered = shown.map((line, index) => `${String(start + index + 1).padStart(5)}  ${line}`);
      return [...numbered, ...(rest > 0 ? [`(${rest} more lines)`] : [])].join('\n');
    },
    grep: ({ pattern, path }) => {
      const expression = new RegExp(String(pattern));
      const hits = filesIn(pathOf(path)).flatMap((file) =>
        linesOf(file).flatMap((line, index) =>
          expression.test(line) ? [`${relative(root, file)}:${index + 1}: ${line.trim()}`] : [],
        ),
      );
      return hits.length === 0 ? 'No matches.' : `${hits.length} matches\n${hits.join('\n')}`;
    },
    list: ({ path }) =>
      readdirSync(pathOf(path), { withFileTypes: true })
        .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .sort()
        .join('\n'),
    edit: ({ path, old, new: text }) => {
      const file = pathOf(path);
      const pieces = readFileSync(file, 'utf8').split(String(old));
      if (pieces.length !== 2)
        throw new Error(`the old text occurs ${pieces.length - 1} times in ${path}, not once`);
      writeFileSync(file, pieces.join(String(text)));
      return `Edited ${path}.`;
    },
    write: ({ path, content }) => {
      mkdirSync(dirname(pathOf(path)), { recursive: true });
      writeFileSync(pathOf(path), String(content));
      return `Wrote ${String(content).split('\n').length - 1} lines to ${path}.`;
    },
    bash: ({ command }) => run(String(command), root),
  };
}

/** Runs the agent's tools for real in a folder, and gives output that is the same on every machine. */
export function toolsIn(root: string, original: string) {
  const tools = realTools(root);
  return ({ tool, input }: Call): Result => {
    try {
      return { output: scrub(tools[tool](input), root, original), isError: false };
    } catch (error) {
      const { message } = error as Error;
      return {
        output: scrub(tool === 'bash' ? message : `Error: ${message}`, root, original),
        isError: true,
      };
    }
  };
}

/** Takes out what differs from machine to machine and from run to run: folders and durations. */
function scrub(text: string, root: string, original: string): string {
  const relativeOriginal = relative(root, original);
  return [relativeOriginal, root, original]
    .reduce((scrubbed, folder) => scrubbed.replaceAll(folder, '/repo'), text)
    .replace(/ \(\d+(\.\d+)? m?s\)/g, '')
    .replace(/^Time: .*\n/gm, '')
    .replace(/ in \d+(\.\d+)? ?(ms|s|µs)\b/g, '');
}

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesIn(join(path, entry.name)));
}
