import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFiles } from '@ctx/file-reading';
import { nodeFileSystem } from '@ctx/strategy-file-folding/folder-reader';

/** A root with a folder that can be swapped for a link out of the root, and back. */
function swappable() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-swapped-')));
  const root = join(base, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(root, 'folder', 'file'), 'what is inside');
  writeFileSync(join(base, 'outside', 'file'), 'a secret');
  symlinkSync(join(base, 'outside'), join(root, 'link'));
  let isOut = false;
  const swap = (out: boolean) => {
    if (out === isOut) return;
    isOut = out;
    const at = (name: string) => join(root, name);
    renameSync(at('folder'), at(out ? 'kept' : 'link'));
    renameSync(at(out ? 'link' : 'kept'), at('folder'));
  };
  return { base, root, swap };
}

test('a folder that is a link out between any two steps of a read gives nothing from outside', async () => {
  const { base, root, swap } = swappable();
  let read = 0;
  const mostSteps = 9;
  for (let schedule = 0; schedule < 2 ** mostSteps; schedule += 1) {
    let step = 0;
    const next = () => {
      swap(((schedule >> step) & 1) === 1);
      step += 1;
    };
    /** The same, with a swap before each step that looks at a path or an opened file. */
    const swapped = <Steps extends object>(steps: Steps): Steps =>
      new Proxy(steps, {
        get(target, name) {
          const one: unknown = Reflect.get(target, name);
          if (typeof one !== 'function' || name === 'read' || name === 'close') return one;
          return async (...given: unknown[]) => {
            next();
            const result: unknown = await one.apply(target, given);
            return name === 'open' ? swapped(result as object) : result;
          };
        },
      });
    const fileSystem = swapped(nodeFileSystem);
    const { files } = await readFiles([join(root, 'folder', 'file')], { root, fileSystem });
    for (const file of files) {
      if (file.status !== 'read') continue;
      read += 1;
      expect(file.content).toBe('what is inside');
    }
    expect(step).toBeLessThanOrEqual(mostSteps);
    swap(false);
  }
  expect(read).toBeGreaterThan(0);
  rmSync(base, { recursive: true });
});
