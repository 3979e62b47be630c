import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Why a file was not read. */
export type SkipReason =
  | 'outside'
  | 'ignored'
  | 'missing'
  | 'forbidden'
  | 'no-file'
  | 'empty'
  | 'too-large'
  | 'binary'
  | 'unsupported'
  | 'nothing-defined'
  | 'too-many';

/** `version` tells this state of this file from every other. */
export type Reading = { readonly text: string; readonly version: string } | { readonly skipped: SkipReason };

/** What a NUL is looked for in to tell binary from text. */
const binarySample = 8_192;

/**
 * The path of a file relative to a folder, with every link followed; undefined where it lies outside or is not there.
 */
export async function pathInside(
  folder: string,
  path: string,
): Promise<{ real: string; inner: string } | SkipReason> {
  try {
    const root = await realpath(folder);
    const asked = resolve(root, path);
    if (!isInside(root, asked) && !isInside(folder, asked)) return 'outside';
    const real = await realpath(asked);
    return isInside(root, real) ? { real, inner: relative(root, real).split(sep).join('/') } : 'outside';
  } catch (error) {
    return reasonOf(error);
  }
}

function isInside(folder: string, path: string): boolean {
  const inner = relative(resolve(folder), path);
  return inner !== '' && inner.split(sep)[0] !== '..' && !isAbsolute(inner);
}

/**
 * The text of a file, which is opened only once it is known to be one: no device is read, and a pipe does not block. It is read as
 * UTF-8, and never more of it than `maxBytes`.
 * @param real a path without links, as `pathInside` gives it
 */
export async function readInside(real: string, maxBytes: number, signal?: AbortSignal): Promise<Reading> {
  signal?.throwIfAborted();
  let file: FileHandle | undefined;
  try {
    // What has become a link since is refused, and a pipe would wait for a writer.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return { skipped: 'no-file' };
    if (stats.size > maxBytes) return { skipped: 'too-large' };
    if (!(await isAt(real, file, stats))) return { skipped: 'outside' };
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    signal?.throwIfAborted();
    const content = bytes.subarray(0, bytesRead);
    if (content.subarray(0, binarySample).includes(0)) return { skipped: 'binary' };
    const text = content.toString('utf8');
    if (text.trim() === '') return { skipped: 'empty' };
    return { text, version: [real, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join('\n') };
  } catch (error) {
    signal?.throwIfAborted();
    return { skipped: reasonOf(error) };
  } finally {
    await file?.close();
  }
}

/**
 * Whether what was opened is at its path. A folder on the way may have been a link to elsewhere when it was opened, and none
 * before and after. Linux tells where it is; elsewhere both are looked up again.
 */
async function isAt(path: string, file: FileHandle, { dev, ino }: Stats): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === path;
  const isReal = async () => (await realpath(path)) === path;
  if (!(await isReal())) return false;
  const now = await stat(path);
  return now.dev === dev && now.ino === ino && (await isReal());
}

function reasonOf(error: unknown): SkipReason {
  const { code } = error as { code?: unknown };
  if (code === 'EACCES' || code === 'EPERM') return 'forbidden';
  return code === 'EISDIR' || code === 'ELOOP' || code === 'ENXIO' ? 'no-file' : 'missing';
}
