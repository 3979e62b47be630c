import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Files = Readonly<Record<string, string>>;

/** A folder of its own for each test. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-tree-'));
});
afterEach(() => rmSync(root, { recursive: true }));

export const inTree = (path: string) => join(root, path);

export function write(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(inTree(path)), { recursive: true });
    writeFileSync(inTree(path), text);
  }
}

/** What a script says of the tree, or of another folder. */
export function check(script: string, args: readonly string[] = [], folder = root) {
  const path = join(__dirname, `../${script}.mjs`);
  const { status, stderr, stdout } = spawnSync(process.execPath, [path, folder, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr, offences: stderr.split('\n').filter((line) => line !== '') };
}

/** The offences that a script finds when these files are in the tree, a line each. */
export function offencesOf(script: string, files: Files, ...args: string[]): string[] {
  write(files);
  const { status, offences } = check(script, args);
  expect(status).toBe(offences.length === 0 ? 0 : 1);
  return offences;
}
