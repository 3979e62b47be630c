import { basename, join } from 'node:path';
import { command, root, started } from './tools.mjs';

/** Says nothing unless it fails. */
async function quiet(args) {
  const done = await started(args);
  return done.status === 0 ? { status: 0 } : done;
}

/** Checks of what `pack` has packed, for `sideBySide`: the files of all of them, and publint and attw for each. */
export function judgesOf(packed) {
  const files = [join(root, 'scripts/tarballs.mjs'), ...packed.map(({ unpacked }) => unpacked)];
  const attw = [command('@arethetypeswrong/cli', 'attw'), '--profile', 'esm-only', '--no-emoji'];
  const publint = [command('publint'), 'run'];
  const each = packed.flatMap(({ tarball }) => [
    [`attw ${basename(tarball)}`, () => quiet([...attw, tarball])],
    [`publint ${basename(tarball)}`, () => quiet([...publint, tarball, '--strict'])],
  ]);
  return { 'files of the tarballs': () => quiet(files), ...Object.fromEntries(each) };
}
